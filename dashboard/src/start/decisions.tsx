// The latest requests that are decided. New ones are to be done, above.

import { Link } from '@tanstack/react-router'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Avatar } from '../ui/glyph.tsx'
import { Section } from '../ui/page.tsx'
import { StageBadge } from '../ui/stage.tsx'
import { Time } from '../ui/time.tsx'
import { visitorName } from '../ui/visitor-name.ts'
import type { Overview } from './views.ts'

const { decided: words } = texts.start

export function Decisions({ orders: decided }: { orders: Overview['lastOrders'] }) {
  const { slug, kind } = useProject()
  return (
    <Section
      title={words.title}
      isFlush
      actions={
        <Link to="/projects/$project/requests" params={{ project: slug }} search={{ show: 'closed' }} className="small">
          {words.all}
        </Link>
      }
    >
      <ul className="lines">
        {decided.map(({ id, petName, visitor, stage, decidedAt, createdAt }) => (
          <li key={String(id)}>
            <Avatar name={visitorName({ visitor })} />
            <span className="grow">
              <Link
                to="/projects/$project/requests/$order"
                params={{ project: slug, order: String(id) }}
                className="home-link"
              >
                {words.order(petName, visitorName({ visitor }))}
              </Link>
              <span className="quiet small home-under">
                <Time at={decidedAt ?? createdAt} />
              </span>
            </span>
            <StageBadge stage={stage} kind={kind} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
