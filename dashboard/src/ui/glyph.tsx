// What stands before a line: an icon on a ground of its meaning, or the initials of a person.

import type { LucideIcon } from 'lucide-react'
import type { Tone } from './badge.tsx'
import { Icon } from './icon.tsx'
import { initialsOf, tintOf } from './initials.ts'

export const Glyph = ({ of, tone = 'good' }: { of: LucideIcon; tone?: Tone }) => (
  <span className={`glyph ${tone}`}>
    <Icon of={of} />
  </span>
)

/** A picture, drawn by the style sheet: the name stands beside it, or is the label of what it is on. */
export const Avatar = ({ name }: { name: string }) => (
  <span className={`avatar tint-${tintOf(name)}`} data-initials={initialsOf(name)} aria-hidden />
)
