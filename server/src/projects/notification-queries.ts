// Queries for what the members of a project are mailed about, inside one project.

import {
  notificationTopics,
  type NotificationChoice,
  type NotificationTopic,
} from '@petstore-platform/contract/platform/notifications'
import type { AccountId } from '../accounts/account-queries.ts'
import { statement, type Db } from '../foundation/postgres/postgres.io.ts'
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

const forgetChoiceRows = statement<never, [project: ProjectId, account: AccountId]>(
  'forget-notification-choices',
  `delete from notification_settings
   where project_id = $1 and account_id = $2`,
)

/** Of a person who is no longer a member. */
export const forgetChoices = (db: Db, project: ProjectId, account: AccountId) => db(forgetChoiceRows, project, account)

const mailsVisitorsRow = statement<{ mailsVisitors: boolean }, [project: ProjectId]>(
  'find-visitor-mails',
  `select mails_visitors as "mailsVisitors"
   from projects
   where project_id = $1 and deleted_at is null`,
)

export const mailsVisitors = async (db: Db, project: ProjectId): Promise<boolean> =>
  (await db(mailsVisitorsRow, project))[0]?.mailsVisitors ?? false

const setVisitorMailsRow = statement<never, [project: ProjectId, isOn: boolean]>(
  'set-visitor-mails',
  `update projects
   set mails_visitors = $2
   where project_id = $1`,
)

export const setVisitorMails = (db: Db, project: ProjectId, isOn: boolean) => db(setVisitorMailsRow, project, isOn)
