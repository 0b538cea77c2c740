// The topics that concern each role, and what can be chosen for each topic. A topic that the
// contract adds does not compile until it has both.

import type { NotificationChoice, NotificationTopic } from '@petstore-platform/contract/platform/notifications'
import type { Role } from '@petstore-platform/contract/platform/operation'
import * as texts from '../texts/texts.ts'

const { choices, requestChoices } = texts.notifications

const audience: Readonly<Record<NotificationTopic, readonly Role[]>> = {
  requests: ['owner', 'admin'],
  reminders: ['owner', 'admin'],
  members: ['owner'],
  publishing: ['owner', 'admin', 'viewer'],
  domains: ['owner', 'admin'],
  alerts: ['owner', 'admin'],
}
export const topicList = Object.keys(audience) as NotificationTopic[]

export const topicsOf = (role: Role): NotificationTopic[] => topicList.filter((topic) => audience[topic].includes(role))

type Choice = { value: NotificationChoice; label: string }

export const choiceLabels = (topic: NotificationTopic): Choice[] =>
  topic === 'requests'
    ? [
        { value: 'each', label: requestChoices.each },
        { value: 'daily', label: requestChoices.daily },
        { value: 'off', label: requestChoices.off },
      ]
    : [
        { value: 'each', label: choices.each },
        { value: 'off', label: choices.off },
      ]
