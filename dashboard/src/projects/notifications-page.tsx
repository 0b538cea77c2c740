// Project settings, Notifications: which mails the person gets about the project, and whether
// visitors get mails about their requests. Every choice is saved at once.

import { Checkbox, NativeSelect } from '@mantine/core'
import type { Received } from '@petstore-platform/contract/platform/client'
import type { NotificationTopic } from '@petstore-platform/contract/platform/notifications'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, ClockAlert, Inbox, Rocket, TriangleAlert, UserRoundPlus, type LucideIcon } from 'lucide-react'
import { useId } from 'react'
import { query, useAction } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Glyph } from '../ui/glyph.tsx'
import { Page, Section } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { choiceLabels, topicsOf } from './notification-views.ts'
import './projects.css'

const words = texts.notifications

type Settings = Received<'getNotifications'>

const topicIcons: Readonly<Record<NotificationTopic, LucideIcon>> = {
  requests: Inbox,
  reminders: ClockAlert,
  members: UserRoundPlus,
  publishing: Rocket,
  domains: CircleCheck,
  alerts: TriangleAlert,
}

export function NotificationsPage() {
  const { slug } = useProject()
  const settings = useQuery(query('getNotifications', { project: slug }))
  return (
    <Page title={words.title} lead={words.lead}>
      <Loaded from={settings}>
        {(found) => (
          <>
            {!found.sendsMail && (
              <div className="note warn" role="note">
                <strong>{words.noMail}</strong>
                <p className="plain">{words.noMailText}</p>
              </div>
            )}
            <OwnMails settings={found} />
            <VisitorMails settings={found} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function OwnMails({ settings }: { settings: Settings }) {
  const { role } = useProject()
  const account = useQuery(query('getAccount'))
  return (
    <Section title={words.yours} isFlush>
      <p className="quiet plain flush-text">
        {account.data && words.to(account.data.email)} <Link to="/account">{words.toAccount}</Link>
      </p>
      <ul className="lines">
        {topicsOf(role).map((topic) => (
          <Topic key={topic} topic={topic} settings={settings} />
        ))}
      </ul>
      <p className="quiet small plain flush-foot">{words.always}</p>
    </Section>
  )
}

function Topic({ topic, settings }: { topic: NotificationTopic; settings: Settings }) {
  const { slug, isOwner } = useProject()
  const change = useAction('changeNotifications', { renews: ['getNotifications'], done: words.saved })
  const { label, help } = words.topics[topic]
  const isFixed = topic === 'alerts' && isOwner
  const id = useId()
  return (
    <li className="setting">
      <Glyph of={topicIcons[topic]} tone="plain" />
      <div className="grow">
        {isFixed ? (
          <strong>{label}</strong>
        ) : (
          <label className="topic-name" htmlFor={id}>
            {label}
          </label>
        )}
        <p className="quiet small plain" id={`${id}-help`}>
          {help}
        </p>
      </div>
      {isFixed ? (
        <span className="small topic-choice">{words.alertsOfOwner}</span>
      ) : (
        <NativeSelect
          id={id}
          className="topic-choice"
          aria-describedby={`${id}-help`}
          value={change.isPending ? (change.variables.body[topic] ?? settings[topic]) : settings[topic]}
          data={choiceLabels(topic)}
          onChange={({ currentTarget }) =>
            change.mutate({ project: slug, body: { [topic]: currentTarget.value as 'each' | 'off' } })
          }
        />
      )}
    </li>
  )
}

function VisitorMails({ settings: { visitors } }: { settings: Settings }) {
  const { slug, mayEdit } = useProject()
  const set = useAction('setVisitorMails', { renews: ['getNotifications', 'listOrders'], done: words.saved })
  return (
    <Section title={words.visitors.title}>
      {mayEdit ? (
        <Checkbox
          label={words.visitors.label}
          description={words.visitors.help}
          checked={set.isPending ? set.variables.body.visitors : visitors}
          onChange={({ currentTarget }) => set.mutate({ project: slug, body: { visitors: currentTarget.checked } })}
        />
      ) : (
        <p className="plain">
          {visitors ? words.visitors.isOn : words.visitors.isOff} <span className="quiet">{words.visitors.viewer}</span>
        </p>
      )}
    </Section>
  )
}
