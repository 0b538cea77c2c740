// The event stream: what changes in projects and domains, as it happens, for everything that a client shows, on one
// connection.

import type { Parameter } from '../parameters.ts'
import type { AuditAction } from './audit.ts'
import type { Domain } from './domain-shapes.ts'
import { member, type PlatformOperation } from './operation.ts'

export const TOPICS_MAX = 16

/** A change of a topic: what was done in the project, or the domain as it is now. */
export type TopicChanged = { topic: string } & ({ actions: readonly AuditAction[] } | { domain: Domain })

/** Nothing more is sent about the topic: the domain was removed, or the account may not watch it. */
export type TopicEnded = { topic: string; reason: 'removed' | 'not_allowed' }

// Neither slugs nor hostnames contain a slash, a comma, a blank or a control character.
const name = '[^/,\\u0000-\\u0020\\u007F]{1,253}'
const topic = `(project:${name}|domain:${name}/${name})`

const topics: Parameter<string, 'query'> = {
  in: 'query',
  description: `1 to ${TOPICS_MAX} topics, separated by commas: \`project:{slug}\` or \`domain:{slug}/{hostname}\`.`,
  schema: { type: 'string', pattern: `^${topic}(,${topic}){0,${TOPICS_MAX - 1}}$` },
  refusal: 'invalid_parameter',
  example: 'project:happy-paws,domain:happy-paws/www.happy-paws.example',
}

export const watch = {
  operationId: 'watch',
  method: 'GET',
  path: '/watch',
  tag: 'watching',
  access: 'account',
  summary: 'Watch projects and domains',
  description:
    'A server-sent event stream for members of the projects.\n\n`event: changed` of a project carries the audit actions that have just occurred, such as `{"topic":"project:happy-paws","actions":["order_placed"]}`. It starts with the actions of the last 10 seconds, so that nothing is missed between loading a page and subscribing; earlier actions are not replayed. Changes to the records or certificate of a domain are not included: watch the domain.\n\n`event: changed` of a domain carries its `topic` and, as `domain`, the same JSON as Show a domain: first its current state, and again after each change. While the stream is open, the domain is checked every 2 seconds.\n\n`event: ended` carries a `topic` of which nothing more is sent and the `reason`: `removed` when the domain was removed, `not_allowed` when the caller may not or may no longer watch it. The stream closes with its last topic, and when the session or the access token ends. If the caller may watch none of the topics, the request is refused.\n\nThe number of open streams of an account and of a project is limited; above it the request is refused with 429.',
  parameters: { topics },
  success: { status: 200, description: 'The events.', type: 'text/event-stream', headers: [] },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const watchingOperations: readonly PlatformOperation[] = [watch]
