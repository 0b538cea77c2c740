// A valid body with exactly one fault: in a field, in the JSON, in its bytes, or in the headers that describe it.

import type { RefusalCode } from '@petstore-platform/contract/errors'
import type { Schema } from '../../harness/openapi.ts'
import { wrongTexts } from './samples.ts'
import { bodyOf, fault, withHeader, withoutHeader, type RequestDraft, type DraftFault } from './draft.ts'

export const bodyFaults = (schema: Schema, bytesMax = 16_384): DraftFault[][] => [
  wrongValues(schema),
  wrongFields(schema),
  wrongJson(schema),
  wrongForm(bytesMax),
]

const isNamed = (name: string) => (field: readonly [string, string]) => field[0].trim() === JSON.stringify(name)

const without = (draft: RequestDraft, name: string): RequestDraft => ({
  ...draft,
  body: undefined,
  fields: draft.fields?.filter((field) => !isNamed(name)(field)),
})

const put = (draft: RequestDraft, name: string, json: string): RequestDraft => ({
  ...draft,
  body: undefined,
  fields: [...(without(draft, name).fields ?? []), [JSON.stringify(name), json]],
})

const rewritten = (name: string, code: RefusalCode, rewrite: (json: string) => string | Buffer): DraftFault =>
  fault(name, code, (draft) => ({
    ...draft,
    body: Buffer.from(rewrite(bodyOf({ ...draft, body: undefined })?.toString() ?? '')),
  }))

const wrongValues = ({ properties = {} }: Schema): DraftFault[] =>
  Object.entries(properties).flatMap(([name, schema]) =>
    wrongTexts(schema).map((json) => fault(`${name} ${json}`, 'invalid_field', (draft) => put(draft, name, json))),
  )

const unknownFields = [
  'stauts',
  'id',
  '__proto__',
  'constructor',
  '',
  'Name',
  'name ',
  '\ud800',
  '\u0000',
  'a'.repeat(2000),
]
const otherValues = ['null', '1', '"a"', 'true', '[]', '[{"name":"a","categoryId":1}]', '-0', '1e999999999']

const wrongFields = ({ required = [], properties = {} }: Schema): DraftFault[] => [
  ...required.map((name) => fault(`${name} missing`, 'missing_field', (draft) => without(draft, name))),
  ...unknownFields
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) => fault(`unknown field ${name}`, 'unknown_field', (draft) => put(draft, name, '1'))),
  ...otherValues.map((json) => rewritten(`body ${json}`, 'invalid_field', () => json)),
]

const brokenTokens = [
  ...'01 +1 .5 1. 1e --1 0x10 NaN Infinity undefined tru \'1\' 1, /**/1 " "\\x" "\\u12"'.split(' '),
  '1 2',
  '"\t"',
  '"\u0000"',
  '\u00a01',
  `${'['.repeat(17)}${']'.repeat(17)}`,
  `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`,
  '['.repeat(9000),
]

const brokenTexts: readonly (readonly [name: string, rewrite: (json: string) => string | Buffer])[] = [
  ['truncated', (json) => json.trimEnd().slice(0, -1)],
  ['half', (json) => json.slice(0, json.length >> 1)],
  ['trailing', (json) => `${json}x`],
  ['twice', (json) => json + json],
  ['trailing comma', (json) => json.trimEnd().replace(/\}$/, ',}')],
  ['byte order mark', (json) => `\ufeff${json}`],
  ['UTF-16', (json) => Buffer.from(json, 'utf16le')],
  [
    'invalid UTF-8',
    (json) => Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xc0]), Buffer.from(`",${json.slice(1)}`)]),
  ],
  ['overlong UTF-8', () => Buffer.from([0x7b, 0x22, 0xc1, 0x81, 0x22, 0x3a, 0x31, 0x7d])],
  ['surrogate in UTF-8', () => Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ['NUL', (json) => `${json}\u0000`],
  ['white space', () => ' \r\n\t'],
  ['duplicate key', (json) => json.replace('{', '{"categoryId":1,"categoryId":1,')],
  ['duplicate key in disguise', (json) => json.replace('{', '{"n\\u0061me":"a","name":"a",')],
]

/** Any field will do: invalid JSON is rejected before fields are validated. */
const wrongJson = ({ properties = {} }: Schema): DraftFault[] => [
  ...brokenTokens.map((json) =>
    fault(`token ${json.slice(0, 20)}`, 'invalid_json', (draft) =>
      put(draft, Object.keys(properties).at(-1) ?? 'a', json),
    ),
  ),
  ...brokenTexts.map(([name, rewrite]) => rewritten(name, 'invalid_json', rewrite)),
]

const otherTypes = [
  'text/plain',
  'application/xml',
  'application/jsonx',
  'application/json/x',
  'application/problem+json',
  'application/json; charset=latin1',
  'application/json; a=b',
  'multipart/form-data; boundary=x',
  'nonsense',
  '',
  ';',
  '\xff',
]

const wrongForm = (bytesMax: number): DraftFault[] => [
  ...otherTypes.map((type) =>
    fault(`Content-Type: ${type}`, 'unsupported_media_type', (draft) => withHeader(draft, 'Content-Type', type)),
  ),
  ...['gzip', 'br', 'identity, gzip', 'nonsense'].map((coding) =>
    fault(`Content-Encoding: ${coding}`, 'unsupported_media_type', (draft) =>
      withHeader(draft, 'Content-Encoding', coding),
    ),
  ),
  fault('no Content-Type', 'unsupported_media_type', (draft) => withoutHeader(draft, 'Content-Type')),
  fault('no body', 'missing_body', (draft) => ({ ...draft, body: undefined, fields: undefined })),
  fault('empty body', 'missing_body', (draft) => ({ ...draft, body: Buffer.alloc(0) })),
  rewritten('one byte too many', 'body_too_large', (json) =>
    Buffer.concat([Buffer.from(json), Buffer.alloc(bytesMax + 1, ' ')]),
  ),
  rewritten('far too large', 'body_too_large', (json) =>
    Buffer.concat([Buffer.from(json), Buffer.alloc(bytesMax + 45_000, ' ')]),
  ),
]
