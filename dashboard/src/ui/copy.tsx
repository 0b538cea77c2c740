// A value to be pasted elsewhere, with a button that copies it.

import { Button, CopyButton } from '@mantine/core'
import { Check, Copy as CopyIcon } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import { Icon } from './icon.tsx'

/** `what` distinguishes the buttons for screen readers. */
export const Copy = ({ value, what, label }: { value: string; what: string; label?: string }) => (
  <CopyButton value={value} timeout={2000}>
    {({ copied, copy }) => (
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Icon of={copied ? Check : CopyIcon} size={16} />}
        onClick={copy}
        aria-label={`${copied ? texts.common.copied : (label ?? texts.common.copy)}: ${what}`}
      >
        <span aria-live="polite">{copied ? texts.common.copied : (label ?? texts.common.copy)}</span>
      </Button>
    )}
  </CopyButton>
)
