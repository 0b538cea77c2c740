// Queries for what the members of a project are mailed about, inside one project.

import {
  notificationTopics,
  type NotificationChoice,
  type NotificationTopic,
} from '@petstore-platform/contract/platform/notifications'
import type { AccountId } from '../accounts/account-queries.ts'
import { statement, query, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from './scope.io.ts'

type Choices = Record<NotificationTopic, NotificationChoice>

const listChoiceRows = statement<
  { topic: NotificationTopic; choice: NotificationChoice },
  [project: ProjectId, account: AccountId]
>(
  'list-notification-choices',
  `select topic, choice
   from notification_settings
   where project_id = $1 and account_id = $2`,
)

/** Everything is mailed until it is turned off. */
export const choicesOf = async (db: Db, project: ProjectId, account: AccountId): Promise<Choices> => {
  const rows = await db(listChoiceRows, project, account)
  const chosen = new Map(rows.map(({ topic, choice }) => [topic, choice]))
  return Object.fromEntries(notificationTopics.map((topic) => [topic, chosen.get(topic) ?? 'each'])) as Choices
}

const setChoiceRow = statement<
  never,
  [project: ProjectId, account: AccountId, topic: NotificationTopic, choice: NotificationChoice]
>(
  'set-notification-choice',
  `insert into notification_settings (project_id, account_id, topic, choice)
   values ($1, $2, $3, $4)
   on conflict (project_id, account_id, topic) do update
   set choice = excluded.choice
   where notification_settings.project_id = $1`,
)

export const setChoice = (
  db: Db,
  project: ProjectId,
  account: AccountId,
  topic: NotificationTopic,
  choice: NotificationChoice,
) => db(setChoiceRow, project, account, topic, choice)

/** Of a person who is no longer a member. */
export const forgetChoices = query<never, [project: ProjectId, account: AccountId]>(
  'forget-notification-choices',
  `delete from notification_settings
   where project_id = $1 and account_id = $2`,
)

export const mailsVisitors = query<{ mailsVisitors: boolean }, [project: ProjectId], boolean>(
  'find-visitor-mails',
  `select mails_visitors as "mailsVisitors"
   from projects
   where project_id = $1 and deleted_at is null`,
  ([row]) => row?.mailsVisitors ?? false,
)

export const setVisitorMails = query<never, [project: ProjectId, isOn: boolean]>(
  'set-visitor-mails',
  `update projects
   set mails_visitors = $2
   where project_id = $1`,
)
