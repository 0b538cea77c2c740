// An operation of `/platform/v1`, the API behind the dashboard and the command line. Its
// description includes who may call it.

import type { OperationShape } from '../operation.ts'
import type { Parameter } from '../parameters.ts'

/** In ascending order: each role includes the rights of the ones before. */
export const roles = ['viewer', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

/** Any caller; any signed-in account; or a member of the project in the path, with at least that role. */
export type Access = 'anyone' | 'account' | Role

/** What a personal access token may be used for; a session has both. */
export const tokenScopes = ['read', 'write'] as const
export type TokenScope = (typeof tokenScopes)[number]

export type PlatformOperation = OperationShape & {
  access: Access
  /** The person must have presented a password or a passkey in the last minutes; a token never qualifies. */
  recent?: true
}

/** The scope that a token needs for the operation. What does not only read needs `write`. */
export const tokenScopeOf = ({ method }: Pick<PlatformOperation, 'method'>): TokenScope =>
  method === 'GET' ? 'read' : 'write'

/** For how long a password or a passkey that was presented counts as recent. */
export const RECENT_MINUTES = 10

/** A slug that no project has and one whose project the caller is not a member of are the same: not found. */
export const projectSlug: Parameter<string, 'path'> = {
  in: 'path',
  description: 'Slug of the project.',
  schema: { type: 'string' },
  refusal: 'not_found',
  component: 'Project',
  example: 'happy-paws',
}

export const idParameter = (description: string, example: string): Parameter<string, 'path'> => ({
  in: 'path',
  description,
  schema: { type: 'string' },
  refusal: 'not_found',
  example,
})

/** The statuses that any operation may return in addition to its own refusals, by who may call it. */
export const anyone = [400, 403, 413, 415, 429, 500] as const
export const signedIn = [400, 401, 403, 413, 415, 429, 500] as const
export const member = [...signedIn, 404] as const
