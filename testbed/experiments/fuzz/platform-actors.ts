// The actors of the fuzzer at `/platform/v1`: an owner with a project, a viewer in it, the
// owner's token, a stranger with a project of their own, and an anonymous client. Their
// permissions change during the run, since some requests succeed; so they can be checked, and a
// set of actors that has lost its permissions is replaced with a new one.

import { secretFrom } from '../../harness/inbox.ts'
import type { RequestDraft } from './draft.ts'

export const PREFIX = '/platform/v1'

export const roleNames = ['owner', 'token', 'viewer', 'stranger', 'nobody'] as const
export type RoleName = (typeof roleNames)[number]

export type Actors = {
  /** The credentials that each of them sends. */
  headers: Record<RoleName, RequestDraft['headers']>
  project: string
  /** Identifiers that exist, by the name of their path parameter. */
  known: Map<string, string[]>
}

const PASSWORD = 'seven otters juggle lanterns'
let names = 0
const newName = () => `fuzz-${process.pid}-${(names += 1)}`

/** Another network for each set of actors. */
const newAddress = () => `10.${(names >> 8) & 255}.${names & 255}.1`

export async function createActors(origin: string, inbox: string): Promise<Actors> {
  const from = ['X-Forwarded-For', newAddress()] as const
  const call = async (
    method: string,
    path: string,
    headers: RequestDraft['headers'],
    body: object,
  ): Promise<Response> => {
    const response = await fetch(`${origin}${PREFIX}${path}`, {
      method,
      headers: [
        ...headers.map(([name, value]): [string, string] => [name, value]),
        ['Content-Type', 'application/json'],
      ],
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${method} ${path} answers ${response.status} ${await response.text()}`)
    return response
  }
  const signUp = async (email = `${newName()}@petstore.example`): Promise<RequestDraft['headers']> => {
    await call('POST', '/sign-up', [from], { email })
    const secret = await secretFrom(inbox, email, '/sign-up')
    const response = await call('POST', '/accounts', [from], { secret, password: PASSWORD, name: 'Mia' })
    const cookie = response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
    return [
      from,
      ['Cookie', cookie],
      // True wherever the dashboard is served from.
      ['Sec-Fetch-Site', 'same-origin'],
    ]
  }
  const owner = await signUp()
  const project = newName()
  await call('POST', '/projects', owner, { slug: project, name: 'Fuzz' })
  const token = await call('POST', '/account/tokens', owner, { label: 'fuzz' })
  const email = `${newName()}@petstore.example`
  const viewer = await signUp(email)
  await call('POST', `/projects/${project}/invitations`, owner, { email, role: 'viewer' })
  await call('POST', '/invitations/accept', viewer, { secret: await secretFrom(inbox, email, '/invitations') })
  const stranger = await signUp()
  await call('POST', '/projects', stranger, { slug: newName(), name: 'Strange' })
  const bearer = `Bearer ${((await token.json()) as { token: string }).token}`
  return {
    headers: { owner, viewer, stranger, token: [from, ['Authorization', bearer]], nobody: [from] },
    project,
    known: new Map([
      ['project', [project]],
      ['number', ['1', '2']],
    ]),
  }
}

/** Whether all actors still have their permissions. */
export async function isWhole(origin: string, { headers, project }: Actors): Promise<boolean> {
  const roleOf = async (who: RoleName): Promise<string> => {
    const sent = headers[who].map(([name, value]): [string, string] => [name, value])
    const response = await fetch(`${origin}${PREFIX}/projects/${project}`, { headers: sent })
    return response.ok ? ((await response.json()) as { role: string }).role : String(response.status)
  }
  const found = await Promise.all((['owner', 'token', 'viewer', 'stranger'] as const).map(roleOf))
  return found.join() === 'owner,owner,viewer,404'
}

const KNOWN_MAX = 30

/** Records the identifiers in a response: the items of a collection can be addressed below it. */
export function remember({ known }: Actors, parameter: string, text: string): void {
  const list = known.get(parameter) ?? []
  for (const [, quoted, digits] of text.matchAll(/[[{,]"id":(?:"([\w-]+)"|(-?\d+))/g)) {
    const id = quoted ?? digits ?? ''
    if (!list.includes(id)) list.push(id)
  }
  known.set(parameter, list.slice(-KNOWN_MAX))
}
