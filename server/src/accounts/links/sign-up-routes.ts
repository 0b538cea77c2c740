// Routes for signing up on `/platform/v1`. A request for a link runs the same statements for every
// address; the worker that sends the mail decides what it says. Only with a link does an account
// come into being.

import * as contract from '@petstore-platform/contract/platform/sign-up'
import type { SignUpMode } from '@petstore-platform/contract/platform/sign-up'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../foundation/http/operation.io.ts'
import { digestOf } from '../../foundation/key-format.ts'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import type { AccountPlatform } from '../account-platform.ts'
import { insertAccount, keyOf } from '../account-queries.ts'
import { refuseUnusableEmail } from '../refuse-unusable-email.ts'
import { isSecret } from '../sessions/guard.io.ts'
import { mayBeMailed, notWorking, takeAddress } from './links.io.ts'
import { endRequests } from './request-queries.ts'
import { accountJson, beginSession } from '../sign-in/sign-in.io.ts'
import { endSignUpRequest, findSignUpLink, insertSignUpRequest } from './sign-up-queries.ts'

/** The address of the new account, the request that ends with it, and the project that it is invited to. */
type Admission = { email: string; isProved: boolean; request: string | undefined; about: readonly string[] }

type Invitation = { email: string; isMailed: boolean; projectName: string }

/** `findInvitation`: the open invitation to a project that has this secret. */
export function signUpRoutes(
  app: FastifyInstance,
  platform: AccountPlatform,
  mode: SignUpMode,
  findInvitation: (secret: string) => Promise<Invitation | undefined>,
): void {
  const { database, passwords, newId, attempts, record, queueMail, open } = platform
  const transaction = <T>(work: (db: Db) => Promise<T>) => database.transaction({}, work)

  mount(app, contract.getSignUp, open, () =>
    Promise.resolve({ json: JSON.stringify({ mode, sendsMail: queueMail !== undefined }) }),
  )

  mount(app, contract.requestSignUp, open, async ({ caller, body: { email } }) => {
    await attempts.count(attempts.allowances.signUp(caller.address))
    if (!queueMail) throw new Refusal('mail_unavailable')
    refuseUnusableEmail(email)
    await transaction(async (db) => {
      if (!(await mayBeMailed(db, 'sign_up', keyOf(email)))) return
      const id = newId('sup')
      await insertSignUpRequest(db, { id, email, isInvited: false, hours: contract.SIGN_UP_HOURS })
      await queueMail(db, { kind: 'sign_up', recipient: id })
    })
    return { json: JSON.stringify({ linkHours: contract.SIGN_UP_HOURS }) }
  })

  const admissionOf = async (secret: string, email: string | undefined): Promise<Admission> => {
    const link = isSecret(secret) ? await findSignUpLink(database.run, digestOf(secret)) : undefined
    if (link) {
      if (email !== undefined) throw new Refusal('invalid_field', "'email' is that of the link; leave it out.")
      return { email: link.email, isProved: link.isMailed, request: link.request, about: [] }
    }
    const invitation = mode === 'closed' ? undefined : await findInvitation(secret)
    const about = invitation ? [invitation.projectName] : []
    if (invitation?.isMailed) {
      if (email !== undefined) throw new Refusal('invalid_field', "'email' is that of the invitation; leave it out.")
      return { email: invitation.email, isProved: true, request: undefined, about }
    }
    // With mail, an address is proved before it has an account.
    if (!invitation || queueMail) throw notWorking()
    if (email === undefined) throw new Refusal('missing_field', "'email' is required with an invitation.")
    refuseUnusableEmail(email)
    return { email, isProved: false, request: undefined, about }
  }

  mount(app, contract.signUp, open, async ({ caller, body }) => {
    const { email, isProved, request, about } = await attempts.countFailure(
      attempts.allowances.signUp(caller.address),
      () => admissionOf(body.secret, body.email),
    )
    // A password is hashed only for a link that works: that takes a while.
    const turn = { isKnown: false, group: caller.address }
    const password = await passwords.choose(body.password, {
      field: 'password',
      about: [email, body.name, ...about],
      turn,
    })
    return transaction(async (db) => {
      if (request !== undefined && !(await endSignUpRequest(db, request))) throw notWorking()
      if (isProved) await takeAddress(db, record, email, null)
      const created = { id: newId('acc'), email, name: body.name, password, isVerified: isProved }
      const account = await insertAccount(db, created)
      if (!account) throw new Refusal('email_taken')
      const { id } = account
      // Before, there was no account for which a link could be mailed.
      await endRequests(db, id)
      const beginning = { account: id, password, visitor: caller, isProved: true, isFirst: true } as const
      const { cookies } = await beginSession(db, platform, beginning)
      await record(db, { account: id, action: 'signed_up', actor: 'person', from: caller })
      return { json: accountJson(account), headers: { 'Set-Cookie': cookies } }
    })
  })
}
