// What a member is mailed about, and whether visitors are mailed about their requests. What
// concerns the security of an account or of a project is always mailed.

import { Type, type Static } from 'typebox'
import { member, projectSlug, type PlatformOperation } from './operation.ts'

/** `requests` may come once a day; all others come at once or not at all. */
export const notificationTopics = ['requests', 'reminders', 'members', 'publishing', 'domains', 'alerts'] as const
export type NotificationTopic = (typeof notificationTopics)[number]

export const notificationChoices = ['each', 'daily', 'off'] as const
export type NotificationChoice = (typeof notificationChoices)[number]
export type EachOrOff = Exclude<NotificationChoice, 'daily'>

const requests = Type.Unsafe<NotificationChoice>({
  type: 'string',
  enum: [...notificationChoices],
  description: 'New requests for animals: each one, once a day, or never. For owners and admins.',
})
const eachOrOff = (description: string) =>
  Type.Unsafe<EachOrOff>({ type: 'string', enum: ['each', 'off'], description })

const topics = {
  requests,
  reminders: eachOrOff(
    'Requests that wait for an answer or were withdrawn by the visitor, and holds that have ended. For owners and admins.',
  ),
  members: eachOrOff('People who joined. For owners.'),
  publishing: eachOrOff('What you started yourself: publishing that failed, and long imports that finished.'),
  domains: eachOrOff('Domains that are live, or work again. For owners and admins.'),
  alerts: eachOrOff('Domains that need attention. For owners and admins; owners cannot turn it off.'),
}

export const Notifications = Type.Object(
  {
    ...topics,
    visitors: Type.Boolean({
      description: 'Whether the project mails visitors about their requests. One setting for all members.',
    }),
    sendsMail: Type.Boolean({ description: 'Whether this installation sends mail at all.' }),
  },
  { $id: 'Notifications', description: 'What the caller is mailed about.' },
)
export type Notifications = Static<typeof Notifications>

export const NotificationsChange = Type.Partial(Type.Object(topics), {
  $id: 'NotificationsChange',
  additionalProperties: false,
})
export const VisitorMails = Type.Object(
  { visitors: Notifications.properties.visitors },
  { $id: 'VisitorMails', additionalProperties: false },
)

const example = {
  requests: 'each',
  reminders: 'each',
  members: 'each',
  publishing: 'each',
  domains: 'each',
  alerts: 'each',
  visitors: true,
  sendsMail: true,
}
const choiceFault = (topic: string) => `'${topic}' must be 'each' or 'off'.`
export const alertsFault = "'alerts' cannot be 'off' for an owner."

export const getNotifications = {
  operationId: 'getNotifications',
  method: 'GET',
  path: '/projects/{project}/notifications',
  tag: 'notifications',
  access: 'viewer',
  summary: 'Show what you are mailed about',
  description: 'The settings of the caller in this project.',
  parameters: { project: projectSlug },
  success: { status: 200, description: 'The settings.', schema: Notifications, headers: ['ETag'], example },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const changeNotifications = {
  operationId: 'changeNotifications',
  method: 'PATCH',
  path: '/projects/{project}/notifications',
  tag: 'notifications',
  access: 'viewer',
  summary: 'Change what you are mailed about',
  description: 'Changes the topics that are given, for the caller and in this project.',
  parameters: { project: projectSlug },
  body: {
    schema: NotificationsChange,
    faults: {
      requests: `'requests' must be one of ${notificationChoices.join(', ')}.`,
      reminders: choiceFault('reminders'),
      members: choiceFault('members'),
      publishing: choiceFault('publishing'),
      domains: choiceFault('domains'),
      alerts: choiceFault('alerts'),
    },
    examples: { one: { summary: 'Requests once a day', value: { requests: 'daily' } } },
  },
  success: {
    status: 200,
    description: 'The settings.',
    schema: Notifications,
    headers: [],
    example: { ...example, requests: 'daily' },
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const setVisitorMails = {
  operationId: 'setVisitorMails',
  method: 'PUT',
  path: '/projects/{project}/notifications/visitors',
  tag: 'notifications',
  access: 'admin',
  summary: 'Set whether visitors are mailed',
  description:
    'A visitor who leaves an email address is mailed when a request is received, approved, declined, completed or expires, when a visit is arranged, and when the animal has found another home; if an owner has verified their address and the site is published.',
  parameters: { project: projectSlug },
  body: {
    schema: VisitorMails,
    faults: { visitors: "'visitors' must be true or false." },
    examples: { one: { summary: 'No mails to visitors', value: { visitors: false } } },
  },
  success: {
    status: 200,
    description: 'The settings.',
    schema: Notifications,
    headers: [],
    example: { ...example, visitors: false },
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const notificationOperations: readonly PlatformOperation[] = [
  getNotifications,
  changeNotifications,
  setVisitorMails,
]
