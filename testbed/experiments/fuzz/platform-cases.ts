// The requests of the fuzzer at `/platform/v1`: for every operation of its OpenAPI document
// valid requests by all actors, requests with one fault by those who may call it, and hostile
// ones. They are an endless and repeatable sequence of plans; identifiers are filled in when
// they are sent, from what exists by then.

import { refusals, type RefusalCode } from '@petstore-platform/contract/errors'
import { platformOperations } from '@petstore-platform/contract/platform/operations'
import fc from 'fast-check'
import type { Operation } from '../../harness/openapi.ts'
import { isValidText, textPool } from '../../harness/schema-samples.ts'
import { bodyFaults } from './body-faults.ts'
import type { Case, Kinds } from './cases.ts'
import { bodyOf, empty, fault, withHeader, withoutHeader, type RequestDraft, type DraftFault } from './draft.ts'
import { framingFaults } from './framing-faults.ts'
import { hostileBelow } from './hostile.ts'
import { PREFIX, roleNames, type Actors, type RoleName } from './platform-actors.ts'
import { rightFields } from './samples.ts'

/** Resources that a project may lack. */
const MAY_BE_ABSENT = new Set(['getLogo'])
/** Operations that a project's plan can reject, however valid the request is. */
const PLANNED = new Set(['createKey', 'rotateKey', 'createInvitation', 'acceptInvitation', 'addDomain'])

export type Plan = { operation: Operation; who: RoleName; fill: (actors: Actors) => Case }

type Parts = {
  picks: readonly { text: string; nth: number }[]
  query: RequestDraft['query']
  fields: RequestDraft['fields']
  bytes: Buffer
}

const BATCH = 200
const BODY_BYTES_MAX = 16_384

export function* plansOf(operations: readonly Operation[], seed: number, kinds: Kinds): Generator<Plan> {
  // Each operation at least once, however few requests there are.
  for (const operation of operations) yield* fc.sample(plansFor(operation, 'valid'), { seed, numRuns: 1 })
  const arbitrary = fc.oneof(
    ...operations.map((operation) => ({ arbitrary: plansFor(operation, kinds), weight: isEnding(operation) ? 1 : 6 })),
  )
  for (let batch = 0; ; batch++) yield* fc.sample(arbitrary, { seed: (seed + batch * 7919) | 0, numRuns: BATCH })
}

const contractOf = ({ operationId }: Operation) => {
  const found = platformOperations.find((one) => one.operationId === operationId)
  if (!found) throw new Error(`${operationId} is documented and no operation.`)
  return found
}

/** Operations that may end a session, a membership or a project need new actors afterwards; passwords take time. */
export const isEnding = ({ operationId, method, path }: Operation) =>
  (method === 'DELETE' && /^\/(session|projects\/\{\w+\}$|account)/.test(path)) ||
  /members|password|accounts|^\/session$/.test(`${path} ${operationId}`)

/** Who sends what is wrong in another way than by a lack of rights: some operations reject every token. */
const sendersOf = (operation: Operation): RoleName[] => (contractOf(operation).recent ? ['owner'] : ['owner', 'token'])

function plansFor(operation: Operation, kinds: Kinds): fc.Arbitrary<Plan> {
  const right = fc
    .tuple(parts(operation), fc.constantFrom(...roleNames), fc.constantFrom(...spellings))
    .map(([found, who, spell]): Plan => ({
      operation,
      who,
      fill: (actors) => {
        const one = rightCase(operation, who, found, actors)
        return operation.method === 'GET' ? { ...one, draft: spell(one.draft) } : one
      },
    }))
  if (kinds === 'valid') return right
  const wrong = fc
    .tuple(parts(operation), fc.constantFrom(...sendersOf(operation)), faults(operation))
    .map(([found, who, one]): Plan => ({
      operation,
      who,
      fill: (actors) => wrongCase(operation, who, found, one, actors),
    }))
  const wild = fc
    .tuple(parts(operation), fc.constantFrom(...roleNames), hostileBelow(PREFIX))
    .map(([found, who, changes]): Plan => ({
      operation,
      who,
      fill: (actors) => ({
        name: 'hostile',
        draft: changes.reduce<RequestDraft>((one, alter) => alter(one), draftOf(operation, who, found, actors)),
      }),
    }))
  return fc.oneof({ arbitrary: right, weight: 4 }, { arbitrary: wrong, weight: 4 }, { arbitrary: wild, weight: 3 })
}

/** Equivalent spellings of the same request. */
const spellings: readonly ((draft: RequestDraft) => RequestDraft)[] = [
  (draft) => draft,
  (draft) => draft,
  (draft) => ({ ...draft, method: 'HEAD' }),
  (draft) => withHeader(draft, 'If-None-Match', '*'),
]

const oddNames = ['never-was', '1', '-1', '%00', '%2e%2e', '9223372036854775808', '%F0%9F%A6%9C', 'a%2Fb', "'"]
const csv = 'name,categoryId\r\nRex,1\r\n"Mia, the cat",2\r\n'

function parts(operation: Operation): fc.Arbitrary<Parts> {
  const pathParameters = operation.parameters.filter((one) => one.in === 'path')
  const own = operation.parameters.filter((one) => one.in === 'query' && one.name !== 'cursor')
  const pick = fc.record({
    // Mostly identifiers that exist.
    text: fc.oneof({ arbitrary: fc.constant(''), weight: 5 }, { arbitrary: fc.constantFrom(...oddNames), weight: 1 }),
    nth: fc.nat(1000),
  })
  const texts = own.map(({ schema }) => {
    const valid = textPool(schema).filter((text) => isValidText(schema, text))
    return fc.option(valid.length > 0 ? fc.constantFrom(...valid) : fc.constant('a'), { freq: 1 })
  })
  return fc.record({
    picks: fc.tuple(...pathParameters.map(() => pick)),
    query: fc.tuple(...texts).map((found) =>
      own.flatMap(({ name }, index) => {
        const text = found[index]
        return text === null || text === undefined ? [] : [[name, encodeURIComponent(text)] as const]
      }),
    ),
    fields: operation.body ? rightFields(operation.body.schema) : fc.constant(undefined),
    bytes: fc.oneof(
      fc.constant(Buffer.from(csv)),
      fc.uint8Array({ minLength: 1, maxLength: 80 }).map((bytes) => Buffer.from(bytes)),
    ),
  })
}

function draftOf(
  operation: Operation,
  who: RoleName,
  { picks, query, fields, bytes }: Parts,
  actors: Actors,
): RequestDraft {
  const pathParameters = operation.parameters.filter((one) => one.in === 'path')
  const path = pathParameters.reduce((one, { name }, index) => {
    const { text = '', nth = 0 } = picks[index] ?? {}
    const list = actors.known.get(name) ?? []
    // The project is not replaced, otherwise nothing else would be tested.
    const found = text === '' || name === 'project' ? list[nth % Math.max(1, list.length)] : text
    return one.replace(`{${name}}`, found ?? 'never-was')
  }, operation.path)
  const draft = { ...empty, method: operation.method, path: `${PREFIX}${path}`, query, headers: actors.headers[who] }
  if (operation.body) return withHeader({ ...draft, fields }, 'Content-Type', 'application/json')
  const [type] = operation.bytes
  return type === undefined ? draft : withHeader({ ...draft, body: bytes }, 'Content-Type', type)
}

function rightCase(operation: Operation, who: RoleName, found: Parts, actors: Actors): Case {
  const draft = draftOf(operation, who, found, actors)
  return predicting(operation, `right, by the ${who}`, draft, expectedOf(operation, who))
}

function wrongCase(operation: Operation, who: RoleName, found: Parts, one: DraftFault, actors: Actors): Case {
  const { name, code, change, isFraming = false } = one
  const plain = draftOf(operation, who, found, actors)
  return {
    ...predicting(operation, name, change(plain), { statuses: [refusals[code].status], code }),
    isFraming,
  }
}

/**
 * A name that cannot be stored may be rejected before anything else, and fields that are each
 * valid may be too large in total.
 */
function predicting(
  operation: Operation,
  name: string,
  draft: RequestDraft,
  expected: NonNullable<Case['expected']>,
): Case {
  const bytesMax = contractOf(operation).body?.bytesMax ?? BODY_BYTES_MAX
  const isLarge = (bodyOf(draft)?.length ?? 0) > bytesMax && expected.code !== 'body_too_large'
  return isLarge || draft.path.includes('%00') ? { name, draft } : { name, draft, expected }
}

/**
 * An actor without permission must be rejected for that first. One with permission can be
 * rejected only for what an OpenAPI document cannot express.
 */
function expectedOf(operation: Operation, who: RoleName): NonNullable<Case['expected']> {
  const { access, recent } = contractOf(operation)
  const isInside = operation.path.startsWith('/projects/{project}')
  const refused = (code: RefusalCode) => ({ statuses: [refusals[code].status], code })
  if (who === 'nobody' && access !== 'anyone') return refused('not_signed_in')
  if (who === 'stranger' && isInside) return refused('not_found')
  if (who === 'viewer' && (access === 'admin' || access === 'owner')) return refused('insufficient_role')
  if (who === 'token' && recent) return refused('session_required')
  const [success = 200] = Object.keys(operation.responses).map(Number)
  const others = Object.keys(operation.responses).map(Number)
  const hasBody = operation.body !== undefined || operation.bytes.length > 0
  const isPointing =
    operation.parameters.some((one) => one.in === 'path' && one.name !== 'project') ||
    MAY_BE_ABSENT.has(operation.operationId)
  return {
    statuses: [
      success,
      // Where it is requested; whether it is allowed is in the OpenAPI document.
      ...others.filter((status) => status === 304),
      ...(others.includes(409) ? [409] : []),
      ...(isPointing || operation.method !== 'GET' ? others.filter((status) => status === 404) : []),
      // A text may match its schema and still not be a slug, a password or a picture.
      ...(hasBody ? [400] : []),
      ...(access === 'anyone' ? others.filter((status) => status === 401) : []),
      // Some actions are allowed on one's own account and not on others. The plan of the project limits the number.
      ...(PLANNED.has(operation.operationId) ? [403] : []),
      ...(who === 'viewer' && operation.method !== 'GET' ? [403] : []),
      // Some operations on the account itself require a session and reject tokens.
      ...(who === 'token' && access === 'account' && operation.method !== 'GET' ? [403] : []),
      // A session may be too old for it.
      ...(recent ? [403] : []),
      ...(operation.operationId === 'reauthenticateWithPasskey' ? [401] : []),
      // It needs topics, of projects that exist, and an account has few streams.
      ...(operation.operationId === 'watch' ? [400, 404, 429] : []),
    ],
  }
}

function faults(operation: Operation): fc.Arbitrary<DraftFault> {
  const { body } = contractOf(operation)
  const groups = [
    queryFaults(operation),
    methodFaults,
    [...framingFaults],
    credentialFaults(operation),
    ...(operation.body ? bodyFaults(operation.body.schema, body?.bytesMax) : []),
    ...(operation.bytes.length > 0 ? [bytesFaults] : []),
  ].filter((group) => group.length > 0)
  return fc.oneof(...groups.map((group) => fc.constantFrom(...group)))
}

function queryFaults(operation: Operation): DraftFault[] {
  const { parameters } = contractOf(operation)
  const put = (name: string, text: string) => (draft: RequestDraft) => ({
    ...draft,
    query: [...draft.query.filter(([one]) => one !== name), [name, encodeURIComponent(text.toWellFormed())] as const],
  })
  const unknown = ['page', 'Limit', '__proto__', '', 'api_key']
    .filter((name) => !Object.hasOwn(parameters, name))
    .map((name) => fault(`unknown parameter ${name}`, 'unknown_parameter', put(name, '1')))
  const wrong = operation.parameters
    .filter((one) => one.in === 'query')
    .flatMap(({ name, schema }) =>
      textPool(schema)
        .filter((text) => !isValidText(schema, text) && text.isWellFormed() && encodeURIComponent(text).length < 6000)
        .map((text) => fault(`${name} ${text}`, parameters[name]?.refusal ?? 'invalid_parameter', put(name, text))),
    )
  return [...unknown, ...wrong]
}

const methodFaults: DraftFault[] = [
  ...['TRACE', 'PROPFIND', 'QUERY', 'M-SEARCH'].map((method) =>
    fault(`method ${method}`, 'method_not_allowed', (draft) => ({ ...draft, method })),
  ),
  fault('no such path', 'not_found', (draft) => ({ ...draft, path: `${PREFIX}/nowhere`, method: 'GET' })),
  fault('Accept', 'not_acceptable', (draft) => withHeader(draft, 'Accept', 'audio/ogg')),
]

/** By an actor who may call it, with a fault in the credentials. */
function credentialFaults(operation: Operation): DraftFault[] {
  if (contractOf(operation).access === 'anyone') {
    return [fault('another page', 'foreign_origin', (draft) => withHeader(draft, 'Origin', 'https://evil.example'))]
  }
  const bare = (draft: RequestDraft) => withoutHeader(withoutHeader(draft, 'Cookie'), 'Authorization')
  return [
    fault('no credentials', 'not_signed_in', bare),
    fault('another cookie', 'not_signed_in', (draft) => withHeader(bare(draft), 'Cookie', '__Host-petstore=nonsense')),
    ...['Bearer nonsense', 'Basic dXNlcjpwYXNz', 'Bearer', ''].map((value) =>
      fault(`Authorization: ${value}`, 'not_signed_in', (draft) => withHeader(draft, 'Authorization', value)),
    ),
  ]
}

const bytesFaults: DraftFault[] = [
  fault('no body', 'missing_body', (draft) => ({ ...draft, body: undefined })),
  fault('empty body', 'missing_body', (draft) => ({ ...draft, body: Buffer.alloc(0) })),
  ...['application/json', 'text/plain', '', 'nonsense'].map((type) =>
    fault(`Content-Type: ${type}`, 'unsupported_media_type', (draft) => withHeader(draft, 'Content-Type', type)),
  ),
  fault('Content-Encoding', 'unsupported_media_type', (draft) => withHeader(draft, 'Content-Encoding', 'gzip')),
]
