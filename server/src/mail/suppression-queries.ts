// Queries for the addresses that no mail is sent to. They are stored by digest: a list of them
// gives no address away.

import { digestOf } from '../foundation/key-format.ts'
import { statement, query, type Db } from '../foundation/postgres/postgres.io.ts'
import { addressKey } from '../foundation/smtp/address.ts'

/** `all`: mail came back. `optional`: what can be turned off, after a complaint. */
export type SuppressionScope = 'all' | 'optional' | 'invitations'

export const addressDigest = (address: string): Buffer => digestOf(addressKey(address))

const findSuppressionRow = statement<{ scope: SuppressionScope }, [digest: Buffer, scopes: string[]]>(
  'find-suppression',
  `select scope
   from mail_suppressions
   where digest = $1 and scope = any ($2::text[])
   limit 1`,
)

/** Whether a mail with this topic must not be sent there; without a topic, it cannot be turned off. */
export async function isSuppressed(db: Db, digest: Buffer, topic: string | undefined): Promise<boolean> {
  const optional = topic === undefined ? [] : ['optional']
  const scopes = ['all', ...optional, ...(topic === 'invitations' ? ['invitations'] : [])]
  return (await db(findSuppressionRow, digest, scopes)).length > 0
}

export const suppress = query<never, [digest: Buffer, scope: SuppressionScope, reason: string]>(
  'suppress-address',
  `insert into mail_suppressions (digest, scope, reason)
   values ($1, $2, $3)
   on conflict (digest, scope) do update
   set reason = excluded.reason, created_at = now()`,
)

export type SuppressionRow = { digest: Buffer; scope: SuppressionScope; reason: string; createdAt: Date }

/** The newest first. */
export const listSuppressions = query<SuppressionRow, [most: number]>(
  'list-suppressions',
  `select digest, scope, reason, created_at as "createdAt"
   from mail_suppressions
   order by created_at desc, digest, scope
   limit $1`,
)

const endSuppressionRows = statement<{ scope: SuppressionScope }, [digest: Buffer, scopes: string[]]>(
  'end-suppressions',
  `delete from mail_suppressions
   where digest = $1 and scope = any ($2::text[])
   returning scope`,
)

/** For an address that was proved again, or that an operator releases. */
export const endSuppressions = async (db: Db, digest: Buffer, scopes: readonly SuppressionScope[]) =>
  (await db(endSuppressionRows, digest, [...scopes])).map(({ scope }) => scope)

/** The person has shown that mail arrives there. What else they have asked for, such as no invitations, remains. */
export const endProvedSuppressions = (db: Db, email: string) =>
  endSuppressions(db, addressDigest(email), ['all', 'optional'])
