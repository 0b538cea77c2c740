// Whoever is no member learns nothing, not even that there is something: the
// matrix of every operation below a project with everybody who has no business
// there. A project that one is no member of answers like one that never was, and
// another project's thing like a thing that never was, byte for byte.
//
// The matrix is made from the operations. Whoever adds one with a new kind of
// thing is asked here how such a thing is made.

import type { PlatformOperation } from '@petstore/contract/platform/operation'
import { platformOperations } from '@petstore/contract/platform/operations'
import { beforeAll, describe, expect, test } from 'vitest'
import { asOwner } from '../../../testbed/harness/database.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import {
  startTestPlatform,
  type PlatformOwner,
  type PersonClient,
  type TestPlatform,
} from '../../../testbed/harness/platform.ts'
import { scriptedDns } from '../../../testbed/harness/scripted-dns.ts'

const inside = platformOperations.filter(({ path }) => path.startsWith('/projects/{project}'))
const parametersOf = ({ path }: PlatformOperation) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter((name) => name !== 'project')
const pointing = inside.flatMap((operation) =>
  parametersOf(operation).map((name) => [operation.operationId, name, operation] as const),
)

const dns = scriptedDns()
let platform: TestPlatform
let north: PlatformOwner
let south: PlatformOwner
let stranger: PersonClient
/** One of each kind, in the north. */
const things: Record<string, string> = {}

beforeAll(async () => {
  platform = await startTestPlatform({ observe: dns.observe })
  north = await platform.owner('north-tenant')
  south = await platform.owner('south-tenant')
  stranger = await platform.signUp()
  for (const name of new Set(inside.flatMap(parametersOf))) things[name] = await makeFor(north, name)
})

test('There are operations and things to try', () => {
  expect(inside.length).toBeGreaterThan(30)
  expect(Object.keys(things)).toEqual(
    expect.arrayContaining(['petId', 'categoryId', 'orderId', 'keyId', 'importId', 'deploymentId', 'invitationId']),
  )
})

describe('A project that one is no member of answers like one that never was', () => {
  test.each(inside.map((operation) => [operation.operationId, operation] as const))('to %s', async (_, operation) => {
    const answers = [
      await fire(operation, stranger, north.slug, things),
      await fire(operation, south, north.slug, things),
      await fire(operation, south, 'never-was', things),
      await fire(operation, stranger, 'never-was', things),
    ]
    for (const answer of answers) expect(shown(answer)).toEqual(shown(answers[0]))
    expect(answers[0]?.status).toBe(404)
    // So there was something that could have been told: its owner is let in, and refused for what is wrong.
    const own = await fire(operation, north, north.slug, things, '?never_a_parameter=1')
    expect([own.status, own.text]).toEqual([400, expect.stringContaining('"unknown_parameter"')])
  })
})

/** An answer that goes on for as long as somebody listens: its head is enough. */
const endless = new Set(['watchDomain', 'watchProject'])

/** Where a name is given, not asked for: there nothing can be missing. */
const giving: Record<string, string> = {
  'renameCategory categoryId': 'names an identifier that animals may carry already, in this project alone',
  'putImportPart number': 'a part is sent, and its number is part of what is sent',
}

describe("Another project's thing answers like a thing that never was", () => {
  test.each(pointing)('to %s, pointed at by %s', async (operationId, name, operation) => {
    const own: Record<string, string> = {}
    for (const other of parametersOf(operation)) own[other] = await makeFor(south, other)
    const foreign = await makeFor(north, name)
    const never = neverOf(foreign)
    const isGiving = `${operationId} ${name}` in giving
    const [ofNorth, ofNobody] = [
      await fire(operation, south, south.slug, { ...own, [name]: foreign }),
      await fire(operation, south, south.slug, { ...own, [name]: never }),
    ]
    expect(ofNorth.status === 404).toBe(!isGiving)
    if (isGiving) expect(shown(ofNorth, foreign)).toEqual(shown(ofNobody, never))
    else expect(shown(ofNorth)).toEqual(shown(ofNobody))
    // So it was there, and could have been found.
    const there: Record<string, string> = {}
    for (const other of parametersOf(operation)) there[other] = other === name ? foreign : await makeFor(north, other)
    const found = await fire(
      endless.has(operationId) ? { ...operation, method: 'HEAD' } : operation,
      north,
      north.slug,
      there,
    )
    expect(found.status).not.toBe(404)
  })
})

/** With a body that is right, so that nothing but the place can be refused. */
function fire(
  operation: Omit<PlatformOperation, 'method'> & { method: string },
  by: PersonClient,
  slug: string,
  values: Record<string, string>,
  query = '',
): Promise<Received> {
  const { method, path, body } = operation
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'project' ? slug : (values[name] ?? '')))
  if (!body) return by.send(method, `${target}${query}`)
  if ('schema' in body) return by.send(method, `${target}${query}`, exampleOf(operation))
  return by.send(method, `${target}${query}`, 'name,categoryId\r\n', { 'Content-Type': body.types[0] ?? '' })
}

function exampleOf({ body }: Pick<PlatformOperation, 'body'>): Record<string, unknown> {
  if (!body || !('schema' in body)) return {}
  const [example] = Object.values(body.examples) as { value: Record<string, unknown> }[]
  return { ...example?.value }
}

/** All that is answered but what is different in every answer: its time, its name, and how many there were. */
function shown(answer: Received | undefined, id?: string): unknown {
  const changing = new Set(['date', 'request-id'])
  const headers: string[] = []
  const raw = answer?.rawHeaders ?? []
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? ''
    const value = (raw[index + 1] ?? '').replace(/;r=\d+;t=\d+/, '').replace(/W\/"[\w-]+"/, 'tag')
    if (!changing.has(name.toLowerCase()))
      headers.push(`${name}: ${name.toLowerCase() === 'content-length' && id ? '' : value}`)
  }
  const text = answer?.text ?? ''
  return { status: answer?.status, headers, text: id === undefined ? text : text.replace(`"id":${id}`, '"id":0') }
}

/** Of the same form, and nobody's. */
const neverOf = (id: string): string =>
  /^\d+$/.test(id) ? String(BigInt(id) + 50_000n) : id.replace(/[0-9a-f]{8}$/, '00000000')

let count = 0

/** A thing of the kind that a path parameter points at: by the operation that adds to its collection, or by hand. */
async function makeFor(owner: PlatformOwner, name: string): Promise<string> {
  const byHand = madeByHand[name]
  if (byHand) return byHand(owner)
  const collection = inside
    .map(({ path }) => path)
    .find((path) => path.endsWith(`/{${name}}`))
    ?.replace(`/{${name}}`, '')
  const maker = inside.find(({ method, path }) => method === 'POST' && path === collection)
  if (!maker) throw new Error(`How is something made that {${name}} points at? Say it in madeByHand.`)
  count += 1
  const body = exampleOf(maker)
  const unique = typeof body['name'] === 'string' ? { ...body, name: `${body['name']} ${count}` } : body
  const sent = maker.body ? unique : undefined
  const answer = await owner.send('POST', maker.path.replace('{project}', owner.slug), sent)
  const [, text, digits] = /"id":(?:"([\w-]+)"|(-?\d+))/.exec(answer.text) ?? []
  const id = text ?? digits
  if (answer.status >= 300 || id === undefined) throw new Error(`${maker.operationId}: ${answer.status} ${answer.text}`)
  return id
}

const madeByHand: Record<string, (owner: PlatformOwner) => Promise<string>> = {
  number: async () => String((count += 1)),
  /** By hand, since the plan of a new project includes none. */
  async hostname(owner) {
    const hex = (count += 1).toString(16).padStart(8, '0')
    const hostname = `shop.example-${hex}`
    dns.tell(hostname, [`${hostname} A 192.0.2.1`], `example-${hex}`)
    await asOwner(platform.test.database, async (client) => {
      await client.query(`select set_config('petstore.projects', $1, false)`, [`{${owner.project}}`])
      await client.query(
        `insert into domains (project_id, id, hostname, token, token_generation, next_look_at)
         values ($1, $2, $3, $4, 0, now())`,
        [owner.project, `dom_${hex.repeat(3)}`, hostname, `petstore-verify=${'x'.repeat(28)}`],
      )
      // Of an earlier time, so that there is a removal to be shown.
      await client.query(
        `insert into domains (project_id, id, hostname, ownership, removed_at, token, token_generation)
         values ($1, $2, $3, 'released', now(), $4, 0)`,
        [owner.project, `dom_f${hex.repeat(3).slice(1)}`, hostname, `petstore-verify=${'y'.repeat(28)}`],
      )
    })
    return hostname
  },
  /** Visitors of the site place orders, not members. */
  async orderId(owner) {
    const pet = await makeFor(owner, 'petId')
    return asOwner(platform.test.database, async (client) => {
      await client.query(`select set_config('petstore.projects', $1, false)`, [`{${owner.project}}`])
      const { rows } = await client.query<{ id: string }>(
        `insert into orders (project_id, pet_id, status) values ($1, $2, 'placed') returning id`,
        [owner.project, pet],
      )
      return rows[0]?.id ?? ''
    })
  },
  async accountId(owner) {
    const helper = await platform.signUp('Jonas')
    const invited = await owner.send('POST', `/projects/${owner.slug}/invitations`, { role: 'viewer' })
    const { secret } = JSON.parse(invited.text) as { secret: string }
    const accepted = await helper.send('POST', '/invitations/accept', { secret })
    if (accepted.status !== 200) throw new Error(`acceptInvitation: ${accepted.status} ${accepted.text}`)
    return helper.id
  },
}
