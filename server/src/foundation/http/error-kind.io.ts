// `errorKindOf` decides what an error that reached the server means, once for every renderer: the
// Error body of the APIs and of the control plane, and the pages for visitors. Only what is known is
// named; everything else is a bug, of which the client learns nothing.

import type { FastifyError } from 'fastify'
import { ObjectsUnavailable } from '../objects.ts'
import { Unavailable } from '../postgres/postgres.io.ts'
import { Refusal } from '../refusal.ts'

export type ErrorKind =
  | 'refusal'
  /** The database or the store of files is unavailable: the client may retry. */
  | 'outage'
  /** The target cannot be decoded. */
  | 'bad_target'
  | 'body_too_large'
  | 'wrong_type'
  /** Any other fault of a body that Fastify reads. */
  | 'bad_body'
  | 'bug'

export function errorKindOf(error: unknown): ErrorKind {
  if (error instanceof Refusal) return 'refusal'
  if (error instanceof Unavailable || error instanceof ObjectsUnavailable) return 'outage'
  const { code } = error as Partial<FastifyError>
  if (code === 'FST_ERR_BAD_URL') return 'bad_target'
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return 'body_too_large'
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return 'wrong_type'
  return code?.startsWith('FST_ERR_CTP') ? 'bad_body' : 'bug'
}

/** For the renderers of the Error body. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  switch (errorKindOf(error)) {
    case 'outage':
      return new Refusal('service_unavailable', undefined, { 'Retry-After': '1' })
    case 'bad_target':
      return new Refusal('not_found')
    case 'body_too_large':
    case 'wrong_type':
    case 'bad_body':
      return new Refusal('malformed_request')
    default:
      return new Refusal('internal_error')
  }
}
