// Invites a person to sign up: creates the link that an operator passes on. Tests and the demo
// create their accounts by it.

import type { Context } from '../../foundation/context.ts'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import { createLink } from './links.io.ts'
import { insertSignUpRequest } from './sign-up-queries.ts'

export const INVITED_HOURS = 7 * 24

/** Returns the secret of the link. Needs a transaction. */
export async function inviteAccount(
  db: Db,
  context: Pick<Context, 'newId' | 'randomBytes'>,
  email: string,
): Promise<string> {
  const { newId, randomBytes } = context
  const id = newId('sup')
  await insertSignUpRequest(db, { id, email, isInvited: true, hours: INVITED_HOURS })
  return createLink(db, randomBytes, { purpose: 'sign_up', request: id, mail: null })
}
