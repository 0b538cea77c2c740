// The real service for a test file that uses `/platform/v1`: two people who own a project each,
// and others whom a test signs up. It ends with the test file.

import { Slots } from '../../server/src/foundation/load/slots.io.ts'
import type { ProjectId } from '../../server/src/projects/scope.io.ts'
import * as directory from '../../server/src/projects/directory.io.ts'
import { exchange, type Received, type RawRequest } from './http.ts'
import { inviteTo } from './session.ts'
import { startTestService, type TestService, type TestServiceOptions } from './service.ts'

/** As configured: the origin that the dashboard's requests carry. */
export const DASHBOARD = 'https://api.petstore.example'
export const PASSWORD = 'seven otters juggle lanterns'
export const PLATFORM = '/platform/v1'

export type PlatformJson = Record<string, unknown>

export type Visitor = {
  /** Paths are relative to `/platform/v1`; a body other than a string or bytes is sent as JSON. */
  send(method: string, path: string, body?: unknown, headers?: RawRequest['headers']): Promise<Received>
}
export type PersonClient = Visitor & { id: string; email: string; cookie: string }
export type PlatformOwner = PersonClient & { slug: string; project: ProjectId }

export type TestPlatform = {
  test: TestService
  anyone: Visitor
  /** The secret of a link with which this address signs up. */
  invited: (email: string) => Promise<string>
  signUp(name?: string): Promise<PersonClient>
  /** A new person with a new project. */
  owner(slug?: string): Promise<PlatformOwner>
}

let people = 0

export async function startTestPlatform(options: TestServiceOptions = {}): Promise<TestPlatform> {
  const generous = Object.fromEntries(
    ['PER_ACCOUNT', 'PER_VISITOR', 'SIGN_INS_PER_ADDRESS', 'SIGN_INS_PER_ACCOUNT'].map((name) => [
      `RATE_LIMIT_${name}`,
      '1000000',
    ]),
  )
  const test = await startTestService({ ...options, env: { ...generous, ...options.env } })
  const sender = (own: RawRequest['headers']): Visitor['send'] => {
    return (method, path, body, headers = {}) => {
      const isRaw = typeof body === 'string' || body instanceof Uint8Array
      return exchange(test.origin, {
        method,
        path: `${PLATFORM}${path}`,
        ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body, withBigInts) }),
        headers: { ...own, ...(body !== undefined && !isRaw && { 'Content-Type': 'application/json' }), ...headers },
      })
    }
  }
  // All sign-ups of a test come from one address group, of which few may wait for the hash of their password.
  const slots = new Slots(3)
  const signUp = async (name = 'Mia'): Promise<PersonClient> => {
    people += 1
    const email = `person-${people}@petstore.example`
    const secret = await invited(email)
    const answer = await slots.run(() => sender({})('POST', '/accounts', { secret, password: PASSWORD, name }))
    if (answer.status !== 201) throw new Error(`sign-up failed: ${answer.status} ${answer.text}`)
    const cookie = cookieOf(answer)
    return { id: (JSON.parse(answer.text) as { id: string }).id, email, cookie, send: as(cookie) }
  }
  const invited = (email: string) => inviteTo(test.service.database, email)
  const as = (cookie: string) => sender({ Cookie: cookie, Origin: DASHBOARD })
  return {
    test,
    anyone: { send: sender({}) },
    invited,
    signUp,
    owner: async (slug = `store-${(people += 1)}`) => {
      const person = await signUp()
      const answer = await person.send('POST', '/projects', { slug, name: slug })
      if (answer.status !== 201) throw new Error(`no project: ${answer.status} ${answer.text}`)
      const project = await directory.findSlug(test.service.database.run, slug)
      if (project === undefined) throw new Error('the project is not in the directory')
      return { ...person, slug, project }
    },
  }
}

/** The cookies that a response sets, as a browser would send them back. */
export function cookiesIn({ headers }: Pick<Received, 'headers'>): string[] {
  const set = headers['set-cookie']
  return (Array.isArray(set) ? set : [set ?? '']).map((cookie) => cookie.split(';', 1)[0] ?? '')
}

/** The cookie of the session that a response begins. */
export const cookieOf = (answer: Received): string =>
  cookiesIn(answer).find((cookie) => cookie.startsWith('__Host-petstore=')) ?? ''

const withBigInts = (_: string, value: unknown) =>
  typeof value === 'bigint' ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(value)) : value
