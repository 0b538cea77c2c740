// The latest orders that are decided. Those that are not are to be done, above.

import { Link } from '@tanstack/react-router'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Avatar } from '../ui/glyph.tsx'
import { Section } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { orderViews, type Overview } from './views.ts'

const { decided: words } = texts.start

export function Decisions({ orders: decided }: { orders: Overview['lastOrders'] }) {
  const { slug } = useProject()
  return (
    <Section
      title={words.title}
      isFlush
      actions={
        <Link to="/projects/$project/orders" params={{ project: slug }} search={{ show: 'all' }} className="small">
          {words.all}
        </Link>
      }
    >
      <ul className="lines">
        {decided.map(({ id, petName, visitor, status, decidedAt, createdAt }) => (
          <li key={String(id)}>
            <Avatar name={visitor.name} />
            <span className="grow">
              {words.order(petName, visitor.name)}
              <span className="quiet small home-under">
                <Time at={decidedAt ?? createdAt} />
              </span>
            </span>
            <Badge tone={orderViews[status].tone}>{orderViews[status].label}</Badge>
          </li>
        ))}
      </ul>
    </Section>
  )
}
