// The account page in groups, with the way to each of them beside it. A group is a card with parts, each of which is
// about one thing.

import type { LucideIcon } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import * as texts from '../texts/texts.ts'
import { Glyph } from '../ui/glyph.tsx'
import { Icon } from '../ui/icon.tsx'

export type GroupView = { id: string; title: string; icon: LucideIcon }

/** Plain links to places of the page, so that the keyboard goes there as well. */
export function GroupLinks({ groups }: { groups: readonly GroupView[] }) {
  const shown = useShownGroup(groups)
  return (
    <nav className="account-nav" aria-label={texts.account.onThisPage} data-scrolls>
      {groups.map(({ id, title, icon }) => (
        <a key={id} href={`#${id}`} aria-current={id === shown ? 'location' : undefined}>
          <Icon of={icon} size={18} />
          {title}
        </a>
      ))}
    </nav>
  )
}

/** The group that is being read: the last one that begins in the upper third of the window. */
function useShownGroup(groups: readonly GroupView[]): string | undefined {
  const [shown, setShown] = useState(groups[0]?.id)
  useEffect(() => {
    const look = () => {
      const begun = groups.filter(({ id }) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top
        return top !== undefined && top < window.innerHeight / 3
      })
      // At the end of the page, the last one may be too short to get there.
      const isAtEnd = window.scrollY > 0 && window.scrollY + window.innerHeight >= document.body.scrollHeight - 2
      setShown((isAtEnd ? groups : begun).at(-1)?.id ?? groups[0]?.id)
    }
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [groups])
  return shown
}

export const Group = ({ of, children }: { of: GroupView; children: ReactNode }) => (
  <div className="card flush account-group" id={of.id}>
    <GroupHead of={of} />
    {children}
  </div>
)

/** A group that is about one thing, and so has no parts. */
export const SoleGroup = ({ of, lead, children }: { of: GroupView; lead: string; children: ReactNode }) => (
  <section className="card flush account-group" id={of.id} aria-label={of.title}>
    <GroupHead of={of} />
    <div className="account-part">
      <p className="plain quiet small account-lead">{lead}</p>
      <div className="stack">{children}</div>
    </div>
  </section>
)

const GroupHead = ({ of: { title, icon } }: { of: GroupView }) => (
  <div className="row">
    <Glyph of={icon} tone="plain" />
    <h2>{title}</h2>
  </div>
)

type PartProps = {
  title: string
  lead?: ReactNode
  actions?: ReactNode
  /** A form stands beside the words about it where there is room; a list needs the whole width. */
  isForm?: boolean
  children: ReactNode
}

export const Part = ({ title, lead, actions, isForm = false, children }: PartProps) => (
  <section className={isForm ? 'account-part account-part-form' : 'account-part'} aria-label={title}>
    <div className="account-part-head">
      <div className="grow">
        <h3>{title}</h3>
        {lead !== undefined && <div className="quiet small account-lead">{lead}</div>}
      </div>
      {actions}
    </div>
    <div className="stack">{children}</div>
  </section>
)

/** The first cell of a row: what it is about, after a sign. */
export const Named = ({ of, children, says }: { of: LucideIcon; children: ReactNode; says?: ReactNode }) => (
  <span className="named">
    <Glyph of={of} tone="plain" />
    <span className="grow">
      <strong>{children}</strong>
      {says !== undefined && <span className="quiet tiny named-says">{says}</span>}
    </span>
  </span>
)
