// Tenancy of `/platform/v1`: people who are not members learn nothing, not even that
// something exists. The matrix covers every operation below a project with every kind of
// caller without access. A project of others is answered like one that never existed, and
// another project's resource like a resource that never existed, byte for byte.
//
// The matrix is generated from the operations. A developer who adds one with a new kind of
// resource has to add here how it is created.

import type { PlatformOperation } from '@petstore-platform/contract/platform/operation'
import { platformOperations } from '@petstore-platform/contract/platform/operations'
import { beforeAll, describe, expect, test } from 'vitest'
import { asOwner } from '../../../testbed/harness/database.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import {
  startTestPlatform,
  type PlatformOwner,
  type PersonClient,
  type TestPlatform,
} from '../../../testbed/harness/platform.ts'
import { exampleOf, requestOf } from '../../../testbed/harness/operation-request.ts'
import { scriptedDns } from '../../../testbed/harness/scripted-dns.ts'
import { invitationSecret } from '../../../testbed/harness/session.ts'

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

test('There are operations and resources to try', () => {
  expect(inside.length).toBeGreaterThan(30)
  expect(Object.keys(things)).toEqual(
    expect.arrayContaining(['petId', 'categoryId', 'orderId', 'keyId', 'importId', 'deploymentId', 'invitationId']),
  )
})

describe('A project of others is answered like one that never existed', () => {
  test.each(inside.map((operation) => [operation.operationId, operation] as const))('to %s', async (_, operation) => {
    const answers = [
      await fire(operation, stranger, north.slug, things),
      await fire(operation, south, north.slug, things),
      await fire(operation, south, 'never-was', things),
      await fire(operation, stranger, 'never-was', things),
    ]
    for (const answer of answers) expect(shown(answer)).toEqual(shown(answers[0]))
    expect(answers[0]?.status).toBe(404)
    // So there was something to reveal: its owner is let in, and refused for the invalid parameter.
    const own = await fire(operation, north, north.slug, things, '?never_a_parameter=1')
    expect([own.status, own.text]).toEqual([400, expect.stringContaining('"unknown_parameter"')])
  })
})

/** Operations that are given a name instead of looking one up: there nothing can be missing. */
const giving: Record<string, string> = {
  'renameCategory categoryId': 'names an identifier that animals may carry already, in this project alone',
  'putImportPart number': 'a part is sent, and its number is part of what is sent',
  'getPhotoFile file': 'the name of a file, which is the same in every project',
  'putImportCell row': 'the number of a row, which is the same in every project',
  'putImportCell column': 'the position of a column, which is the same in every project',
}

describe("Another project's resource is answered like one that never existed", () => {
  test.each(pointing)('to %s, referenced by %s', async (operationId, name, operation) => {
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
    // So it existed, and could have been found.
    const there: Record<string, string> = {}
    for (const other of parametersOf(operation)) there[other] = other === name ? foreign : await beside(foreign, other)
    const found = await fire(operation, north, north.slug, there)
    expect(found.status).not.toBe(404)
  })
})

/** Sends a valid body, so that only the path can be refused. */
function fire(
  operation: Omit<PlatformOperation, 'method'> & { method: string },
  by: PersonClient,
  slug: string,
  values: Record<string, string>,
  query = '',
): Promise<Received> {
  const { path, body, headers } = requestOf(operation, { ...values, project: slug })
  return by.send(operation.method, `${path}${query}`, body, headers)
}

/** The response without what differs in every one: its time, its id, and the request counts. */
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

/** Of the same form, and unassigned. */
const neverOf = (id: string): string =>
  /^\d+$/.test(id) ? String(BigInt(id) + 50_000n) : id.replace(/[0-9a-f]{8}$/, '00000000')

let count = 0

/** The animals of photos: a photo is found below its own alone. */
const animalOf = new Map<string, string>()

/** Something of the north with which the resource can be found. */
const beside = async (resource: string, name: string): Promise<string> =>
  (name === 'petId' ? animalOf.get(resource) : undefined) ?? (await makeFor(north, name))

/** A resource of the kind of a path parameter: by the operation that adds to its collection, or by hand. */
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
  row: async () => '2',
  column: async () => '0',
  /** Discarded at once, since few may be unfinished; it is found all the same. */
  async importId(owner) {
    const made = await owner.send('POST', `/projects/${owner.slug}/imports`, { onBadLine: 'skip', isReviewed: true })
    const { id } = made.json as { id: string }
    await owner.send('DELETE', `/projects/${owner.slug}/imports/${id}`)
    return id
  },
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
      // From an earlier time, so that there is a removal to show.
      await client.query(
        `insert into domains (project_id, id, hostname, ownership, removed_at, token, token_generation)
         values ($1, $2, $3, 'released', now(), $4, 0)`,
        [owner.project, `dom_f${hex.repeat(3).slice(1)}`, hostname, `petstore-verify=${'y'.repeat(28)}`],
      )
    })
    return hostname
  },
  /** Visitors to the site place orders, not members. */
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
  file: async () => '1-320.webp',
  digest: async (owner) => (await makePhoto(owner)).digest,
  photoId: async (owner) => (await makePhoto(owner)).id,
  async accountId(owner) {
    const helper = await platform.signUp('Jonas')
    const invitation = { email: helper.email, role: 'viewer' }
    const invited = await owner.send('POST', `/projects/${owner.slug}/invitations`, invitation)
    const secret = invitationSecret(invited.json)
    const accepted = await helper.send('POST', '/invitations/accept', { secret })
    if (accepted.status !== 200) throw new Error(`acceptInvitation: ${accepted.status} ${accepted.text}`)
    return helper.id
  },
}

/** Of the newest animal, ready and with a file: no worker runs here. */
async function makePhoto({ project }: PlatformOwner): Promise<{ id: string; digest: string }> {
  count += 1
  const [id, digest] = [`pho_${hex(24)}`, hex(64)]
  await asOwner(platform.test.database, async (client) => {
    await client.query(`select set_config('petstore.projects', $1, false)`, [`{${project}}`])
    const { rows } = await client.query<{ pet: string }>(
      `insert into photos (project_id, pet_id, id, position, state, upload, digest, recipe, widths, sizes, width, height)
       select $1, coalesce(max(pets.id), 1), $2, 1, 'ready', $3, $3, 1, '{320}', '{1}', 320, 240
       from pets where project_id = $1
       returning pet_id as pet`,
      [project, id, digest],
    )
    const key = `photos/${digest}/1-320.webp`
    await client.query(`insert into objects (project_id, key, bytes) values ($1, $2, $3)`, [project, key, 'x'])
    animalOf.set(id, rows[0]?.pet ?? '')
  })
  return { id, digest }
}

const hex = (length: number) => count.toString(16).padStart(length, '0')
