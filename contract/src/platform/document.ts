// The OpenAPI document of `/platform/v1` (OpenAPI 3.1.1), generated from its operations.
// Nothing that an operation defines is listed here by hand: new operations, their schemas and
// their tags are included automatically.

import { ErrorBody } from '../errors.ts'
import { Int64 } from '../int64.ts'
import { ifNoneMatch } from '../parameters.ts'
import { PetStatus } from '../pets.ts'
import { namedSchemas, printerOf, serversOf, type Installation } from '../printing.ts'
import type { Json } from '../responses.ts'
import { RECENT_MINUTES, roles, tokenScopeOf, type PlatformOperation } from './operation.ts'
import { platformOperations } from './operations.ts'
import { platformHeaders, platformResponseNames, platformResponses } from './responses.ts'

export function platformDocument(installation: Installation) {
  const paths = printer.paths(platformOperations)
  const parameters = printer.parameters(platformOperations)
  const responses = referredTo('responses', platformResponses, paths)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Petstore platform',
      version: '1.0.0',
      description:
        'The management API that the dashboard uses: accounts, projects and everything in them. A browser has a session,\na script has a personal access token. Every error, whatever its cause, carries the `Error` body.\n',
      contact: installation.contact,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base',
    servers: serversOf(installation),
    tags: tags(),
    paths,
    components: {
      securitySchemes,
      parameters,
      headers: referredTo('headers', platformHeaders, [paths, responses]),
      responses,
      schemas: referredTo('schemas', schemas, [paths, parameters, responses, schemas]),
    },
  }
}

const securitySchemes = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-petstore',
    description:
      'Set by signing in. A request that changes something with it must come from a page of the dashboard: `Origin` is checked. The try-out of the API reference sends no cookie; enter a personal access token there.',
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'Personal access token',
    description:
      "`Authorization: Bearer <TOKEN>`. A project's API key, which authenticates requests to `/v1`, is not accepted here. A token has the scopes `read`, `write` or both, and every operation names the one that it needs; with another the response is 403 `insufficient_scope`.",
  },
}

/** A tag without a text here is described by its name. */
const tagTexts: Record<string, string> = {
  account:
    'The person who is signed in: sessions, password, passkeys, tokens and what happened to the account; and its recovery.',
  projects: 'Projects: one store each.',
  members: 'The members of a project, and invitations to it.',
  notifications: 'What members and visitors are mailed about.',
  keys: 'API keys, with which programs use `/v1`.',
  audit: 'Audit events of a project.',
  watching: 'What changes in projects and domains, as it happens.',
  animals: 'The animals of a project, and their categories.',
  imports: 'Imports of animals from CSV files.',
  orders: 'Reservations of animals by visitors.',
  site: 'The site of a project: its draft and its deployments.',
  domains: 'Custom domains of a project.',
}

function tags(): Json[] {
  const names = [...new Set(platformOperations.map(({ tag }) => tag))]
  return names.map((name) => ({
    name,
    'x-displayName': `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
    description: tagTexts[name] ?? `Operations on ${name}.`,
  }))
}

const isCached = ({ method, success }: PlatformOperation) => method === 'GET' && 'schema' in success && !success.noStore
const isMember = (access: PlatformOperation['access']) => roles.some((role) => role === access)

const printer = printerOf<PlatformOperation>(namedSchemas(platformOperations, [Int64, PetStatus, ErrorBody]), {
  responseNames: platformResponseNames,
  parametersOf: (operation) =>
    isCached(operation) ? { ...operation.parameters, 'If-None-Match': ifNoneMatch } : operation.parameters,
  statusesOf: (operation) =>
    [...new Set([...(isCached(operation) ? [304] : []), ...operation.otherStatuses])].toSorted((a, b) => a - b),
  headersOf: (operation) => [
    // Only cacheable responses have an ETag, whatever their other headers.
    ...(isCached(operation) ? ['ETag'] : []),
    ...operation.success.headers.filter((name) => name !== 'ETag'),
    'RateLimit',
    'RateLimit-Policy',
    'Request-Id',
  ],
  descriptionOf: ({ description, access, recent }) =>
    [
      description,
      ...(isMember(access) ? [`Requires the role \`${access}\` or higher.`] : []),
      ...(recent
        ? [
            `Requires a session in which the person has signed in or re-authenticated in the last ${RECENT_MINUTES} minutes; otherwise the response is 403 \`reauthentication_required\`. An access token is not accepted.`,
          ]
        : []),
    ].join('\n\n'),
  extensionsOf: ({ access, recent, method }) => ({
    security: securityOf({ access, recent, method }),
    ...(isMember(access) && { 'x-role': access }),
    ...(recent && { 'x-recent': true }),
  }),
})

type Secured = Pick<PlatformOperation, 'access' | 'method'> & { recent: PlatformOperation['recent'] | undefined }

/** The token first: request examples use the first alternative, and programs have no session. */
function securityOf({ access, recent, method }: Secured): Json[] {
  if (access === 'anyone') return []
  return [...(recent ? [] : [{ token: [tokenScopeOf({ method })] }]), { session: [] }]
}

const schemas = printer.schemas()

/** The components that something refers to. */
function referredTo<Component>(kind: string, all: Record<string, Component>, from: unknown): Record<string, Component> {
  const text = JSON.stringify(from)
  return Object.fromEntries(Object.entries(all).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)))
}
