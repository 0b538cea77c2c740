// Queries for requests to sign up, and for the links that lead to a new account.

import { statement, queryFirst, queryAny, type Db } from '../../foundation/postgres/postgres.io.ts'
import { keyOf, type AccountId } from '../account-queries.ts'

export type SignUpRequestRow = { id: string; email: string; isInvited: boolean }

const insertRequestRow = statement<never, [id: string, email: string, isInvited: boolean, hours: number]>(
  'insert-sign-up-request',
  `insert into sign_up_requests (id, email, is_invited, expires_at)
   values ($1, $2, $3, now() + make_interval(hours => $4))`,
)

export const insertSignUpRequest = (db: Db, { id, email, isInvited, hours }: SignUpRequestRow & { hours: number }) =>
  db(insertRequestRow, id, email, isInvited, hours)

export const findSignUpRequest = queryFirst<SignUpRequestRow, [id: string]>(
  'find-sign-up-request',
  `select id, email, is_invited as "isInvited"
   from sign_up_requests
   where id = $1`,
)

/** The address that a link is for, and whether its mailbox received the link. */
export type SignUpLink = { request: string; email: string; isMailed: boolean }

export const findSignUpLink = queryFirst<SignUpLink, [digest: Buffer]>(
  'find-sign-up-link',
  `select sign_up_requests.id as request, email, mail_id is not null as "isMailed"
   from sign_up_links
     join sign_up_requests on sign_up_requests.id = request_id
   where digest = $1 and expires_at > now()`,
)

/** True for one of several that use a link of the request at once. */
export const endSignUpRequest = queryAny<[request: string]>(
  'end-sign-up-request',
  `delete from sign_up_requests
   where id = $1
   returning id`,
)

const moveAddressRow = statement<{ id: AccountId }, [emailKey: string, to: AccountId | null]>(
  'move-unverified-address',
  `update accounts
   set email = id || '@moved.invalid', email_key = id || '@moved.invalid'
   where email_key = $1 and verified_at is null and id is distinct from $2
   returning id`,
)

/**
 * Takes an address that was proved by another person, who may have an account, from the account that never proved it;
 * undefined if there is none.
 */
export const moveAddress = async (db: Db, email: string, to: AccountId | null): Promise<AccountId | undefined> =>
  (await db(moveAddressRow, keyOf(email), to))[0]?.id

/** Whether the account has lost its address, so that no mail can reach it. */
export const isMoved = (email: string): boolean => email.endsWith('@moved.invalid')
