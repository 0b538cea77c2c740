// A group of fields in the card of the form, under an icon and a title.

import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'

type GroupProps = { title: string; icon: LucideIcon; id?: string; children: ReactNode }

/** With an id, an address can lead to it. */
export const Group = ({ title, icon, id, children }: GroupProps) => (
  <section className="stack site-group" aria-label={title} id={id} tabIndex={id === undefined ? undefined : -1}>
    <h2 className="row tight">
      <Icon of={icon} />
      {title}
    </h2>
    {children}
  </section>
)
