// Requests that are valid by the OpenAPI document, in as many spellings as HTTP and JSON allow:
// every one of them must succeed.

import fc from 'fast-check'
import { validFields } from '../../harness/drift.ts'
import type { Operation, Parameter, Schema } from '../../harness/openapi.ts'
import { isType, isValidJson, isValidText, jsonPool, textPool } from '../../harness/schema-samples.ts'
import { bodyOf, empty, hasHeader, withHeader, type RequestDraft } from './draft.ts'

/** Contents of the store before the fuzzer begins, which no schema contains. */
export type SeededData = {
  key: string
  /** Path parameters: values that exist. */
  known: Record<string, readonly string[]>
  /** Queries that an operation returned itself, as links to further pages. */
  continuations: Record<string, readonly RequestDraft['query'][]>
  /** An Idempotency-Key that was used, and the body it was used with. */
  used: { key: string; body: string }
}

export type Valid = { draft: RequestDraft; statuses: readonly number[] }

export const pathOf = (operation: Operation, values: Record<string, string>): string =>
  `/v1${operation.path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '1')}`

/** The simplest request that succeeds. */
export function simplest(operation: Operation, { key, known }: SeededData): RequestDraft {
  const { method, parameters, body } = operation
  const values = Object.fromEntries(parameters.map(({ name }) => [name, known[name]?.[0] ?? '1']))
  const draft: RequestDraft = {
    ...empty,
    method,
    path: pathOf(operation, values),
    headers: [['Authorization', `Bearer ${key}`]],
    fields: body && Object.entries(validFields(body.schema)).map(([name, json]) => [JSON.stringify(name), json]),
  }
  return body ? withHeader(draft, 'Content-Type', 'application/json') : draft
}

export function validRequests(operation: Operation, seeded: SeededData): fc.Arbitrary<Valid> {
  const base = simplest(operation, seeded)
  const [success = 200] = Object.keys(operation.responses).map(Number)
  const pathParameters = operation.parameters.filter((one) => one.in === 'path')
  const sent = operation.parameters.filter((one) => one.in === 'header')
  return fc
    .record({
      path: fc.record(Object.fromEntries(pathParameters.map((one) => [one.name, placeText(one, seeded)]))),
      query: queries(operation, seeded),
      headers: fc.tuple(...sent.map((one) => fc.option(headerText(one), { freq: 1 }))),
      fields: operation.body ? objects(operation.body.schema) : fc.constant(undefined),
      spelling: fc.uniqueArray(fc.constantFrom(...spellings), { maxLength: 2 }),
    })
    .map(({ path, query, headers, fields, spelling }) => {
      const given = sent.flatMap(({ name }, index) => {
        const text = headers[index]
        return text === null || text === undefined ? [] : [[name, text] as const]
      })
      const plain: RequestDraft = {
        ...base,
        path: pathOf(operation, path),
        query,
        headers: [...base.headers, ...given],
        fields,
      }
      const draft = spelling.reduce<RequestDraft>((one, spell) => spell(one), plain)
      const isThere = Object.entries(path).every(([name, text]) => seeded.known[name]?.includes(text))
      const statuses = [
        ...(isThere ? [success] : [404]),
        ...(isThere && hasHeader(draft, 'If-None-Match') ? [304] : []),
        // A short key may have been used before, for another animal.
        ...(given.some(([name, text]) => name === 'Idempotency-Key' && text.length < 20) ? [409, 422] : []),
      ]
      return { draft, statuses }
    })
}

function placeText({ name, schema }: Parameter, { known }: SeededData): fc.Arbitrary<string> {
  const valid = textPool(schema).filter((text) => isValidText(schema, text))
  return fc.oneof(
    { arbitrary: fc.constantFrom(...(known[name] ?? ['1'])), weight: 4 },
    { arbitrary: fc.constantFrom(...valid), weight: 1 },
    { arbitrary: int64.map(String), weight: 1 },
  )
}

function queries(
  { operationId, parameters }: Operation,
  { continuations, known }: SeededData,
): fc.Arbitrary<RequestDraft['query']> {
  const own = parameters.filter((one) => one.in === 'query' && !(one.name in known) && one.name !== 'cursor')
  const free = fc.tuple(...own.map((one) => fc.option(queryText(one.schema), { freq: 1 }))).map((texts) =>
    own.flatMap(({ name }, index) => {
      const text = texts[index]
      return text === null || text === undefined ? [] : [[name, text] as const]
    }),
  )
  const further = continuations[operationId] ?? []
  return further.length === 0
    ? free
    : fc.oneof({ arbitrary: free, weight: 3 }, { arbitrary: fc.constantFrom(...further), weight: 1 })
}

function queryText(schema: Schema): fc.Arbitrary<string> {
  const { minimum = 0, maximum = 100 } = schema
  // Small pages more often than large ones, otherwise most of the time would go into large pages.
  if (isType(schema, 'integer')) {
    const small = fc.integer({ min: minimum, max: Math.min(maximum, minimum + 9) })
    const any = fc.integer({ min: minimum, max: maximum })
    return fc.oneof({ arbitrary: small, weight: 6 }, { arbitrary: any, weight: 1 }).map(String)
  }
  return fc.constantFrom(...textPool(schema).filter((text) => isValidText(schema, text))).map(encodeURIComponent)
}

const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 24,
  maxLength: 48,
})

function headerText({ schema }: Parameter): fc.Arbitrary<string> {
  const isSendable = (text: string) => /^[\x21-\x7e]([\x20-\x7e\x80-\xff]*[\x21-\x7e])?$/.test(text)
  const pool = textPool(schema).filter((text) => isValidText(schema, text) && isSendable(text))
  const made = fc
    .oneof(
      visible,
      visible.map((text) => `"${text}"`),
    )
    .filter((text) => isValidText(schema, text))
  return fc.oneof({ arbitrary: made, weight: 8 }, { arbitrary: fc.constantFrom(...pool), weight: 1 })
}

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

function objects({ properties = {}, required = [] }: Schema): fc.Arbitrary<NonNullable<RequestDraft['fields']>> {
  const entries = Object.entries(properties)
  return fc
    .tuple(
      fc.shuffledSubarray(
        entries.map((_, index) => index),
        { minLength: entries.length },
      ),
      ...entries.map(([name, schema]) =>
        required.includes(name) ? jsonText(schema) : fc.option(jsonText(schema), { freq: 1 }),
      ),
    )
    .map(([order, ...texts]) =>
      order.flatMap((index) => {
        const json = texts[index]
        const name = entries[index]?.[0]
        return json === null || json === undefined || name === undefined ? [] : [[JSON.stringify(name), json] as const]
      }),
    )
}

/** A valid value as JSON text, including longer spellings of it. */
function jsonText(schema: Schema): fc.Arbitrary<string> {
  const pool = fc.constantFrom(...jsonPool(schema).filter((json) => isValidJson(schema, json)))
  if (isType(schema, 'integer')) {
    const written = fc
      .tuple(int64, fc.constantFrom('', '', '', '.0', '.000', 'e0', 'E+0', '.0e0'))
      .map((parts) => parts.join(''))
    return fc.oneof({ arbitrary: written, weight: 4 }, { arbitrary: pool, weight: 1 })
  }
  if (schema.enum) return pool
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  const written = fc.tuple(text, fc.boolean()).map(([one, isEscaped]) => {
    const json = JSON.stringify(one)
    return isEscaped ? json.replace(/[^ -~]/g, asEscape) : json
  })
  const right = written.map((json) => (isValidJson(schema, json) ? json : '"Rex"'))
  return fc.oneof({ arbitrary: right, weight: 4 }, { arbitrary: pool, weight: 1 })
}

const asEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

type Spelling = (draft: RequestDraft) => RequestDraft

const add =
  (name: string, value: string): Spelling =>
  (draft) =>
    withHeader(draft, name, value)
const ifBody =
  (change: Spelling): Spelling =>
  (draft) =>
    draft.fields ? change(draft) : draft
const ifGet =
  (change: Spelling): Spelling =>
  (draft) =>
    draft.method === 'GET' ? change(draft) : draft

/** Equivalent spellings. */
const spellings: readonly Spelling[] = [
  ifGet((draft) => ({ ...draft, method: 'HEAD' })),
  ifGet(add('If-None-Match', '*')),
  ifGet(add('If-None-Match', 'W/"a", "b" , *')),
  ifGet((draft) => ({ ...draft, body: Buffer.from('ignored') })),
  ifBody((draft) => ({ ...draft, isChunked: !hasHeader(draft, 'Upgrade') })),
  ifBody((draft) => ({ ...draft, fields: draft.fields?.map(([name, json]) => [` ${name}\t`, `\r\n${json} `]) })),
  ifBody((draft) => padded(draft, 16 * 1024)),
  ifBody(add('Expect', '100-continue')),
  ...['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json ;charset="UTF-8"'].map((type) =>
    ifBody(add('Content-Type', type)),
  ),
  ifBody(add('Content-Encoding', 'identity')),
  (draft) => ({ ...draft, path: draft.path.replace('pets', '%70ets').replace('orders', 'order%73') }),
  (draft) => ({ ...draft, path: `http://api.petstore.example${draft.path}` }),
  (draft) => ({ ...draft, query: draft.query.map(([name, ...rest]) => [encodeAll(name), ...rest] as const) }),
  (draft) => ({ ...draft, query: [...draft.query, ['']] }),
  (draft) => ({ ...draft, headers: draft.headers.map(([name, value]) => [name.toLowerCase(), value]) }),
  (draft) => ({
    ...draft,
    headers: draft.headers.map(([name, value]) => [name, value.replace(/^Bearer /, 'bEARER   ')]),
  }),
  ...['*/*', 'application/*', 'text/html, application/json;q=0.1', 'application/json', '', ',', 'nonsense'].map(
    (value) => add('Accept', value),
  ),
  add('Accept-Encoding', 'gzip, br'),
  add('Origin', 'https://example.com'),
  add('Cookie', 'session=1; a=b'),
  add('X-Forwarded-For', '203.0.113.7, nonsense'),
  add('X-Request-Id', '../../etc/passwd'),
  add('Request-Id', 'mine'),
  add('traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'),
  add('Petstore-Now', '2030-12-05T00:00:00Z'),
  add('Range', 'bytes=0-1'),
  add('If-Match', '"nothing"'),
  add('If-Modified-Since', 'Thu, 05 Dec 2030 00:00:00 GMT'),
  add('X-HTTP-Method-Override', 'DELETE'),
  add('Upgrade-Insecure-Requests', '1'),
  add('Connection', 'close'),
  // Must be ignored; with chunks it is rejected, which is not an equivalent spelling.
  (draft) => withHeader(withHeader({ ...draft, isChunked: false }, 'Connection', 'Upgrade'), 'Upgrade', 'h2c'),
]

const encodeAll = (text: string): string => text.replace(/./g, (unit) => `%${unit.charCodeAt(0).toString(16)}`)

/** White space is not part of the value, up to the last byte that is allowed. */
function padded(draft: RequestDraft, bytes: number): RequestDraft {
  const body = bodyOf(draft) ?? Buffer.alloc(0)
  return { ...draft, body: Buffer.concat([body, Buffer.alloc(Math.max(0, bytes - body.length), ' ')]) }
}
