// The latest orders, the published version, and the status of the domains: each in a few
// lines, with a link to its page.

import { Link } from '@tanstack/react-router'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Section } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { deploymentViews, domainViews, orderViews, type Overview } from './views.ts'

const { orders, publishing, domains } = texts.start

export function LastOrders({ orders: found }: { orders: Overview['lastOrders'] }) {
  const { slug } = useProject()
  return (
    <Section
      title={orders.title}
      actions={
        <Link to="/projects/$project/orders" params={{ project: slug }} className="small">
          {orders.all}
        </Link>
      }
    >
      {found.length === 0 ? (
        <p className="quiet">{orders.none}</p>
      ) : (
        <ul className="glance">
          {found.map(({ id, petName, visitor, status, createdAt }) => (
            <li key={String(id)} className="row apart">
              <span>
                <strong>{petName}</strong> {orders.from(visitor.name)}
                <span className="quiet small glance-when">
                  <Time at={createdAt} />
                </span>
              </span>
              <Badge tone={orderViews[status].tone}>{orderViews[status].label}</Badge>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

export function Publishing({ overview: { currentDeployment: current, lastDeployment: last } }: { overview: Overview }) {
  const { slug } = useProject()
  return (
    <Section
      title={publishing.title}
      actions={
        current !== null && (
          <Link to="/projects/$project/site/history" params={{ project: slug }} className="small">
            {publishing.all}
          </Link>
        )
      }
    >
      {current === null ? (
        <p className="quiet">{publishing.never}</p>
      ) : (
        <p>
          {publishing.visitorsSee(current.number)} <Time at={current.createdAt} />.
        </p>
      )}
      {last !== null && last.id !== current?.id && (
        <div className="stack glance-last">
          <span className="row">
            {publishing.last(last.number)}{' '}
            <Badge tone={deploymentViews[last.state].tone}>{deploymentViews[last.state].label}</Badge>
          </span>
          {last.reason !== null && <span className="small">{last.reason}</span>}
          {last.state === 'failed' && current !== null && <span className="quiet small">{publishing.failedText}</span>}
        </div>
      )}
    </Section>
  )
}

export function DomainHealth({ domains: counts }: { domains: Overview['domains'] }) {
  const { slug } = useProject()
  const groups = (Object.keys(domainViews) as (keyof typeof domainViews)[]).filter((group) => counts[group] > 0)
  return (
    <Section
      title={domains.title}
      actions={
        <Link to="/projects/$project/settings/domains" params={{ project: slug }} className="small">
          {domains.all}
        </Link>
      }
    >
      {groups.length === 0 ? (
        <p className="quiet">{domains.none}</p>
      ) : (
        <ul className="glance">
          {groups.map((group) => (
            <li key={group} className="row">
              <Badge tone={domainViews[group].tone}>{domainViews[group].label(counts[group])}</Badge>
              <span className="quiet small">{domainViews[group].text}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
