// Compares an OpenAPI document with a running server, and returns one sentence per difference.
// Routes, parameters and bodies are probed: the document decides which requests are sent and
// which of them must succeed. Responses are compared with those that witnesses have recorded.

import type { RawRequest } from './http.ts'
import { operationsOf, type OpenApi, type Operation, type Parameter, type Schema } from './openapi.ts'
import type { Answered } from './response-checker.ts'
import { isValidJson, isValidText, jsonPool, spellings, textPool } from './schema-samples.ts'

export type Probe = {
  send(sent: RawRequest): Promise<Answered>
  /** Values that cannot be derived from a schema: existing identifiers, issued cursors. */
  known: Record<string, string>
  /** Names of parameters and paths that the server might accept although the OpenAPI document does not list them. */
  names: readonly string[]
  paths: readonly string[]
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']

/** Every documented path accepts its methods and no others; every other path is not found. */
export async function routeDifferences(document: OpenApi, probe: Probe): Promise<string[]> {
  const operations = operationsOf(document)
  const paths = [...new Set(operations.map(({ path }) => path))]
  const found: string[] = []
  for (const path of paths) {
    const documented = operations.filter((one) => one.path === path).map(({ method }) => method)
    const allowed = [...documented.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS']
    for (const method of METHODS) {
      const { status, headers } = await probe.send({ method, path: `/v1${filled(path, probe)}` })
      const isRefused = status === 405 || status === 404
      if (allowed.includes(method) === isRefused) found.push(`${method} ${path} answers ${status}`)
      const hasAllow = method === 'OPTIONS' || status === 405
      if (hasAllow && !sameItems(headers['allow'], allowed))
        found.push(`${method} ${path} allows ${String(headers['allow'])}`)
    }
  }
  const isDocumented = (path: string) => operations.some(({ matches }) => matches.test(`/v1${path}`))
  for (const path of probe.paths.map((one) => filled(one, probe)).filter((one) => !isDocumented(one))) {
    for (const method of METHODS) {
      const { status, headers } = await probe.send({ method, path: `/v1${path}` })
      if (status !== (method === 'OPTIONS' ? 204 : 404)) found.push(`undocumented ${method} ${path} answers ${status}`)
      if (method === 'OPTIONS' && headers['allow'] !== 'OPTIONS')
        found.push(`${path} allows ${String(headers['allow'])}`)
    }
  }
  return found
}

const sameItems = (header: string | string[] | undefined, items: string[]): boolean =>
  String(header).split(', ').sort().join() === [...items].sort().join()

/** Every parameter accepts what its schema allows and nothing else; no other parameters are accepted. */
export async function parameterDifferences(document: OpenApi, probe: Probe): Promise<string[]> {
  const found: string[] = []
  for (const operation of operationsOf(document)) {
    for (const parameter of operation.parameters) {
      const what = `${operation.operationId} ${parameter.name}`
      for (const { text, isValid } of samplesOf(parameter, probe)) {
        const { status } = await probe.send(requestWith(operation, probe, [[parameter, text]]))
        const isAccepted = status < 400
        if (isAccepted !== isValid) found.push(`${what}=${shown(text)} is ${isAccepted ? '' : 'not '}accepted`)
      }
      if (parameter.in === 'query') found.push(...(await queryRules(operation, parameter, probe)))
    }
    found.push(...(await undocumentedParameters(operation, probe)))
  }
  return found
}

function samplesOf(parameter: Parameter, { known }: Probe): { text: string; isValid: boolean }[] {
  const { name, schema } = parameter
  const value = known[name]
  const texts = value === undefined ? textPool(schema) : [value, ...spellings(value), ...textPool(schema)]
  return [...new Set(texts)]
    .filter((text) => parameter.in !== 'header' || isHeaderText(text))
    .map((text) => ({
      text,
      // For an identifier that must exist, only the existing value is certainly valid.
      isValid: isValidText(schema, text) && (value === undefined || text === value),
    }))
}

/** At most once, and with the documented default when absent. */
async function queryRules(operation: Operation, parameter: Parameter, probe: Probe): Promise<string[]> {
  const what = `${operation.operationId} ${parameter.name}`
  const found: string[] = []
  const [right] = samplesOf(parameter, probe).filter(({ isValid }) => isValid)
  if (!right) return [`${what} has no valid value`]
  const pair: [Parameter, string] = [parameter, right.text]
  const twice = await probe.send(requestWith(operation, probe, [pair, pair]))
  if (twice.status !== 400) found.push(`${what} twice answers ${twice.status}`)
  if (parameter.schema.default !== undefined) {
    const absent = await probe.send(requestWith(operation, probe, []))
    const given = await probe.send(
      requestWith(operation, probe, [[parameter, JSON.stringify(parameter.schema.default)]]),
    )
    if (absent.text !== given.text) found.push(`${what} has another default`)
  }
  return found
}

async function undocumentedParameters(operation: Operation, probe: Probe): Promise<string[]> {
  const found: string[] = []
  const documented = operation.parameters.map(({ name }) => name)
  for (const name of probe.names.filter((one) => !documented.includes(one))) {
    const asQuery = requestWith(operation, probe, [[{ name, in: 'query', required: false, schema: {} }, '1']])
    const { text } = await probe.send(asQuery)
    if (!text.includes('"unknown_parameter"')) found.push(`${operation.operationId} takes an undocumented ${name}`)
    // A header without a meaning changes nothing; these two values would change something.
    for (const text of isToken(name) ? ['*', '"'] : []) {
      const header: Parameter = { name, in: 'header', required: false, schema: {} }
      const { status } = await probe.send(requestWith(operation, probe, [[header, text]]))
      if (status !== 200 && status !== 201) found.push(`${operation.operationId} reads an undocumented header ${name}`)
    }
  }
  return found
}

/** The body is accepted exactly as its schema defines. */
export async function bodyDifferences(document: OpenApi, probe: Probe): Promise<string[]> {
  const found: string[] = []
  for (const operation of operationsOf(document)) {
    if (!operation.body) continue
    const { schema, required } = operation.body
    const post = async (body: string | null, isValid: boolean, what: string): Promise<Answered> => {
      const answered = await probe.send(requestWith(operation, probe, [], body))
      if (answered.status < 400 !== isValid) found.push(`${operation.operationId}: ${what} answers ${answered.status}`)
      return answered
    }
    const base = validFields(schema)
    await post(null, !required, 'no body')
    for (const json of ['null', '1', '""', 'true', '[]', '[{}]']) await post(json, false, `the body ${json}`)
    for (const [name, of] of Object.entries(schema.properties ?? {})) {
      const { [name]: _, ...others } = base
      const isRequired = schema.required?.includes(name) === true
      const without = await post(objectText(others), !isRequired, `${name} missing`)
      if (
        !isRequired &&
        of.default !== undefined &&
        !without.text.includes(`"${name}":${JSON.stringify(of.default)}`)
      ) {
        found.push(`${operation.operationId}: ${name} has another default`)
      }
      for (const json of jsonPool(of)) {
        await post(objectText({ ...base, [name]: json }), isValidJson(of, json), `${name}=${shown(json)}`)
      }
    }
    const isClosed = schema.additionalProperties === false || schema.unevaluatedProperties === false
    for (const name of ['extra', 'id', '__proto__', 'constructor', '']) {
      if (name in (schema.properties ?? {}) && Object.hasOwn(schema.properties ?? {}, name)) continue
      await post(objectText({ ...base, [name]: '1' }), !isClosed, `an unknown field ${shown(name)}`)
    }
  }
  return found
}

/** A field's first valid sample, as JSON text. */
export function validFields({ properties = {} }: Schema): Record<string, string> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const right = jsonPool(schema).find((json) => isValidJson(schema, json))
      if (right === undefined) throw new Error(`no valid sample for ${name}`)
      return [name, right]
    }),
  )
}

const objectText = (fields: Record<string, string>): string =>
  `{${Object.entries(fields)
    .map(([name, json]) => `${JSON.stringify(name)}:${json}`)
    .join(',')}}`

function requestWith(
  operation: Operation,
  probe: Probe,
  parameters: readonly (readonly [Parameter, string])[],
  body: string | null = operation.body ? objectText(validFields(operation.body.schema)) : null,
): RawRequest {
  const { method, path } = operation
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  const inPath: Record<string, string> = {}
  for (const [parameter, text] of parameters) {
    if (parameter.in === 'query') query.append(parameter.name, text)
    else if (parameter.in === 'header') headers[parameter.name] = text
    else inPath[parameter.name] = text
  }
  const target = `/v1${filled(path, probe, inPath)}${query.size > 0 ? `?${query.toString()}` : ''}`
  if (body !== null) headers['Content-Type'] = 'application/json'
  return { method, path: target, headers, ...(body !== null && { body }) }
}

function filled(path: string, { known }: Probe, values: Record<string, string> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(values[name] ?? known[name] ?? '1'))
}

/** Half a surrogate pair cannot be encoded in a path; the replacement character of decoders takes its place. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())
const isHeaderText = (text: string): boolean =>
  /^([\x21-\x7e\x80-\xff]([\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/.test(text)
const isToken = (text: string): boolean => /^[\w-]+$/.test(text)
const shown = (text: string): string =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 20)}… (${text.length})` : text)
