// An OpenAPI document, read as a third party would read it: as plain JSON, independently of the
// code it was generated from. References are resolved, so that comparisons use whole schemas.

export type Schema = {
  type?: string | string[]
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  unevaluatedProperties?: boolean
  items?: Schema
  maxItems?: number
  examples?: unknown[]
}
export type Parameter = { name: string; in: 'query' | 'header' | 'path'; required: boolean; schema: Schema }
export type Header = { required?: boolean; schema: Schema }
export type Response = {
  headers?: Record<string, Header>
  content?: Record<string, { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }>
}
export type Operation = {
  operationId: string
  method: string
  /** Below `/v1` or `/platform/v1`, with its `{parameters}`. */
  path: string
  deprecated: boolean
  parameters: Parameter[]
  body: { required: boolean; schema: Schema } | undefined
  /** Media types of a body that is not JSON. */
  bytes: string[]
  /** By status, and `default`. */
  responses: Record<string, Response>
  matches: RegExp
}

type Raw = { [name: string]: unknown }
export type OpenApi = { paths: Record<string, Raw>; servers: { url: string }[] } & Raw

/** A copy without references; `change` may alter it before it is read. */
export function readDocument(document: object, change?: (copy: OpenApi) => void): OpenApi {
  const copy = JSON.parse(JSON.stringify(document)) as OpenApi
  change?.(copy)
  return resolved(copy, copy) as OpenApi
}

function resolved(value: unknown, root: OpenApi): unknown {
  if (Array.isArray(value)) return value.map((item) => resolved(item, root))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...rest } = value as Raw & { $ref?: string }
  const members = Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, resolved(member, root)]))
  if ($ref === undefined) return members
  return { ...(resolved(lookUp(root, $ref), root) as Raw), ...members }
}

function lookUp(root: OpenApi, reference: string): unknown {
  const steps = reference.replace(/^#\//, '').split('/')
  const found = steps.reduce<unknown>((at, step) => (at as Raw | undefined)?.[step], root)
  if (found === undefined) throw new Error(`The document refers to ${reference}, which is not there.`)
  return found
}

export function operationsOf(document: OpenApi, prefix = '/v1'): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => {
      const { operationId, deprecated, parameters, requestBody, responses } = raw as Raw & {
        operationId: string
        deprecated?: boolean
        parameters?: Parameter[]
        requestBody?: { required?: boolean; content: Record<string, { schema?: Schema }> }
        responses: Record<string, Response>
      }
      const schema = requestBody?.content['application/json']?.schema
      return {
        operationId,
        method: method.toUpperCase(),
        path,
        deprecated: deprecated === true,
        parameters: parameters ?? [],
        body: schema && { required: requestBody?.required === true, schema },
        bytes: schema ? [] : Object.keys(requestBody?.content ?? {}),
        responses,
        matches: templateOf(prefix, path),
      }
    }),
  )
}

const templateOf = (prefix: string, path: string): RegExp =>
  new RegExp(`^${prefix}${path.replace(/\{\w+\}/g, '[^/]*').replaceAll('.', '\\.')}$`)

/** The path of a request target as HTTP compares them: absolute-form and percent-encoding make no difference. */
export function pathOf(target: string): string {
  const [path = ''] = target.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
