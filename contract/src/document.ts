// The OpenAPI document of `/v1` (OpenAPI 3.1.1), generated from the operations. 3.1 and not
// 3.2, because the common generators and references still reject 3.2.
//
// No int64 bounds are written: JSON parsers round them to doubles. The server checks the range
// on the source text.

import { ErrorBody } from './errors.ts'
import { Int64 } from './int64.ts'
import { operations, type Operation } from './operations.ts'
import { Order, Orders } from './orders.ts'
import { NewPet, Pet, PetStatus, Pets } from './pets.ts'
import { printerOf, serversOf, type Installation } from './printing.ts'
import { headers, responseNames, responses, type Json } from './responses.ts'

const schemas = [Int64, PetStatus, NewPet, Pet, Pets, Order, Orders, ErrorBody]

export type Document = ReturnType<typeof contractDocument>

export function contractDocument(installation: Installation) {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Petstore',
      version: '1.0.0',
      description:
        'A store of animals. Every operation needs a bearer API key, and a key sees the animals of its\nown project only. Bodies are JSON. Every error, whatever its cause, carries the `Error` body.\n',
      contact: installation.contact,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base',
    servers: serversOf(installation),
    security: [{ apiKey: [] }],
    tags,
    'x-tagGroups': [
      { name: 'Store', tags: ['orders'] },
      { name: 'Pets', tags: ['animals'] },
    ],
    paths: printer.paths(operations),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'API key',
          description: '`Authorization: Bearer <API_KEY>`',
        },
      },
      parameters: printer.parameters(operations),
      headers,
      responses,
      schemas: printer.schemas(),
    },
  }
}

// Store and Pets are navigation groups: no operation has them as tags.
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

const printer = printerOf<Operation>(schemas, {
  responseNames,
  headersOf: ({ deprecation, success }) => [
    ...(deprecation ? ['Deprecation', 'Sunset', 'Link'] : []),
    ...success.headers,
    'RateLimit',
    'RateLimit-Policy',
    'Request-Id',
  ],
  extensionsOf: extensions,
})

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
