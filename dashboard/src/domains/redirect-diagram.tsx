// A diagram of where visitors go: each domain that shows the site, with those that
// redirect to it. The same in sentences for people who do not see the drawing; both
// follow every choice before it is saved.

import { Globe } from 'lucide-react'
import type { ReactNode } from 'react'
import * as texts from '../texts/texts.ts'
import { Badge } from '../ui/badge.tsx'
import { Icon } from '../ui/icon.tsx'
import { drawingOf, type Drawing, type Group, type Plan, type RedirectPath } from './redirect-plan.ts'
import './redirects.css'

const { picture: words } = texts.redirects

type PictureProps = {
  plan: Plan
  /** Host of the address that every project has. */
  defaultHost: string
  nameOf: (hostname: string) => string
  isServed: (hostname: string) => boolean
  isChanged: boolean
}

export function RedirectPicture({ plan, defaultHost, nameOf, isServed, isChanged }: PictureProps) {
  const drawing = drawingOf(plan)
  const isDefaultLed = plan.primary !== null && isServed(plan.primary)
  return (
    <figure className="picture stack" aria-label={words.title}>
      <figcaption className="quiet small">{isChanged ? words.draft : words.saved}</figcaption>
      <div className="stack" aria-hidden>
        {drawing.groups.map((group) => (
          <GroupDrawing
            key={group.end}
            group={group}
            isPrimary={group.end === plan.primary}
            isServed={isServed(group.end)}
            nameOf={nameOf}
            first={
              group.end === plan.primary && (
                <Arrival label={isDefaultLed ? '' : words.later} isLater={!isDefaultLed}>
                  <Target name={defaultHost} note={words.defaultAddress} />
                </Arrival>
              )
            }
          />
        ))}
        {plan.primary === null && (
          <div className="way-group">
            <End name={defaultHost} note={words.defaultAddress} />
          </div>
        )}
        {drawing.lost.length > 0 && <Loop ways={drawing.lost} nameOf={nameOf} />}
      </div>
      <ul className="visually-hidden" aria-live="polite">
        {sentencesOf(drawing, { plan, defaultHost, nameOf, isDefaultLed }).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </figure>
  )
}

type GroupProps = Pick<PictureProps, 'nameOf'> & {
  group: Group
  isPrimary: boolean
  isServed: boolean
  first: ReactNode
}

function GroupDrawing({ group: { end, ways }, isPrimary, isServed, nameOf, first }: GroupProps) {
  return (
    <div className={first || ways.length > 0 ? 'way-group led' : 'way-group'}>
      <div className="arrivals">
        {first}
        {ways.map((way) => (
          <Arrival key={way.from} label={String(way.lead.status)} isLater={false}>
            <Target
              name={nameOf(way.from)}
              {...(way.via.length > 0 && { note: words.via(way.via.map(nameOf).join(', ')) })}
            />
          </Arrival>
        ))}
      </div>
      <End name={nameOf(end)} isPrimary={isPrimary} {...(!isServed && { note: words.notLive })} />
    </div>
  )
}

const Target = ({ name, note }: { name: string; note?: string }) => (
  <span className="place">
    <strong>{name}</strong>
    {note && <span className="small quiet">{note}</span>}
  </span>
)

const Arrival = ({ label, isLater, children }: { label: string; isLater: boolean; children: ReactNode }) => (
  <div className="arrival">
    {children}
    <span className={isLater ? 'arrow later' : 'arrow'}>
      <span>{label}</span>
    </span>
  </div>
)

const End = ({ name, note, isPrimary = false }: { name: string; note?: string; isPrimary?: boolean }) => (
  <div className={isPrimary ? 'place end primary' : 'place end'}>
    <Icon of={Globe} />
    <span className="grow">
      <strong>{name}</strong>
      <span className="row">
        <span className="small">{words.showsSite}</span>
        {isPrimary && <Badge tone="good">{words.primary}</Badge>}
        {note && <Badge tone="plain">{note}</Badge>}
      </span>
    </span>
  </div>
)

const Loop = ({ ways, nameOf }: { ways: readonly RedirectPath[]; nameOf: PictureProps['nameOf'] }) => (
  <div className="note bad stack tight">
    <strong>{words.circle}</strong>
    <ul className="circle">
      {ways.map(({ from, lead }) => (
        <li key={from}>
          {nameOf(from)} → {nameOf(lead.to)}
        </li>
      ))}
    </ul>
    <span>{words.circleAdvice}</span>
  </div>
)

type Said = Pick<PictureProps, 'plan' | 'defaultHost' | 'nameOf'> & { isDefaultLed: boolean }

function sentencesOf({ groups, lost }: Drawing, { plan, defaultHost, nameOf, isDefaultLed }: Said): string[] {
  const { sentence } = words
  const ofDefault =
    plan.primary === null
      ? sentence.defaultShows(defaultHost)
      : isDefaultLed
        ? sentence.defaultSends(defaultHost, nameOf(plan.primary))
        : sentence.defaultLater(defaultHost, nameOf(plan.primary))
  return [
    ...groups.flatMap(({ end, ways }) => [
      sentence.shows(nameOf(end)),
      ...ways.map(({ from }) => sentence.sends(nameOf(from), nameOf(end))),
    ]),
    ...lost.map(({ from, lead }) => sentence.circle(nameOf(from), nameOf(lead.to))),
    ofDefault,
  ]
}
