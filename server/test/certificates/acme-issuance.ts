// Issues a certificate through the port's single calls, from an order to a chain, as a
// worker does. A step whose nonce was rejected is repeated; every other problem is thrown.

import { generateKeyPairSync } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { ChallengeServer } from '../../../testbed/internet/challenge-server.ts'
import { openAcme, type AcmeOptions } from '../../src/foundation/acme/client.io.ts'
import type { Acme, AcmeAuthorization, AcmeOrder, AcmeProblem, AcmeResult } from '../../src/foundation/acme/port.ts'

export const newKeyPem = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'pkcs8' })

/** Already registered, unless the options name an account. */
export async function openAccount(options: Pick<AcmeOptions, 'directoryUrl'> & Partial<AcmeOptions>): Promise<Acme> {
  const acme = openAcme({
    authority: 'pebble',
    accountKeyPem: newKeyPem(),
    accountUrl: null,
    contact: 'mailto:owner@petstore.test',
    timeoutMs: 10_000,
    ...options,
  })
  if (options.accountUrl === undefined) await step(() => acme.register())
  return acme
}

export class AcmeCalls extends Error {
  readonly problem: AcmeProblem
  constructor(problem: AcmeProblem) {
    super(`${problem.type}: ${problem.detail}`)
    this.problem = problem
  }
}

/** Throws the authority's problem, unless it is about a nonce. */
export async function step<T>(ask: () => Promise<AcmeResult<T>>): Promise<T> {
  for (;;) {
    const result = await ask()
    if (result.ok) return result.value
    if (result.problem.type !== 'badNonce') throw new AcmeCalls(result.problem)
  }
}

export async function problemOf<T>(asking: Promise<AcmeResult<T>>): Promise<AcmeProblem> {
  const result = await asking
  if (result.ok) throw new Error('The authority did as it was asked.')
  return result.problem
}

export type Issued = { chainPem: string; keyPem: string; order: AcmeOrder; wasValid: boolean }

export async function issue(acme: Acme, hostname: string, website: ChallengeServer): Promise<Issued> {
  const placed = await step(() => acme.placeOrder(hostname, { replaces: null }))
  const { wasValid } = await authorize(acme, placed, hostname, website)
  const ready = await settled(() => acme.readOrder(placed.url), ['ready', 'valid', 'invalid'])
  if (ready.status === 'invalid') throw new Error('The order is invalid.')
  const keyPem = newKeyPem()
  const finalized = await step(() => acme.finalize(ready, hostname, keyPem))
  const order =
    finalized.status === 'valid' ? finalized : await settled(() => acme.readOrder(placed.url), ['valid', 'invalid'])
  const { chainPem } = await step(() => acme.download(order.certificate ?? ''))
  return { chainPem, keyPem, order, wasValid }
}

/** Throws the authority's finding if the authorization is not valid. */
export async function authorize(
  acme: Acme,
  { authorizations: [url = ''] }: AcmeOrder,
  hostname: string,
  website: ChallengeServer,
): Promise<{ authorization: AcmeAuthorization; wasValid: boolean }> {
  const before = await step(() => acme.readAuthorization(url, 'http-01'))
  const { challenge } = before
  if (before.status === 'valid' || challenge === null) return { authorization: before, wasValid: true }
  website.put(hostname, challenge.token, challenge.keyAuthorization)
  await step(() => acme.answerChallenge(challenge))
  const authorization = await settled(() => acme.readAuthorization(url, 'http-01'), ['valid', 'invalid'])
  if (authorization.challenge?.problem) throw new AcmeCalls(authorization.challenge.problem)
  return { authorization, wasValid: false }
}

/** Polls a little more often than a worker would. */
async function settled<T extends { status: string }>(
  read: () => Promise<AcmeResult<T>>,
  states: readonly T['status'][],
): Promise<T> {
  const end = performance.now() + 15_000
  for (;;) {
    const value = await step(read)
    if (states.includes(value.status)) return value
    if (performance.now() > end) throw new Error(`It stayed ${value.status}.`)
    await pause(20)
  }
}
