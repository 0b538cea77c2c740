// Clients of `/platform/v1` for the lines about signing in: strangers with an address each, and an owner with a device,
// a passkey and a mailbox.

import { Agent } from 'node:http'
import { newDevice, type CreationOptions, type Device, type RequestOptions } from '../harness/authenticator.ts'
import { exchange, type Received } from '../harness/http.ts'
import type { TestRelay } from '../harness/mail-relay.ts'
import { cookiesIn } from '../harness/platform.ts'
import { inviteTo } from '../harness/session.ts'
import type { Database } from '../../server/src/foundation/postgres/postgres.io.ts'
import { DASHBOARD_ORIGIN } from './processes.ts'

export const PASSWORD = 'seven otters juggle lanterns'

/** An address in a group and a network of its own. */
export const strangerAddress = (n: number): string => `10.${(n >> 8) & 255}.${n & 255}.1`

export type Post = (
  origin: string,
  path: string,
  body: object | undefined,
  headers?: Record<string, string>,
) => Promise<Received>

/** Posts JSON on connections that stay open. */
export function createClient(connections: number): { post: Post; close: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    post: (origin, path, body, headers = {}) =>
      exchange(
        origin,
        {
          method: 'POST',
          path: `/platform/v1${path}`,
          ...(body !== undefined && { body: JSON.stringify(body) }),
          headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
        },
        agent,
      ),
    close: () => agent.destroy(),
  }
}

/** Runs all of them, so many at a time. */
export async function inParallel<T>(atOnce: number, count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const lane = async () => {
    for (let n = next++; n < count; n = next++) results[n] = await work(n)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return results
}

export const waysIn = ['known device', 'passkey', 'mailed link'] as const
export type WayIn = (typeof waysIn)[number]

export type SafetyOwner = {
  id: string
  email: string
  /** Signs in at this process, each time from another of a few addresses that strangers use too. */
  signIn: (way: WayIn, origin: string) => Promise<Received>
}

/** With one, the limit of links that an address may request in a minute would end a hundred sign-ins in a row. */
const OWNER_ADDRESSES = 8

export async function createOwner(
  { post, database, relay }: { post: Post; database: Pick<Database, 'transaction'>; relay: TestRelay },
  origin: string,
): Promise<SafetyOwner> {
  const email = 'mia@happy-paws.example'
  let signIns = 0
  const fromNext = () => ({
    'X-Forwarded-For': strangerAddress(1 + (signIns++ % OWNER_ADDRESSES)),
    Origin: DASHBOARD_ORIGIN,
  })
  const atFirst = fromNext()
  const signedUp = await post(
    origin,
    '/accounts',
    { secret: await inviteTo(database, email), password: PASSWORD, name: 'Mia' },
    atFirst,
  )
  if (signedUp.status !== 201) throw new Error(`sign-up: ${signedUp.status} ${signedUp.text}`)
  const cookies = cookiesIn(signedUp)
  const device = cookies.find((cookie) => cookie.startsWith('__Host-petstore-device=')) ?? ''
  const phone = await addPasskey(post, origin, { ...atFirst, Cookie: cookies.join('; ') })
  const ways: Record<WayIn, (at: string, from: Record<string, string>) => Promise<Received>> = {
    'known device': (at, from) => post(at, '/session', { email, password: PASSWORD }, { ...from, Cookie: device }),
    passkey: async (at, from) => {
      const { json } = await post(at, '/session/passkey/options', undefined, from)
      const { challengeId, options } = json as { challengeId: string; options: RequestOptions }
      return post(at, '/session/passkey', { challengeId, response: phone.get(options) }, from)
    },
    'mailed link': async (at, from) => {
      const before = relay.received.length
      const requested = await post(at, '/sign-in-links', { email }, from)
      if (requested.status !== 202) return requested
      const secret = await secretAfter(relay, before)
      return post(at, '/session/link', { secret }, from)
    },
  }
  return { id: (signedUp.json as { id: string }).id, email, signIn: (way, at) => ways[way](at, fromNext()) }
}

async function addPasskey(post: Post, origin: string, headers: Record<string, string>): Promise<Device> {
  const phone = newDevice(DASHBOARD_ORIGIN)
  const prepared = await post(origin, '/account/passkeys/options', undefined, headers)
  const { options } = prepared.json as { options: CreationOptions }
  const added = await post(origin, '/account/passkeys', { label: 'Phone', response: phone.create(options) }, headers)
  if (added.status !== 201) throw new Error(`no passkey: ${added.status} ${added.text}`)
  return phone
}

/** Waits for the next mail with a link that signs in; other mails may come before it. */
async function secretAfter(relay: TestRelay, before: number): Promise<string> {
  for (let count = before + 1; ; count++) {
    await relay.arrived(count)
    const { text = '' } = (await relay.received[count - 1]?.read()) ?? {}
    const [, secret] = /\/sign-in-link#([\w-]{43})$/m.exec(text) ?? []
    if (secret !== undefined) return secret
  }
}
