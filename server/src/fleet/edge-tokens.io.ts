// Enrolment tokens of edges, and their revocation. A token is shown once, and only its digest is stored. It enrols one
// edge with its public keys within 15 minutes and is of no use afterwards. If it is presented again, or too late, that is
// refused and shown to the operator: either the edge has lost its disk, or the token has leaked.

import type { Context } from '../foundation/context.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { MINUTE, SECOND } from '../foundation/time.ts'
import { enrolKeys, insertEdge, markMisused, markRevoked, type NewEdge } from './directory.io.ts'
import type { EdgeKeys } from './protocol.ts'
import { tokenDigest, tokenOf } from './token-format.ts'

const nameForm = /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/
export const ENROLMENT_MS = 15 * MINUTE

/** The token is returned here and nowhere else. The name of a revoked edge may be reused. */
export async function addEdge(
  { run, newId, randomBytes }: Pick<Context, 'newId' | 'randomBytes'> & { run: Db },
  name: string,
  more: Partial<Pick<NewEdge, 'servesApi' | 'takesOver' | 'enrolmentSeconds'>> = {},
): Promise<{ id: string; token: string }> {
  if (!nameForm.test(name)) {
    throw new Refusal(
      'invalid_field',
      'The name of an edge must have 1 to 63 lower-case letters, digits, dots and hyphens.',
    )
  }
  const id = newId('edg')
  const token = tokenOf(randomBytes(32))
  const enrolmentSeconds = ENROLMENT_MS / SECOND
  if (!(await insertEdge(run, { id, name, digest: tokenDigest(token), enrolmentSeconds, ...more }))) {
    throw new Refusal('invalid_field', `An edge with the name ${name} already exists. Revoke it first.`)
  }
  return { id, token }
}

/** The token of an edge was presented too late, or after it had been used. */
export type Misuse = { name: string; isEnrolled: boolean }

/** The id of the edge; `undefined` if there is no such token. */
export async function enrolEdge(
  run: Db,
  token: string,
  keys: EdgeKeys,
): Promise<{ id: string } | { misuse: Misuse } | undefined> {
  const digest = tokenDigest(token)
  const id = await enrolKeys(run, digest, keys)
  if (id !== undefined) return { id }
  const misuse = await markMisused(run, digest)
  return misuse && { misuse }
}

export async function revokeEdge({ run }: { run: Db }, name: string) {
  const revoked = await markRevoked(run, name)
  if (!revoked) throw new Refusal('not_found', `There is no edge with the name ${name}.`)
  return { ...revoked, name }
}
