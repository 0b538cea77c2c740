// Mails about the domains of one project: SQL. A mail is open until it is sent; in that time more
// domains with the same cause join it.

import { statement, query, type Db } from '../../foundation/postgres/postgres.io.ts'
import type { Instant } from '../../foundation/time.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import type { Attention } from '../lifecycle/attention.ts'
import type { Judgement } from '../judging/judgement.ts'
import type { AddressDomain } from './mailed-domain.ts'

type SavedAttention = [
  project: ProjectId,
  id: string,
  problem: string | null,
  problemSince: Date | null,
  problemChecks: number,
  isProblemMailed: boolean,
  downSince: Date | null,
  wasAlerted: boolean,
  reminders: number,
  renewalSerial: string | null,
  renewalStage: number,
]

const saveAttentionRow = statement<never, SavedAttention>(
  'save-domain-attention',
  `update domains
   set problem = $3, problem_since = $4, problem_checks = $5, is_problem_mailed = $6, down_since = $7,
     was_alerted = $8, reminders = $9, renewal_serial = $10, renewal_stage = $11
   where project_id = $1 and id = $2`,
)

export const saveAttention = (db: Db, project: ProjectId, id: string, attention: Attention) =>
  db(
    saveAttentionRow,
    project,
    id,
    attention.problem,
    dateOf(attention.problemSince),
    attention.problemChecks,
    attention.isProblemMailed,
    dateOf(attention.downSince),
    attention.wasAlerted,
    attention.reminders,
    attention.renewalSerial,
    attention.renewalStage,
  )

const dateOf = (at: Instant | null) => (at === null ? null : new Date(at))

/** When an alert or a reminder with this cause was last caused by the domain. */
export const lastMailed = query<
  { at: Date | null },
  [project: ProjectId, domain: string, cause: string],
  Instant | null
>(
  'last-mailed-cause',
  `select max(mailed_domains.at) as at
   from mailed_domains
   join domain_mails on domain_mails.project_id = $1 and domain_mails.id = mailed_domains.mail_id
   where mailed_domains.project_id = $1 and mailed_domains.domain_id = $2 and domain_mails.cause = $3
     and domain_mails.kind in ('domain_alert', 'domain_reminder')`,
  ([row]) => row?.at?.getTime() ?? null,
)

const openMailRow = statement<{ id: string }, [project: ProjectId, id: string, kind: string, cause: string, now: Date]>(
  'open-domain-mail',
  `insert into domain_mails (project_id, id, kind, cause, opened_at)
   values ($1, $2, $3, $4, $5)
   on conflict (project_id, kind, cause) where closed_at is null do update
   set kind = excluded.kind
   where domain_mails.project_id = $1
   returning id`,
)

const lastClosedRow = statement<{ at: Date | null }, [project: ProjectId, kind: string, cause: string]>(
  'last-closed-domain-mail',
  `select max(closed_at) as at
   from domain_mails
   where project_id = $1 and kind = $2 and cause = $3`,
)

const addMailedRow = statement<never, [project: ProjectId, mail: string, domain: string, now: Date]>(
  'add-mailed-domain',
  `insert into mailed_domains (project_id, mail_id, domain_id, at)
   values ($1, $2, $3, $4)
   on conflict (project_id, mail_id, domain_id) do nothing`,
)

export type Joined = {
  id: string
  isNew: boolean
  /** When the last one of this kind and cause was sent, if ever. */
  lastClosedAt: Instant | null
}

/** The domain joins the open mail of this kind and cause, or opens one. It is locked until the transaction ends. */
export const joinMail = async (
  db: Db,
  project: ProjectId,
  { id, kind, cause, domain }: { id: string; kind: string; cause: string; domain: string },
  now: Instant,
): Promise<Joined> => {
  const [row] = await db(openMailRow, project, id, kind, cause, new Date(now))
  if (!row) throw new Error('an open mail is there, or was opened')
  await db(addMailedRow, project, row.id, domain, new Date(now))
  const [last] = await db(lastClosedRow, project, kind, cause)
  return { id: row.id, isNew: row.id === id, lastClosedAt: last?.at?.getTime() ?? null }
}

const listOpenRows = statement<{ id: string }, [project: ProjectId]>(
  'list-open-domain-alerts',
  `select id
   from domain_mails
   where project_id = $1 and closed_at is null and kind in ('domain_alert', 'domain_reminder')`,
)

const leaveMailRows = statement<{ id: string }, [project: ProjectId, domain: string, mails: readonly string[]]>(
  'leave-domain-mails',
  `delete from mailed_domains
   where project_id = $1 and domain_id = $2 and mail_id = any ($3::text[])
   returning mail_id as id`,
)

/** The domain leaves alerts that were not sent yet. True if there was one. */
export const leaveMails = async (db: Db, project: ProjectId, domain: string): Promise<boolean> => {
  const open = (await db(listOpenRows, project)).map(({ id }) => id)
  return open.length > 0 && (await db(leaveMailRows, project, domain, open)).length > 0
}

const closeMailRow = statement<{ cause: string }, [project: ProjectId, id: string]>(
  'close-domain-mail',
  `update domain_mails
   set closed_at = coalesce(closed_at, now())
   where project_id = $1 and id = $2
   returning cause`,
)

const listMailedRows = statement<{ id: string; hostname: string }, [project: ProjectId, id: string]>(
  'list-mailed-domains',
  `select domains.id, domains.hostname
   from mailed_domains
   join domains on domains.project_id = $1 and domains.id = mailed_domains.domain_id
   where mailed_domains.project_id = $1 and mailed_domains.mail_id = $2
   order by domains.hostname`,
)

export type ClosedMail = { cause: string; domains: readonly { id: string; hostname: string }[] }

/** What the mail is about; from now on nothing joins it. The same for every recipient. */
export const closeMail = async (db: Db, project: ProjectId, id: string): Promise<ClosedMail | undefined> => {
  const [closed] = await db(closeMailRow, project, id)
  return closed && { cause: closed.cause, domains: await db(listMailedRows, project, id) }
}

// Announcements of new addresses of the edges.

/** Domains that reached us by address when they were last checked. An ALIAS record looks the same from outside. */
export const listAddressDomains = query<{ hostname: string; judgement: string }, [project: ProjectId], AddressDomain[]>(
  'list-address-domains',
  `select domains.hostname, domain_looks.judgement
   from domains
   join domain_looks on domain_looks.project_id = $1 and domain_looks.domain_id = domains.id
   where domains.project_id = $1 and domains.removed_at is null and domains.ownership = 'proven'
     and domain_looks.judgement::jsonb ->> 'how' = 'address'
   order by domains.hostname`,
  (rows) => rows.map(({ hostname, judgement }) => ({ hostname, judgement: JSON.parse(judgement) as Judgement })),
)

const insertAnnouncementRow = statement<
  { id: string },
  [project: ProjectId, id: string, addresses: readonly string[], startsOn: string]
>(
  'insert-address-announcement',
  `insert into address_announcements (project_id, id, addresses, starts_on)
   values ($1, $2, $3, $4::date)
   on conflict (project_id, addresses, starts_on) do nothing
   returning id`,
)

/** False if the project was told of the same addresses and the same day before. `startsOn` is written YYYY-MM-DD. */
export const insertAnnouncement = async (
  db: Db,
  project: ProjectId,
  { id, addresses, startsOn }: { id: string; addresses: readonly string[]; startsOn: string },
): Promise<boolean> => (await db(insertAnnouncementRow, project, id, addresses, startsOn)).length > 0

const findAnnouncementRow = statement<{ addresses: string[]; startsOn: string }, [project: ProjectId, id: string]>(
  'find-address-announcement',
  `select addresses, to_char(starts_on, 'YYYY-MM-DD') as "startsOn"
   from address_announcements
   where project_id = $1 and id = $2`,
)

export const findAnnouncement = async (db: Db, project: ProjectId, id: string) => {
  const [row] = await db(findAnnouncementRow, project, id)
  return row && { addresses: row.addresses, startsOn: new Date(`${row.startsOn}T00:00:00Z`) }
}
