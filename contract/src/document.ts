// The contract document (OpenAPI 3.1.1), printed from the operations. 3.1 and
// not 3.2, because the common generators and references still refuse 3.2.
//
// No int64 bounds are written: JSON readers round them to doubles. The server
// decides the range on the source text.

import { ErrorBody } from './errors.ts'
import { Int64 } from './int64.ts'
import { operations, type Operation } from './operations.ts'
import { Order, Orders } from './orders.ts'
import type { Parameter } from './parameters.ts'
import { NewPet, Pet, PetStatus, Pets } from './pets.ts'
import { headers, refer, responseNames, responses, type Json } from './responses.ts'

export type Addresses = { production: string; staging: string }

const schemas = [Int64, PetStatus, NewPet, Pet, Pets, Order, Orders, ErrorBody]

export type Document = ReturnType<typeof contractDocument>

export function contractDocument({ production, staging }: Addresses) {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Petstore',
      version: '1.0.0',
      description:
        'A store of animals. Every operation needs a bearer API key, and a key sees the animals of its\nown project only. Bodies are JSON. Every error, whatever its cause, carries the `Error` body.\n',
      contact: { name: 'Petstore API', url: 'https://petstore.example/docs', email: 'api@petstore.example' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base',
    servers: [
      { url: production, description: 'Production' },
      { url: staging, description: 'Staging' },
    ],
    security: [{ apiKey: [] }],
    tags,
    'x-tagGroups': [
      { name: 'Store', tags: ['orders'] },
      { name: 'Pets', tags: ['animals'] },
    ],
    paths: paths(),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'API key',
          description: '`Authorization: Bearer <API_KEY>`',
        },
      },
      parameters: sharedParameters(),
      headers,
      responses,
      schemas: Object.fromEntries(schemas.map((schema) => [idOf(schema), printed(schema, idOf(schema))])),
    },
  }
}

// Store and Pets are navigation groups: no operation carries them.
const tags = [
  { name: 'Store', description: 'Navigation group without operations of its own.' },
  { name: 'Pets', description: 'Navigation group without operations of its own.' },
  { name: 'animals', 'x-displayName': 'Animals', 'x-parent': 'Pets', description: 'List, add and fetch animals.' },
  {
    name: 'orders',
    'x-displayName': 'Orders',
    'x-parent': 'Store',
    description: 'Requests for animals (experimental).',
  },
]

function paths(): Record<string, Record<string, Json>> {
  const found: Record<string, Record<string, Json>> = {}
  for (const operation of operations) {
    found[operation.path] = { ...found[operation.path], [operation.method.toLowerCase()]: printedOperation(operation) }
  }
  return found
}

function printedOperation(operation: Operation): Json {
  const { operationId, tag, summary, description, parameters, body, success, otherStatuses } = operation
  const deprecation = operation.deprecation ? ['Deprecation', 'Sunset', 'Link'] : []
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    ...extensions(operation),
    parameters: Object.entries(parameters).map(([name, parameter]) =>
      parameter.component
        ? { $ref: `#/components/parameters/${parameter.component}` }
        : printedParameter(name, parameter),
    ),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: printed(body.schema), examples: body.examples as Json } },
      },
    }),
    responses: {
      [success.status]: {
        description: success.description,
        headers: refer([...deprecation, ...success.headers, 'RateLimit', 'RateLimit-Policy', 'Request-Id']),
        content: { 'application/json': { schema: printed(success.schema), example: success.example as Json } },
      },
      ...Object.fromEntries(
        otherStatuses.map((status) => [status, { $ref: `#/components/responses/${responseNames[status]}` }]),
      ),
      default: { $ref: '#/components/responses/AnyError' },
    },
  }
}

/** One stability, one sunset and one try-out switch, in the spelling of each reference tool. */
function extensions({ deprecation, stability, tryOut }: Operation): Record<string, Json> {
  const sunset = deprecation?.sunset.slice(0, 10)
  return {
    ...(sunset && { deprecated: true, 'x-deprecated-sunset': sunset, 'x-sunset': sunset }),
    ...(stability && {
      'x-stability': stability,
      'x-stability-level': 'alpha',
      'x-scalar-stability': stability,
      'x-badges': [{ name: 'Experimental' }],
    }),
    ...(tryOut === false && {
      'x-hideTryItPanel': true,
      'x-hideReplay': true,
      'x-explorer-enabled': false,
      'x-readme': { 'explorer-enabled': false },
      'x-fern-explorer': false,
      'x-zudoku-playground-enabled': false,
    }),
  }
}

function printedParameter(name: string, { in: place, description, schema, example }: Parameter): Json {
  return {
    name,
    in: place,
    required: place === 'path',
    description,
    schema: printed(schema),
    ...(example && { example }),
  }
}

function sharedParameters(): Record<string, Json> {
  const shared: Record<string, Json> = {}
  for (const { parameters } of operations) {
    for (const [name, parameter] of Object.entries(parameters)) {
      if (parameter.component) shared[parameter.component] = printedParameter(name, parameter)
    }
  }
  return shared
}

const idOf = (schema: object): string => (schema as { $id: string }).$id

/** A schema as it stands in the document: whatever has a name is referred to, and said only once. */
function printed(schema: object, self?: string): Json {
  const id = (schema as { $id?: string }).$id
  if (id !== undefined && id !== self) {
    const { default: standard, description } = schema as { default?: Json; description?: string }
    const named = schemas.find((candidate) => idOf(candidate) === id) as { description?: string } | undefined
    return {
      $ref: `#/components/schemas/${id}`,
      ...(standard !== undefined && { default: standard }),
      ...(description !== undefined && description !== named?.description && { description }),
    }
  }
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== '$id')
      .map(([key, value]) => [key, printedMember(key, value)]),
  )
}

function printedMember(key: string, value: unknown): Json {
  if (key === 'properties') {
    return Object.fromEntries(Object.entries(value as Record<string, object>).map(([name, of]) => [name, printed(of)]))
  }
  return key === 'items' ? printed(value as object) : (value as Json)
}
