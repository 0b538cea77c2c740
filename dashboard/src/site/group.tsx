// A group of fields in the card of the form, under an icon and a title.

import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'

export const Group = ({ title, icon, children }: { title: string; icon: LucideIcon; children: ReactNode }) => (
  <section className="stack site-group" aria-label={title}>
    <h2 className="row tight">
      <Icon of={icon} />
      {title}
    </h2>
    {children}
  </section>
)
