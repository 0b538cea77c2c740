// Checks every response of an API against its OpenAPI document and against what that cannot
// express: that errors are the one Error body down to its `status`, that headers promised on
// every response are there, and that no number was rounded on the way. It is independent of the
// server's code; used by the drift test and by the fuzzer.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import {
  operationsOf,
  pathOf,
  type Header,
  type OpenApi,
  type Operation,
  type Response,
  type Schema,
} from './openapi.ts'
import { promisedHeaders, type Case, type Promised } from './promised-headers.ts'

export type Answered = {
  method: string
  target: string
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
}
export type ResponseFinding = { kind: FindingKind; detail: string }
export type FindingKind = 'status' | 'content-type' | 'body' | 'status-field' | 'header'

type ErrorBody = { code?: string; message?: string; status?: unknown }

export type ResponseChecker = {
  operations: readonly Operation[]
  operationOf(method: string, target: string): Operation | undefined
  check(answered: Answered): ResponseFinding[]
}

/** Statuses that any request can get and that are not listed under each operation. */
const anywhere = new Set([405, 406, 408, 414, 417, 431, 501, 503])
const noticeNames = ['deprecation', 'sunset', 'link']

/** The prefix of the API, and the headers that all its responses have. */
export type Interface = { prefix: string; promised: (answer: Case) => readonly Promised[] }

const v1: Interface = { prefix: '/v1', promised: promisedHeaders }

export function createChecker(document: OpenApi, { prefix, promised }: Interface = v1): ResponseChecker {
  const operations = operationsOf(document, prefix)
  const isValid = createValidator()
  const anyError = operations[0]?.responses['default']
  if (!anyError) throw new Error('The document has no default answer.')
  const vocabulary = new Set(
    operations.flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ headers }) => Object.keys(headers ?? {}).map((name) => name.toLowerCase())),
    ),
  )

  const operationOf = (method: string, target: string) => {
    const path = pathOf(target)
    // A literal path segment takes precedence over a parameter.
    return operations
      .filter((one) => one.method === (method === 'HEAD' ? 'GET' : method) && one.matches.test(path))
      .sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0]
  }

  function check(answered: Answered): ResponseFinding[] {
    const { method, target, status, text } = answered
    const path = pathOf(target)
    const operation = operationOf(method, target)
    const response = documented(operation, status, method)
    const findings: ResponseFinding[] = []
    const find = (kind: FindingKind, detail: string) => void findings.push({ kind, detail })
    if (!response) find('status', `${status} is not documented for ${operation?.operationId ?? 'an unknown path'}`)

    const type = headerText(answered, 'content-type')
    const types = Object.keys((response ?? anyError)?.content ?? {})
    const expected = types.find((one) => one === type) ?? types[0] ?? 'application/json'
    const { value, trouble } = text === '' || expected !== 'application/json' ? {} : parse(text)
    if (method === 'HEAD' || status === 204 || status === 304) {
      if (text !== '') find('body', `an answer without a body has ${text.length} characters of it`)
    } else {
      if (type !== expected) find('content-type', `Content-Type is ${type}`)
      const schema = (response ?? anyError)?.content?.['application/json']?.schema
      const fault = trouble ?? (schema && isValid(schema, value))
      if (fault !== undefined) find('body', fault)
      const bodyStatus = (value as ErrorBody | null | undefined)?.status
      if (status >= 400 && bodyStatus !== status) find('status-field', `status says ${String(bodyStatus)}`)
    }

    const { code, message } = status >= 400 && isObject(value) ? (value as ErrorBody) : {}
    const isInside = path === prefix || path.startsWith(`${prefix}/`)
    const isDeprecatedPath = operations.some((one) => one.deprecated && one.matches.test(path))
    for (const [name, form] of promised({ method, status, code, message, isInside, isDeprecatedPath })) {
      const sent = headerText(answered, name)
      if (sent === undefined || !form.test(sent)) find('header', `${name} is ${sent}`)
    }
    if (response && operation) {
      const faults = headerFaults(answered, response, { vocabulary, isValid, isDeprecated: operation.deprecated })
      for (const fault of faults) find('header', fault)
    }
    return findings
  }

  function documented(operation: Operation | undefined, status: number, method: string): Response | undefined {
    if (status === 204 && method === 'OPTIONS') return { headers: {} }
    if (!operation) return status >= 400 ? anyError : undefined
    return operation.responses[status] ?? (anywhere.has(status) ? operation.responses['default'] : undefined)
  }

  return { operations, operationOf, check }
}

/** The fault of a value, if any. */
export function createValidator(): (schema: Schema, value: unknown) => string | undefined {
  const ajv = newAjv()
  const compiled = new WeakMap<object, ValidateFunction>()
  // A document without references has hundreds of copies of the same few schemas.
  const byText = new Map<string, ValidateFunction>()
  const compile = (schema: Schema) => {
    const text = JSON.stringify(schema)
    const validate = byText.get(text) ?? ajv.compile(enforced(schema))
    byText.set(text, validate)
    compiled.set(schema, validate)
    return validate
  }
  return (schema, value) => {
    const validate = compiled.get(schema) ?? compile(schema)
    return validate(value) ? undefined : ajv.errorsText(validate.errors)
  }
}

type HeaderRules = {
  vocabulary: ReadonlySet<string>
  isDeprecated: boolean
  isValid: (schema: Schema, value: unknown) => string | undefined
}

/** Compares documented headers with the received ones, in both directions. */
function headerFaults(
  answered: Answered,
  response: Response,
  { vocabulary, isDeprecated, isValid }: HeaderRules,
): string[] {
  const faults: string[] = []
  const documented = Object.entries(response.headers ?? {})
  for (const [name, { required, schema }] of documented) {
    const text = headerText(answered, name)
    if (text === undefined) {
      if (required) faults.push(`${name} is documented as required and missing`)
      continue
    }
    const fault = isValid(schema, headerValue(text, schema))
    if (fault !== undefined) faults.push(`${name}: ${fault}`)
  }
  const known = new Set(documented.map(([name]) => name.toLowerCase()))
  for (const name of Object.keys(answered.headers)) {
    const isKnown = known.has(name) || (isDeprecated && noticeNames.includes(name)) || anywhere.has(answered.status)
    if (vocabulary.has(name) && !isKnown) faults.push(`${name} is sent and not documented`)
  }
  return faults
}

export function headerText({ headers }: Pick<Answered, 'headers'>, name: string): string | undefined {
  const value = headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(', ') : value
}

function headerValue(text: string, { type }: Header['schema']): unknown {
  if (type === 'integer') return /^-?\d+$/.test(text) ? Number(text) : text
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Integers beyond 2^53 are parsed as bigint, and numbers that are not in plain decimal notation are rejected. */
function parse(text: string): { value?: unknown; trouble?: string } {
  try {
    if (!/\d{16}|[\d.][.eE]/.test(text)) return { value: JSON.parse(text) as unknown }
    const value: unknown = JSON.parse(text, exactly as (key: string, value: unknown) => unknown)
    return { value }
  } catch (error) {
    return { trouble: `not JSON: ${(error as Error).message}` }
  }
}

function exactly(_: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number') return value
  const source = context.source ?? ''
  if (!/^-?\d+$/.test(source)) throw new Error(`a number is written ${source}`)
  return Number.isSafeInteger(value) ? value : BigInt(source)
}

function newAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    strictTypes: false,
  })
  ajv.addKeyword({ keyword: 'int64', errors: false, validate: (_: unknown, value: unknown) => isInt64(value) })
  ajv.addFormat('int32', { type: 'number', validate: (value) => (value | 0) === value })
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  ajv.addFormat('uri', (text) => URL.canParse(text))
  return ajv
}

const isInt64 = (value: unknown): boolean =>
  typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value)

/** The schema of the OpenAPI document, with int64 decided on the digits and not on a rounded number. */
function enforced(schema: Schema): object {
  const { properties, items, additionalProperties, ...rest } = schema
  if (schema.format === 'int64') {
    return [schema.type].flat().includes('null') ? { anyOf: [{ type: 'null' }, { int64: true }] } : { int64: true }
  }
  const alternatives = (['anyOf', 'oneOf', 'allOf'] as const).flatMap((name) => {
    const list = schema[name]
    return list ? [[name, list.map(enforced)] as const] : []
  })
  return {
    ...rest,
    ...Object.fromEntries(alternatives),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, enforced(of)])),
    }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? enforced(additionalProperties) : additionalProperties,
    }),
    ...(items && { items: enforced(items) }),
  }
}
