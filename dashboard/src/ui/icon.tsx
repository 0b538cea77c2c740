// Lucide's icons, imported one by one where they are used. An icon is never the only thing that says something: it
// stands beside words, or on a button whose label says what it does.

import { Button, type ButtonProps } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'

type IconProps = { of: LucideIcon; size?: 14 | 16 | 18 | 20 | 24; className?: string }

export const Icon = ({ of: Drawing, size = 20, className = '' }: IconProps) => (
  <Drawing size={size} strokeWidth={size < 18 ? 2 : 1.75} aria-hidden className={`icon ${className}`} />
)

type IconButtonProps = Omit<ComponentProps<'button'>, keyof ButtonProps> &
  ButtonProps & { of: LucideIcon; 'aria-label': string }

/** A button with an icon alone; its label is for screen readers, and required. */
export const IconButton = ({ of, className = '', ...rest }: IconButtonProps) => (
  <Button variant="subtle" className={`icon-only ${className}`} {...rest}>
    <Icon of={of} />
  </Button>
)
