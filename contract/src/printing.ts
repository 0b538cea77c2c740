// Generates the operations and schemas of an OpenAPI document (3.1.1), for either API.
// Everything with a name is defined once, under `components`, and referenced everywhere else.

import type { BytesBody, JsonBody, OperationShape, Success } from './operation.ts'
import type { Parameter } from './parameters.ts'
import { refer, type Json } from './responses.ts'

export type Addresses = Readonly<{ production: string; staging: string }>

/** The `info.contact` of an OpenAPI document. */
export type Contact = Readonly<{ name: string; url: string; email?: string }>

/** The parts of an OpenAPI document that differ between installations. */
export type Installation = Addresses & Readonly<{ contact: Contact }>

/** The `servers` of an OpenAPI document: production first. One address is listed once, however it is spelt. */
export function serversOf({ production, staging }: Addresses): { url: string; description: string }[] {
  if (new URL(production).href === new URL(staging).href) return [{ url: production, description: 'This installation' }]
  return [
    { url: production, description: 'Production' },
    { url: staging, description: 'Staging' },
  ]
}

/** How an operation is generated, beyond what is common to all operations. */
export type Manner<O extends OperationShape> = {
  /** Response components, by status. */
  responseNames: Readonly<Record<number, string>>
  parametersOf?: (operation: O) => Readonly<Record<string, Parameter>>
  statusesOf?: (operation: O) => readonly number[]
  headersOf: (operation: O) => readonly string[]
  descriptionOf?: (operation: O) => string
  extensionsOf: (operation: O) => Record<string, Json>
}

export type Printer<O extends OperationShape> = {
  paths(operations: readonly O[]): Record<string, Record<string, Json>>
  parameters(operations: readonly O[]): Record<string, Json>
  schemas(): Record<string, Json>
}

/** `named` are the schemas that become components, in that order. */
export function printerOf<O extends OperationShape>(named: readonly object[], manner: Manner<O>): Printer<O> {
  const parametersOf = (operation: O) => Object.entries(manner.parametersOf?.(operation) ?? operation.parameters)

  const printedOperation = (operation: O): Json => {
    const { operationId, tag, summary, body, success } = operation
    const statuses = manner.statusesOf?.(operation) ?? operation.otherStatuses
    return {
      operationId,
      tags: [tag],
      summary,
      description: manner.descriptionOf?.(operation) ?? operation.description,
      ...manner.extensionsOf(operation),
      parameters: parametersOf(operation).map(([name, parameter]) =>
        parameter.component
          ? { $ref: `#/components/parameters/${parameter.component}` }
          : printedParameter(name, parameter),
      ),
      ...(body && { requestBody: printedBody(body) }),
      responses: {
        [success.status]: {
          description: success.description,
          headers: refer(manner.headersOf(operation)),
          ...contentOf(success),
        },
        ...Object.fromEntries(
          statuses.map((status) => [status, { $ref: `#/components/responses/${nameOf(status, operation)}` }]),
        ),
        default: { $ref: '#/components/responses/AnyError' },
      },
    }
  }

  const nameOf = (status: number, { operationId }: O): string => {
    const name = manner.responseNames[status]
    if (name === undefined) throw new Error(`${operationId} answers ${status}, which has no words in the document.`)
    return name
  }

  const printedBody = (body: JsonBody | BytesBody): Json => {
    if ('schema' in body) {
      return {
        required: true,
        content: { 'application/json': { schema: printed(body.schema), examples: body.examples as Json } },
      }
    }
    return {
      description: body.description,
      required: true,
      content: Object.fromEntries(body.types.map((type) => [type, {}])),
    }
  }

  const contentOf = (success: Success): Record<string, Json> => {
    if ('schema' in success) {
      return {
        content: { 'application/json': { schema: printed(success.schema), example: success.example as Json } },
      }
    }
    if ('types' in success) return { content: Object.fromEntries(success.types.map((type) => [type, {}])) }
    return 'type' in success ? { content: { [success.type]: { schema: { type: 'string' } } } } : {}
  }

  const printedParameter = (name: string, { in: place, description, schema, example }: Parameter): Json => ({
    name,
    in: place,
    required: place === 'path',
    description,
    schema: printed(schema),
    ...(example && { example }),
  })

  /** A schema in the OpenAPI document: everything with a name is referenced, and defined only once. */
  const printed = (schema: object, self?: string): Json => {
    const id = idOf(schema)
    if (id !== undefined && id !== self) {
      const { default: standard, description } = schema as { default?: Json; description?: string }
      const origin: { description?: string } | undefined = named.find((candidate) => idOf(candidate) === id)
      return {
        $ref: `#/components/schemas/${id}`,
        ...(standard !== undefined && { default: standard }),
        ...(description !== undefined && description !== origin?.description && { description }),
      }
    }
    return Object.fromEntries(
      Object.entries(schema)
        .filter(([key]) => key !== '$id')
        .map(([key, value]) => [key, printedMember(key, value)]),
    )
  }

  const printedMember = (key: string, value: unknown): Json => {
    if (key === 'properties') {
      const members = Object.entries(value as Record<string, object>)
      return Object.fromEntries(members.map(([name, of]) => [name, printed(of)]))
    }
    if (isAlternatives(key)) return (value as object[]).map((one) => printed(one))
    return isSchema(key, value) ? printed(value) : (value as Json)
  }

  return {
    paths(operations) {
      const found: Record<string, Record<string, Json>> = {}
      for (const operation of operations) {
        const method = operation.method.toLowerCase()
        found[operation.path] = { ...found[operation.path], [method]: printedOperation(operation) }
      }
      return found
    },
    parameters(operations) {
      const shared: Record<string, Json> = {}
      for (const [name, parameter] of operations.flatMap(parametersOf)) {
        if (parameter.component) shared[parameter.component] = printedParameter(name, parameter)
      }
      return shared
    },
    schemas: () => Object.fromEntries(named.map((schema) => [idOf(schema), printed(schema, idOf(schema))])),
  }
}

const idOf = (schema: object): string | undefined => (schema as { $id?: string }).$id
const isAlternatives = (key: string) => key === 'anyOf' || key === 'oneOf' || key === 'allOf'
const isSchema = (key: string, value: unknown): value is object =>
  (key === 'items' || key === 'additionalProperties' || key === 'not') && typeof value === 'object' && value !== null

/**
 * Every named schema that the operations use. A copy may have more than the original, such as a default; so of
 * several with one name, the one with the least is the original.
 */
export function namedSchemas(operations: readonly OperationShape[], first: readonly object[]): object[] {
  const found = new Map(first.map((schema) => [idOf(schema) ?? '', schema]))
  const walk = (schema: object): void => {
    const id = idOf(schema)
    const known = id === undefined ? undefined : found.get(id)
    if (id !== undefined && (!known || Object.keys(schema).length < Object.keys(known).length)) found.set(id, schema)
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'properties') Object.values(value as Record<string, object>).forEach(walk)
      else if (isAlternatives(key)) (value as object[]).forEach(walk)
      else if (isSchema(key, value)) walk(value)
    }
  }
  for (const { parameters, body, success } of operations) {
    for (const { schema } of Object.values(parameters)) walk(schema)
    if (body && 'schema' in body) walk(body.schema)
    if ('schema' in success) walk(success.schema)
  }
  return [...found.values()]
}
