// Queries for the audit events of accounts.

import type { AccountAction } from '@petstore-platform/contract/platform/account-audit'
import { statement, query, queryFirst, type Db } from '../foundation/postgres/postgres.io.ts'
import type { MailSubject } from '../mail/outbox-queries.ts'
import type { AccountId } from './account-queries.ts'

export type AccountActor = 'person' | 'operator' | 'visitor'

export type AccountEventRow = {
  id: bigint
  at: Date
  action: AccountAction
  actor: AccountActor
  device: string | null
  addressGroup: string | null
  /** Of an operator who gave a name. */
  by: string | null
}

export type NewAccountEvent = Pick<AccountEventRow, 'action' | 'actor' | 'device' | 'addressGroup'> & {
  account: AccountId
  subject: MailSubject
}

const insertEventRow = statement<
  { id: bigint },
  [
    account: AccountId,
    action: string,
    actor: string,
    device: string | null,
    addressGroup: string | null,
    subject: string,
  ]
>(
  'insert-account-event',
  `insert into account_audit (account_id, action, actor, device, address_group, subject)
   values ($1, $2, $3, $4, $5, $6::jsonb || named_operator())
   returning id`,
)

/** Returns its id. */
export async function insertEvent(db: Db, event: NewAccountEvent): Promise<bigint> {
  const { account, action, actor, device, addressGroup, subject } = event
  const [row] = await db(insertEventRow, account, action, actor, device, addressGroup, JSON.stringify(subject))
  return row?.id ?? 0n
}

const columns = `id, at, action, actor, device, address_group as "addressGroup", subject ->> 'by' as by`

export const findEvent = queryFirst<AccountEventRow, [account: AccountId, id: string]>(
  'find-account-event',
  `select ${columns}
   from account_audit
   where account_id = $1 and id = $2::bigint`,
)

/** The newest first. */
export const listEvents = query<AccountEventRow, [account: AccountId, most: number]>(
  'list-account-events',
  `select ${columns}
   from account_audit
   where account_id = $1
   order by id desc
   limit $2`,
)
