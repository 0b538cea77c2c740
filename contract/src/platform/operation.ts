// An operation of `/platform/v1`, the interface behind the dashboard and the
// command line. Who may call it is part of what it says of itself.

import type { OperationShape } from '../operation.ts'
import type { Parameter } from '../parameters.ts'

/** In rising order: whoever may do more may do less. */
export const roles = ['viewer', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

/** Anyone; whoever is signed in; or a member of the project in the path, with at least that role. */
export type Access = 'anyone' | 'account' | Role

export type PlatformOperation = OperationShape & { access: Access }

/** A name that no project has, or one that the caller is no member of, is the same: not there. */
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

/** What any operation may answer beside its own refusals, by who may call it. */
export const anyone = [400, 403, 413, 415, 429, 500] as const
export const signedIn = [400, 401, 403, 413, 415, 429, 500] as const
export const member = [...signedIn, 404] as const
