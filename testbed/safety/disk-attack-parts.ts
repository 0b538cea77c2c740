// The parts of the attack on the disk: each repeats what belongs together, so that every operation finds what it needs,
// with the longest texts that are accepted, in four bytes a character.

import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { platformOperations } from '@petstore-platform/contract/platform/operations'
import {
  ANSWERS_MAX,
  ANSWER_LENGTH_MAX,
  ORDER_MESSAGE_LENGTH_MAX,
  QUESTION_LENGTH_MAX,
  VISITOR_NAME_LENGTH_MAX,
} from '@petstore-platform/contract/platform/orders'
import { newDevice, type CreationOptions, type RequestOptions } from '../harness/authenticator.ts'
import type { Received } from '../harness/http.ts'
import { exampleOf } from '../harness/operation-request.ts'
import { fillers, idOf, type FreeShop } from './free-shop.ts'
import { DASHBOARD_ORIGIN } from './processes.ts'

type Values = Readonly<Record<string, string>>
type Sending = { values?: Values; body?: object | string | Buffer; headers?: Record<string, string> }

export type Attacker = FreeShop & {
  /** Of its projects in turn; those that it deletes are replaced. */
  target: () => string
  replaceTarget: () => Promise<void>
  call: (operationId: string, sending?: Sending) => Promise<Received>
}

export const writing = platformOperations.filter(({ method }) => method !== 'GET')

export const operationOf = (operationId: string) => {
  const found = platformOperations.find((one) => one.operationId === operationId)
  if (!found) throw new Error(`no operation ${operationId}`)
  return found
}

const ended = 'ends what the others need'
const mailed = 'needs the secret of a mailed link'
const paid = 'needs a domain, which is not part of the plan free'
const resolvers = 'stores nothing, and waits for resolvers'

/** Operations that such an account cannot repeat, and why. */
export const unacceptable: Readonly<Record<string, string>> = {
  signOut: ended,
  endSession: ended,
  changePassword: ended,
  deleteAccount: ended,
  removeMember: ended,
  changeMember: ended,
  // The account has no password.
  signIn: ended,
  reauthenticate: ended,
  signUp: mailed,
  signInWithLink: mailed,
  recoverAccount: mailed,
  recoverWithCode: ended,
  secureAccount: mailed,
  confirmEmailChange: mailed,
  undoEmailChange: mailed,
  getInvitation: mailed,
  acceptInvitation: mailed,
  addDomain: paid,
  setPrimaryDomain: paid,
  setRedirects: paid,
  verifyDomain: paid,
  checkDomain: resolvers,
  removeDomain: paid,
  shareDomain: paid,
  revokeDomainShares: paid,
}

type Part = (attacker: Attacker, round: number) => Promise<unknown>

/** Random characters of four bytes: nothing compresses them. */
const longText = (length: number): string =>
  String.fromCodePoint(...Array.from({ length }, () => randomInt(0x20000, 0x2a6d0)))

/** What is read of a JSON schema here. */
type TextSchema = {
  properties?: Readonly<Record<string, TextSchema>>
  items?: TextSchema
  maxLength?: number
  pattern?: string
  enum?: unknown
  format?: string
}

/** With the longest texts where they are as good as the example. */
function lengthened(schema: TextSchema, example: unknown): unknown {
  const { properties = {}, items = {}, maxLength, pattern, enum: values, format } = schema
  if (Array.isArray(example)) return example.map((item) => lengthened(items, item))
  if (typeof example === 'object' && example !== null) {
    return Object.fromEntries(
      Object.entries(example).map(([name, value]) => [name, lengthened(properties[name] ?? {}, value)]),
    )
  }
  if (typeof example !== 'string' || maxLength === undefined || values !== undefined || format !== undefined)
    return example
  const text = longText(maxLength)
  return pattern !== undefined && !new RegExp(pattern, 'u').test(text) ? example : text
}

const schemaOf = (operationId: string): TextSchema => {
  const { body } = operationOf(operationId)
  return body && 'schema' in body ? body.schema : {}
}
const longest = (operationId: string, example: object = exampleOf(operationOf(operationId))): object =>
  lengthened(schemaOf(operationId), example) as object

/** A new one; when there are too many, one of those that are there. */
async function someAnimal({ call }: Attacker, project: string): Promise<string> {
  const made = await call('createAnimal', {
    values: { project },
    body: { ...longest('createAnimal'), categoryId: 1, status: 'available' },
  })
  if (made.status === 201) return idOf(made)
  const { status, json } = await call('listAnimals', { values: { project } })
  const listed = status === 200 ? (json as { id: number }[]) : []
  return String(listed[randomInt(Math.max(1, listed.length))]?.id ?? 0)
}

const animals: Part = async (attacker, round) => {
  const { call, target } = attacker
  const project = target()
  const values = { project, petId: await someAnimal(attacker, project) }
  const found = await call('getAnimal', { values })
  if (found.status !== 200) return
  const { profile } = found.json as { profile: object }
  const story = 's'
  await call('putProfile', {
    values,
    body: longest('putProfile', { ...profile, isMixed: true, story, internalNotes: story }),
  })
  await call('changeAnimal', { values, body: longest('changeAnimal') })
  await call('setAnimalStatus', { values })
  await call('duplicateAnimal', { values })
  if (round % 3 === 0) await call('deleteAnimal', { values })
}

const SIDE = 240
const jpeg = () =>
  sharp(randomBytes(SIDE ** 2 * 3), { raw: { width: SIDE, height: SIDE, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer()

const photos: Part = async (attacker, round) => {
  const { call, target } = attacker
  const project = target()
  const values = { project, petId: await someAnimal(attacker, project) }
  const added = await call('addPhoto', { values, body: await jpeg(), headers: { 'Content-Type': 'image/jpeg' } })
  if (added.status !== 201) return
  const photoId = idOf(added)
  await call('changePhoto', { values: { ...values, photoId }, body: longest('changePhoto') })
  await call('orderPhotos', { values, body: { photoIds: [photoId] } })
  if (round % 4 > 0) await call('deletePhoto', { values: { ...values, photoId } })
}

const csv = { 'Content-Type': 'text/csv' }
const linesOf = (count: number, line: () => string) => Array.from({ length: count }, line).join('\r\n')

const plainImports: Part = async ({ call, target }) => {
  const project = target()
  const made = await call('createImport', { values: { project }, body: { onBadLine: 'skip', fileName: longText(255) } })
  if (made.status !== 201) return
  const values = { project, importId: idOf(made), number: '1' }
  const body = `name,categoryId\r\n${linesOf(40, () => `${longText(60)},1`)}`
  await call('putImportPart', { values, body, headers: csv })
  if ((await call('startImport', { values, body: { parts: 1 } })).status >= 300) return
  await importIn(call, values, ['succeeded', 'failed'])
}

const columns = [
  { index: 0, field: 'name' },
  { index: 1, field: 'category' },
  { index: 2, field: 'story' },
]

const reviewedImports: Part = async ({ call, target }, round) => {
  const project = target()
  const body = { onBadLine: 'skip', isReviewed: true, fileName: longText(255) }
  const made = await call('createImport', { values: { project }, body })
  if (made.status !== 201) return
  const values = { project, importId: idOf(made), number: '1', row: '2', column: '0' }
  const lines = linesOf(20, () => `${longText(60)};Dogs;${longText(300)}`)
  const part = await call('putImportPart', { values, body: `Name;Type;Story\r\n${lines}`, headers: csv })
  const isRead = part.status < 300 && (await call('readImport', { values, body: { parts: 1 } })).status < 300
  const isOver = async () => {
    if (!isRead || (await importIn(call, values, ['mapping', 'failed'])) !== 'mapping') return true
    const reading = { matchBy: 'none', dateOrder: 'dmy', currency: 'EUR', defaultCategory: null }
    await call('putImportMapping', { values, body: { columns, ...reading } })
    if ((await importIn(call, values, ['reviewing', 'failed'])) !== 'reviewing') return true
    const category = await call('createCategory', { values: { project }, body: { name: `Dogs ${longText(20)}` } })
    const to = category.status === 201 ? idOf(category) : '1'
    const value = { field: 'category', value: 'Dogs', action: 'use', to }
    await call('putImportValues', { values, body: { values: [value] } })
    if ((await importIn(call, values, ['reviewing', 'failed'])) !== 'reviewing') return true
    await call('putImportCell', { values, body: { value: longText(255) } })
    return round % 3 === 2
  }
  if (await isOver()) return void (await call('discardImport', { values }))
  if ((await call('applyImport', { values, body: { onBadLine: 'skip' } })).status >= 300)
    return void (await call('discardImport', { values }))
  const state = await importIn(call, values, ['succeeded', 'failed', 'reviewing'])
  if (state !== 'succeeded') return void (await call('discardImport', { values }))
  if (round % 3 === 0 && (await call('undoImport', { values })).status < 300)
    await importIn(call, values, ['undone', 'failed'])
}

const importIn = (call: Attacker['call'], values: Values, states: readonly string[]): Promise<string> =>
  stateIn(states, () => call('getImport', { values }))

const deploymentIn = (call: Attacker['call'], values: Values): Promise<string> =>
  stateIn(['succeeded', 'failed'], () => call('getDeployment', { values }))

const PATIENCE_MS = 20_000

/** Waits for the work in the background; of a project that is deleted in the meantime, there is nothing to wait for. */
async function stateIn(states: readonly string[], read: () => Promise<Received>): Promise<string> {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await pause(20)) {
    const { status, json } = await read()
    if (status !== 200) return 'gone'
    const { state } = json as { state: string }
    if (states.includes(state)) return state
  }
  throw new Error(`waited in vain for ${states.join(', ')}`)
}

const NOTES = 3

/** Of visitors, who write as much as the form accepts. Half of the animals are handed over, and offered again. */
const requests: Part = async (attacker, round) => {
  const { call, ask, slug } = attacker
  const petId = await someAnimal(attacker, slug)
  const values: Values = { project: slug, petId }
  const wish = { ...longWish(), petId: BigInt(petId) }
  await ask({ ...wish, isConfirmed: true })
  const order = await ask({ ...wish, isConfirmed: false })
  if (typeof order !== 'bigint') return
  const on = { ...values, orderId: String(order) }
  for (let n = 0; n < NOTES; n++) await call('addNote', { values: on, body: longest('addNote') })
  await call('moveOrder', { values: on, body: longest('moveOrder') })
  await call('undoOrder', { values: on })
  await call('holdAnimal', { values: on })
  await call('releaseAnimal', { values: on })
  if (round % 2 === 0) return void (await call('declineOrder', { values: on }))
  await call('approveOrder', { values: on })
  await call('moveOrder', { values: on, body: { fact: 'handed_over' } })
  await call('setAnimalStatus', { values, body: { ...exampleOf(operationOf('setAnimalStatus')), status: 'available' } })
}

/** Each from another network. */
function longWish() {
  const number = randomBytes(8).toString('hex')
  // A form has 32 kB, in which a character of four bytes takes twelve; questions are the owner's.
  const typed = (length: number) => randomBytes(length).toString('base64').slice(0, length)
  const answerTo = () => ({ question: longText(QUESTION_LENGTH_MAX), answer: typed(ANSWER_LENGTH_MAX) })
  return {
    name: longText(VISITOR_NAME_LENGTH_MAX),
    contact: `${number}${'a'.repeat(40)}@${`${'b'.repeat(60)}.`.repeat(3)}example`,
    message: typed(ORDER_MESSAGE_LENGTH_MAX),
    answers: Array.from({ length: ANSWERS_MAX }, answerTo),
    address: `2001:${number.replace(/(.{4})/g, '$1:')}:1`.replace('::', ':'),
  }
}

const png = () =>
  sharp(randomBytes(64 ** 2 * 3), { raw: { width: 64, height: 64, channels: 3 } })
    .png()
    .toBuffer()

const sites: Part = async ({ call, target }, round) => {
  const project = target()
  const { version } = (await call('getSite', { values: { project } })).json as { version?: number }
  await call('putSite', { values: { project }, body: { ...longest('putSite'), version } })
  await call('putLogo', { values: { project }, body: await png(), headers: { 'Content-Type': 'image/png' } })
  const made = await call('deploy', { values: { project } })
  if (made.status >= 300) return void (await call('deleteLogo', { values: { project } }))
  const values = { project, deploymentId: idOf(made) }
  if ((await deploymentIn(call, values)) === 'succeeded') await call('rollback', { values })
  if (round % 5 === 0) await call('deleteLogo', { values: { project } })
}

const PASSKEYS = 25

/** Its passkeys, and sessions that they begin. */
const passkeys: Part = async ({ call }, round) => {
  const prepared = await call('preparePasskey')
  if (prepared.status !== 200) return pause(1000)
  const device = newDevice(DASHBOARD_ORIGIN)
  const response = device.create((prepared.json as { options: CreationOptions }).options)
  const added = await call('addPasskey', { body: { label: longText(100), response } })
  if (added.status !== 201) return pause(1000)
  // In a session of its own: a sign-in ends the one whose cookie it carries.
  let cookie = ''
  for (const operation of ['signInWithPasskey', 'reauthenticateWithPasskey']) {
    const { status, json } = await call('prepareSignIn')
    if (status !== 200) return
    const { challengeId, options } = json as { challengeId: string; options: RequestOptions }
    const body = { challengeId, response: device.get(options) }
    const { headers } = await call(operation, { body, headers: { Cookie: cookie } })
    cookie = (headers['set-cookie'] ?? []).map((one) => one.split(';')[0]).join('; ')
  }
  if (round % PASSKEYS > PASSKEYS / 2) await call('removePasskey', { values: { passkeyId: idOf(added) } })
}

/** Fillers and operations of imports, which have parts of their own, and of projects. */
const elsewhere: ReadonlySet<string> = new Set([
  'openImports',
  'importBytes',
  'unpaidProjects',
  'projectsPerDay',
  'projectsEver',
  'createProject',
  'deleteProject',
])
const DELETED_EVERY = 5

/** What one request is enough for, with identifiers of what was created last. */
const created: Record<string, string> = {}
export const everythingElse: Part = async (attacker, round) => {
  for (const [name, filler] of Object.entries(fillers)) {
    if (!elsewhere.has(name)) await filler.add(attacker, round)
  }
  created['project'] = attacker.target()
  for (const operation of writing) {
    const { operationId, method, path, tag } = operation
    if (operationId in unacceptable || elsewhere.has(operationId) || tag === 'imports') continue
    if (method === 'DELETE' && round % DELETED_EVERY > 0) continue
    const example = exampleOf(operation)
    const body = round % 2 === 0 ? example : (longest(operationId) as Record<string, unknown>)
    const { email, slug } = example
    const varied = {
      ...body,
      ...(typeof email === 'string' && { email: `friend-${round}@shop.example` }),
      ...(typeof slug === 'string' && { slug: `${slug}-${round}` }),
    }
    const hasJson = operation.body && 'schema' in operation.body
    const received = await attacker.call(operationId, { values: created, ...(hasJson && { body: varied }) })
    const name = parameterAfter(path)
    const [, id] = /^\{"id":"?(\w+)/.exec(received.text) ?? []
    if (method === 'POST' && received.status < 300 && id !== undefined && name !== undefined) created[name] = id
  }
}

/** The parameter by which operations name what this one creates: `/keys` and `/keys/{keyId}`. */
const parameterAfter = (path: string): string | undefined =>
  platformOperations
    .find((other) => other.path.startsWith(`${path}/{`))
    ?.path.slice(path.length)
    .match(/\{(\w+)\}/)?.[1]

export const parts: readonly Part[] = [
  animals,
  photos,
  plainImports,
  reviewedImports,
  requests,
  sites,
  passkeys,
  everythingElse,
]
