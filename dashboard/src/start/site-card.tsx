// The site as visitors see it, small: its picture, its address, which version it is, and the state of its domains.

import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Clock, Globe, Hourglass, LayoutTemplate, Link2 } from 'lucide-react'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Icon } from '../ui/icon.tsx'
import { ShareSite } from '../ui/share-site.tsx'
import { SiteFrame } from '../ui/site-frame.tsx'
import { Time } from '../ui/time.tsx'
import { deploymentViews, domainViews, type Overview } from './views.ts'

const { site: words, domains } = texts.start

export function SiteCard({ overview }: { overview: Overview }) {
  const { slug, siteUrl, mayEdit, isSuspended } = useProject()
  const { currentDeployment: current } = overview
  const state = isSuspended ? words.suspended : current === null ? words.notLive : words.live
  return (
    <section className="card flush" aria-label={words.title}>
      {current === null ? <Unpublished /> : <SiteFrame slug={slug} version={current.id} title={words.preview} />}
      <div className="stack home-site">
        <div className="row apart">
          <h2>{words.title}</h2>
          <Badge tone={state === words.live ? 'good' : 'plain'}>{state}</Badge>
        </div>
        <Facts overview={overview} />
        <div className="row tight home-acts">
          <Button
            variant="light"
            renderRoot={(props) => <Link to="/projects/$project/site" params={{ project: slug }} {...props} />}
          >
            {mayEdit ? words.edit : words.open}
          </Button>
          {current !== null && (
            <Button
              variant="default"
              renderRoot={(props) => (
                <Link to="/projects/$project/site/history" params={{ project: slug }} {...props} />
              )}
            >
              {words.versions}
            </Button>
          )}
          {current !== null && <ShareSite address={siteUrl} />}
        </div>
      </div>
    </section>
  )
}

const Unpublished = () => (
  <p className="site-frame home-unpublished">
    <Icon of={LayoutTemplate} size={24} />
    {words.never}
  </p>
)

function Facts({ overview: { currentDeployment: current, lastDeployment: last, domains: counts } }: FactsProps) {
  const { siteUrl } = useProject()
  const address = new URL(siteUrl).host
  return (
    <ul className="home-facts">
      <li>
        <Icon of={Link2} size={18} />
        <span>
          <span className="visually-hidden">{words.address}</span>{' '}
          {current === null ? (
            address
          ) : (
            <a href={siteUrl} target="_blank" rel="noreferrer">
              {address} <span className="visually-hidden">{texts.start.newWindow}</span>
            </a>
          )}
        </span>
      </li>
      {current !== null && (
        <li className="quiet">
          <Icon of={Clock} size={18} />
          <span>
            {words.published(current.number)} <Time at={current.finishedAt ?? current.createdAt} />
          </span>
        </li>
      )}
      {last !== null && last.id !== current?.id && (
        <li>
          <Icon of={Hourglass} size={18} />
          <span className="row tight">
            {words.last(last.number)}
            <Badge tone={deploymentViews[last.state].tone}>{deploymentViews[last.state].label}</Badge>
          </span>
        </li>
      )}
      <DomainFacts counts={counts} />
    </ul>
  )
}
type FactsProps = { overview: Overview }

function DomainFacts({ counts }: { counts: Overview['domains'] }) {
  const { slug, mayEdit } = useProject()
  const groups = (Object.keys(domainViews) as (keyof typeof domainViews)[]).filter((group) => counts[group] > 0)
  if (groups.length === 0 && !mayEdit) return null
  return (
    <li>
      <Icon of={Globe} size={18} />
      <span className="row tight">
        {groups.length > 0 && <span className="visually-hidden">{domains.label}</span>}
        {groups.map((group) => (
          <Badge key={group} tone={domainViews[group].tone}>
            {domainViews[group].label(counts[group])}
          </Badge>
        ))}
        <Link to="/projects/$project/settings/domains" params={{ project: slug }}>
          {groups.length > 0 ? domains.all : domains.none}
        </Link>
      </span>
    </li>
  )
}
