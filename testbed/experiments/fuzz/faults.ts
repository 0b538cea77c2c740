// A valid request with exactly one fault. The code that must come back is known beforehand: so
// the fuzzer detects not only that the server rejects, but that it rejects for the right reason.

import type { RefusalCode } from '@petstore-platform/contract/errors'
import { operations as contract } from '@petstore-platform/contract/operations'
import fc from 'fast-check'
import type { Operation } from '../../harness/openapi.ts'
import { isValidText, textPool } from '../../harness/schema-samples.ts'
import { bodyFaults } from './body-faults.ts'
import { fault, withHeader, withoutHeader, type RequestDraft, type DraftFault } from './draft.ts'
import { framingFaults } from './framing-faults.ts'
import { pathOf, type SeededData } from './valid.ts'

export function faultsOf(operation: Operation, seeded: SeededData): fc.Arbitrary<DraftFault> {
  const groups = [
    parameterFaults(operation),
    boundFaults(operation),
    methodFaults(operation),
    credentialFaults(seeded.key),
    negotiationFaults,
    formFaults,
    framingFaults,
  ]
    .filter((group) => group.length > 0)
    .map((group) => ({ arbitrary: fc.constantFrom(...group), weight: 1 }))
  // Most kinds of fault concern a body, so where there is one, most faults are in it.
  const inBody = (operation.body ? bodyFaults(operation.body.schema) : []).map((group) => ({
    arbitrary: fc.constantFrom(...group),
    weight: 3,
  }))
  return fc.oneof(...groups, ...inBody, { arbitrary: noise(operation), weight: 1 })
}

const refusalOf = (operationId: string, name: string): RefusalCode =>
  contract.find((one) => one.operationId === operationId)?.parameters[name]?.refusal ?? 'invalid_parameter'

const withQuery = (draft: RequestDraft, name: string, text: string): RequestDraft => ({
  ...draft,
  query: [...draft.query.filter(([one]) => decodeURIComponent(one) !== name), [name, encoded(text)]],
})
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())
const isHeaderText = (text: string): boolean =>
  /^([\x21-\x7e\x80-\xff]([\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/.test(text)

const unknownNames = ['staus', 'Limit', 'limit ', 'page', 'api_key', '__proto__', '', 'constructor', '?limit', 'ſtatus']
/** Well-formed, but never issued. */
const foreignCursors = [
  'eyJ2IjoxLCJrIjoiMSJ',
  'e30',
  'bnVsbA',
  'eyJ2IjoyLCJrIjoiMSJ9',
  'eyJ2IjoxLCJrIjoiMSIsInMiOiJsb3N0In0',
]

function parameterFaults(operation: Operation): DraftFault[] {
  const found = unknownNames.map((name) =>
    fault(`unknown parameter ${name}`, 'unknown_parameter', (draft) => ({
      ...draft,
      query: [...draft.query, [encoded(name), '1']],
    })),
  )
  for (const { name, in: pathParameter, schema } of operation.parameters) {
    const code = refusalOf(operation.operationId, name)
    const put = (draft: RequestDraft, text: string): RequestDraft => {
      if (pathParameter === 'query') return withQuery(draft, name, text)
      if (pathParameter === 'header') return withHeader(draft, name, text)
      return { ...draft, path: pathOf(operation, { [name]: encoded(text) }) }
    }
    for (const text of textPool(schema)) {
      if (isValidText(schema, text) || (pathParameter === 'header' && !isHeaderText(text))) continue
      found.push(fault(`${name} ${text}`, code, (draft) => put(draft, text)))
    }
    if (pathParameter === 'query' && code !== 'invalid_cursor') {
      const right = textPool(schema).find((text) => isValidText(schema, text)) ?? ''
      found.push(
        fault(`${name} twice`, code, (draft) => ({ ...draft, query: [[name, right], ...put(draft, right).query] })),
      )
    }
    if (code === 'invalid_cursor') {
      const cursors = foreignCursors.map((text) => fault(text, code, (draft) => ({ ...draft, query: [[name, text]] })))
      found.push(...cursors)
    }
  }
  return found
}

/** One below and one above the bounds: where servers are most often wrong. */
function boundFaults({ operationId, parameters }: Operation): DraftFault[] {
  return parameters
    .filter((one) => one.in === 'query')
    .flatMap(({ name, schema: { minimum, maximum } }) =>
      [minimum === undefined ? [] : minimum - 1, maximum === undefined ? [] : maximum + 1]
        .flat()
        .map((edge) =>
          fault(`${name}=${edge}`, refusalOf(operationId, name), (draft) => withQuery(draft, name, String(edge))),
        ),
    )
}

/** Random texts. */
function noise({ operationId, parameters }: Operation): fc.Arbitrary<DraftFault> {
  const own = parameters.filter((one) => one.in === 'query')
  const text = fc.string({ unit: 'binary', maxLength: 12 })
  if (own.length === 0) {
    return text.map((random) =>
      fault('a random parameter', 'unknown_parameter', (draft) => withQuery(draft, encoded(`x${random}`), random)),
    )
  }
  return fc.tuple(fc.constantFrom(...own), text).map(([{ name, schema }, random]) => {
    const wrong = isValidText(schema, random) ? '' : random
    return fault(`a random ${name}`, refusalOf(operationId, name), (draft) => withQuery(draft, name, wrong))
  })
}

const unknownPaths =
  '/v1 /v1/ /v1/pet /v1//pets /v1/Pets /v1/pets/1/2 /v1/pets.json /v1/store /v1/pets;a=1 /v1/%00 /v1/%zz /v1/store/orders/ /v1/pets%2F1 /v1/../v1/pets /v1/pets%3Flimit=1 /v1/openapi.yaml /v1/store/orders/1 /v1/%F0%9F%A6%9C /v1/./pets /v1/pets//1 /v1/%C3%28'

function methodFaults({ path, method }: Operation): DraftFault[] {
  const wrong = ['PUT', 'PATCH', 'DELETE', 'TRACE', 'PURGE', 'QUERY', 'PROPFIND', 'M-SEARCH']
  if (path !== '/pets') wrong.push('POST')
  const call = (code: RefusalCode) => (other: string) =>
    fault(`method ${other}`, code, (draft) => ({ ...draft, method: other }))
  return [
    ...wrong.map(call('method_not_allowed')),
    ...['FOO', 'get', 'GETS', 'G-T'].map(call('method_not_implemented')),
    ...unknownPaths
      .split(' ')
      .map((other) => fault(`path ${other}`, 'not_found', (draft) => ({ ...draft, method, path: other }))),
  ]
}

function credentialFaults(key: string): DraftFault[] {
  const flipped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
  const rejected = (code: RefusalCode) => (value: string) =>
    fault(`Authorization: ${value}`, code, (draft) => withHeader(draft, 'Authorization', value))
  const none = ['', 'Basic dXNlcjpwYXNz', key, `Token ${key}`, `Bearerx ${key}`, `"Bearer ${key}"`]
  const bad = [
    '',
    flipped,
    `${key}x`,
    `${key} x`,
    `"${key}"`,
    key.toUpperCase(),
    `${key},${key}`,
    '\xff\xfe',
    'a'.repeat(5000),
  ]
  const wellFormed = [
    'pets_test_0123456789ABCDEFGHIJKLMNOPQRSTUV2q5cvK',
    'pets_live_0123456789ABCDEFGHIJKLMNOPQRSTUV0nACet',
  ]
  return [
    fault('no key', 'missing_api_key', (draft) => withoutHeader(draft, 'Authorization')),
    fault('two keys', 'invalid_api_key', (draft) => ({
      ...draft,
      headers: [...draft.headers, ['authorization', `Bearer ${key}`]],
    })),
    ...none.map(rejected('missing_api_key')),
    ...[...bad, ...wellFormed].map((text) => `Bearer ${text}`).map(rejected('invalid_api_key')),
  ]
}

const negotiationFaults = [
  'text/html',
  'application/json;q=0',
  '*/*;q=0',
  'application/xml, text/*',
  'application/json; q=0.000, */*;q=0',
  'image/png',
].map((value) => fault(`Accept: ${value}`, 'not_acceptable', (draft) => withHeader(draft, 'Accept', value)))

/** Violations of HTTP itself. */
const formFaults = [
  fault('no Host', 'malformed_request', (draft) => ({ ...draft, host: [] })),
  fault('two Hosts', 'malformed_request', (draft) => ({ ...draft, host: ['a', 'b'] })),
  fault('odd expectation', 'expectation_failed', (draft) => withHeader(draft, 'Expect', '200-ok')),
  fault('long target', 'uri_too_long', (draft) => ({ ...draft, query: [['x', 'a'.repeat(8192)]] })),
  fault('very long target', 'uri_too_long', (draft) => ({ ...draft, path: `/v1/pets/${'1'.repeat(30_000)}` })),
  fault('long header', 'headers_too_large', (draft) => withHeader(draft, 'X-Long', 'a'.repeat(16_384))),
  fault('very long header', 'headers_too_large', (draft) => withHeader(draft, 'X-Long', 'a'.repeat(40_000))),
]
