// A page: its heading, which is also the title of the window, its actions and its content.

import { useEffect, type ReactNode } from 'react'
import * as texts from '../texts/texts.ts'

type PageProps = {
  title: string
  /** Of the window, if another one says more among several of them. */
  windowTitle?: string
  lead?: ReactNode
  /** Beside the title: the status of what the page is about. */
  status?: ReactNode
  /** Above the title: the way back to the list that it is part of. */
  back?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export function Page({ title, windowTitle = title, lead, status, back, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${windowTitle} · ${texts.common.product}`
  }, [windowTitle])
  return (
    <div className="stack loose">
      <div className="page-head">
        <div>
          {back}
          <div className="row">
            <h1>{title}</h1>
            {status}
          </div>
          {lead && <p className="lead">{lead}</p>}
        </div>
        {actions && <div className="acts">{actions}</div>}
      </div>
      {children}
    </div>
  )
}

type SectionProps = { title: string; actions?: ReactNode; isFlush?: boolean; children: ReactNode; id?: string }

/** A card. A flush one holds lists that go from edge to edge. */
export const Section = ({ title, actions, isFlush = false, children, id }: SectionProps) => (
  <section className={isFlush ? 'card flush' : 'card stack'} aria-label={title} id={id}>
    <div className="row apart">
      <h2>{title}</h2>
      {actions && <div className="row tight">{actions}</div>}
    </div>
    {children}
  </section>
)
