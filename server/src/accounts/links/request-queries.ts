// Queries for what is requested by entering an address: a link, or a notice. The worker that sends the mail finds out
// whether the address has an account.
//
// Of each link there is one request for an address. It stands as long as the link that was mailed for it can be valid; so
// strangers who request links neither fill the mailbox nor keep its owner from having one that works.

import { statement, query, queryFirst, type Db } from '../../foundation/postgres/postgres.io.ts'
import type { AccountId, AccountRow } from '../account-queries.ts'

export type RequestedLink = 'recovery' | 'sign_in'

/** For a notice. */
export const insertRequest = query<never, [id: string, emailKey: string]>(
  'insert-recovery-request',
  `insert into recovery_requests (id, email_key)
   values ($1, $2)`,
)

const openRequestRow = statement<{ id: string }, [id: string, emailKey: string, link: RequestedLink, minutes: number]>(
  'open-recovery-request',
  `insert into recovery_requests as open (id, email_key, purpose)
   values ($1, $2, $3)
   on conflict (email_key, purpose) do update
   set id = excluded.id, created_at = excluded.created_at
   where open.created_at <= now() - make_interval(mins => $4)
   returning id`,
)

/** False if an earlier one stands, of fewer minutes ago. */
export const openRequest = async (
  db: Db,
  { id, emailKey, link, minutes }: { id: string; emailKey: string; link: RequestedLink; minutes: number },
): Promise<boolean> => (await db(openRequestRow, id, emailKey, link, minutes)).length > 0

const endRequestRows = statement<never, [account: AccountId, links: readonly RequestedLink[]]>(
  'end-recovery-requests',
  `delete from recovery_requests
   where email_key = (
     select email_key
     from accounts
     where id = $1
   ) and purpose = any ($2)`,
)

/** Wherever the links of the account have ended, or it has another address: the next request is mailed again. */
export const endRequests = (db: Db, account: AccountId, links: readonly RequestedLink[] = ['recovery', 'sign_in']) =>
  db(endRequestRows, account, links)

/** Also those of notices. */
export const forgetRequests = query<never, [account: AccountId]>(
  'forget-recovery-requests',
  `delete from recovery_requests
   where email_key = (
     select email_key
     from accounts
     where id = $1
   )`,
)

/** The account that a request is about; undefined if its address has none. */
export const findRequested = queryFirst<Pick<AccountRow, 'id' | 'email' | 'language'>, [request: string]>(
  'find-requested-account',
  `select accounts.id, email, language
   from recovery_requests
     join accounts using (email_key)
   where recovery_requests.id = $1`,
)

/** The first change that took the address from an account; undefined if there is none that can be undone. */
export const findReplaced = query<{ change: string }, [request: string], string | undefined>(
  'find-requested-email-change',
  `select email_changes.id as change
   from recovery_requests
     join email_changes on old_email_key = email_key
   where recovery_requests.id = $1 and confirmed_at is not null
   order by confirmed_at
   limit 1`,
  ([row]) => row?.change,
)
