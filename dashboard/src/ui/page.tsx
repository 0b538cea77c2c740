// A page: its heading, which is also the title of the window, its actions and its content.

import { useEffect, type ReactNode } from 'react'
import { texts } from '../texts/texts.ts'

type PageProps = { title: string; lead?: ReactNode; actions?: ReactNode; children: ReactNode }

export function Page({ title, lead, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · ${texts.common.product}`
  }, [title])
  return (
    <div className="stack">
      <div className="row apart">
        <h1>{title}</h1>
        {actions && <div className="row">{actions}</div>}
      </div>
      {lead && <p className="quiet page-lead">{lead}</p>}
      {children}
    </div>
  )
}

type SectionProps = { title: string; actions?: ReactNode; children: ReactNode; id?: string }

export const Section = ({ title, actions, children, id }: SectionProps) => (
  <section className="card stack" aria-label={title} id={id}>
    <div className="row apart">
      <h2>{title}</h2>
      {actions && <div className="row">{actions}</div>}
    </div>
    {children}
  </section>
)
