// Headers and error responses that operations share, in the OpenAPI document. Every example of
// an error is taken from the table of refusals, so it cannot be wrong.

import { refusals, type RefusalCode } from './errors.ts'

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
export type Header = { [name: string]: Json }

export const text = (description: string, maxLength: number, example?: string): Header => ({
  description,
  schema: { type: 'string', maxLength },
  ...(example && { example }),
})

/** Always present where the OpenAPI document lists it. Headers without this mark depend on the case. */
export const always = (header: Header): Header => ({ required: true, ...header })

export const headers: Record<string, Header> = {
  Link: text(
    'Web links (RFC 8288) with the relations next, first, deprecation, sunset, successor-version or help.',
    4096,
  ),
  ETag: always(text('Weak entity tag.', 128)),
  Location: {
    description: 'Absolute URL of the created animal. Sent until 5 December 2030, when getPet is removed.',
    schema: { type: 'string', format: 'uri', maxLength: 2048 },
  },
  IdempotentReplayed: {
    description: '`true` when this is the stored response to an earlier request with the same Idempotency-Key.',
    schema: { type: 'boolean', const: true },
  },
  Deprecation: always(text('Date since which the operation is deprecated (RFC 9745).', 32, '@1764892800')),
  Sunset: always(text('Date on which the operation is removed (RFC 8594).', 40, 'Thu, 05 Dec 2030 00:00:00 GMT')),
  RateLimit: text('Quota left, per policy.', 512, '"key";r=598;t=31, "project";r=5901;t=31'),
  RateLimitPolicy: text('Policies in force.', 512, '"key";q=600;w=60, "project";q=6000;w=60'),
  RequestId: always(text('Identifier of this request; quote it when asking for help.', 128)),
  RetryAfter: always({
    description: 'Seconds to wait.',
    schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 86400 },
  }),
  WWWAuthenticate: always(text('Challenge (RFC 6750).', 512, 'Bearer realm="petstore"')),
  Accept: { description: 'Media type to send.', schema: { type: 'string', const: 'application/json' } },
  AcceptEncoding: {
    description: 'Content-Encoding to send: none.',
    schema: { type: 'string', const: 'identity' },
  },
}

export const responseNames: Record<number, string> = {
  304: 'NotModified',
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'PetNotFound',
  409: 'IdempotencyKeyInUse',
  410: 'OperationRemoved',
  413: 'BodyTooLarge',
  415: 'UnsupportedMediaType',
  422: 'IdempotencyKeyReused',
  429: 'TooManyRequests',
  500: 'ServerError',
}

const rateLimits = ['RateLimit', 'RateLimit-Policy', 'Request-Id']
const sunset = ['Deprecation', 'Sunset', 'Link']

export const responses: Record<string, Json> = {
  NotModified: {
    description: 'Not modified; `If-None-Match` matched.',
    headers: refer(['Link', 'ETag', ...rateLimits]),
  },
  BadRequest: error(
    'Body is missing required fields or contains invalid values, or a parameter is wrong or unknown.',
    rateLimits,
    {
      field: ['Wrong value in the body', 'invalid_field', "'status' must be one of available, pending, sold."],
      parameter: [
        'Wrong query parameter',
        'invalid_parameter',
        "Query parameter 'limit' must be an integer from 1 to 100; got '101'.",
      ],
    },
  ),
  Unauthorized: error('Missing or invalid API key.', ['WWW-Authenticate', 'Request-Id'], {
    missing: ['No key sent', 'missing_api_key'],
    invalid: ['Wrong key', 'invalid_api_key'],
  }),
  Forbidden: error(
    'The key does not have the scope that this operation requires.',
    ['WWW-Authenticate', ...rateLimits],
    { scope: ['Narrow key', 'insufficient_scope', "This key does not have the scope 'pets:write'."] },
  ),
  PetNotFound: error('The requested resource could not be found.', [...sunset, ...rateLimits], {
    missing: ['No such animal', 'not_found', 'No animal with this identifier.'],
  }),
  OperationRemoved: error('The operation was removed on 5 December 2030.', [...sunset, ...rateLimits], {
    removed: [
      'After the sunset',
      'operation_removed',
      'GET /v1/pets/{petId} was removed on 5 December 2030. Use GET /v1/pets with the status filter.',
    ],
  }),
  IdempotencyKeyInUse: error(
    'A request with this Idempotency-Key is still in progress.',
    ['Retry-After', ...rateLimits],
    {
      running: ['Still running', 'idempotency_key_in_use'],
    },
  ),
  BodyTooLarge: error('The body exceeds 16 KiB.', rateLimits, { large: ['Too large', 'body_too_large'] }),
  UnsupportedMediaType: error('The body is not plain application/json.', ['Accept', 'Accept-Encoding', ...rateLimits], {
    type: ['Another media type', 'unsupported_media_type'],
  }),
  IdempotencyKeyReused: error('This Idempotency-Key was used with a different body.', rateLimits, {
    reused: ['Another body', 'idempotency_key_reused'],
  }),
  TooManyRequests: error('Too many requests.', ['Retry-After', ...rateLimits], {
    key: ['Quota of the key', 'rate_limited', 'More than 600 requests in 60 s for this key. Retry in 31 s.'],
  }),
  ServerError: error('Internal error.', rateLimits, { bug: ['Our fault', 'internal_error'] }),
  AnyError: error('Any other error.', ['Request-Id'], {
    method: ['Wrong method', 'method_not_allowed', 'DELETE is not allowed here. Allowed: GET, HEAD, POST, OPTIONS.'],
  }),
}

export type Example = [summary: string, code: RefusalCode, message?: string]

export function error(description: string, headerNames: readonly string[], examples: Record<string, Example>): Json {
  return {
    description,
    headers: refer(headerNames),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(
          Object.entries(examples).map(([name, [summary, code, message]]) => [
            name,
            { summary, value: { code, message: message ?? refusals[code].message, status: refusals[code].status } },
          ]),
        ),
      },
    },
  }
}

export function refer(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name.replaceAll('-', '')}` }]))
}
