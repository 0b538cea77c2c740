// Headers and error responses of `/platform/v1`, in its OpenAPI document.

import { always, error, headers, refer, text, type Header, type Json } from '../responses.ts'

const { ETag, Link, RequestId, RetryAfter, WWWAuthenticate, AcceptEncoding } = headers as Record<string, Header> & {
  [name in 'ETag' | 'Link' | 'RequestId' | 'RetryAfter' | 'WWWAuthenticate' | 'AcceptEncoding']: Header
}

export const platformHeaders: Record<string, Header> = {
  Link,
  ETag,
  Location: {
    description: 'URL of the created resource.',
    schema: { type: 'string', format: 'uri', maxLength: 2048 },
  },
  ContentSecurityPolicy: always(
    text('Restricts what the page may do: it can only be shown, at most in a frame of the dashboard.', 1024),
  ),
  ContentDisposition: text('File name for the download.', 512, 'attachment; filename="animals.csv"'),
  SetCookie: always(text('The cookie of the session: set, or cleared.', 4096)),
  RateLimit: text('Quota left.', 512, '"account";r=598;t=31'),
  RateLimitPolicy: text('Policy in force.', 512, '"account";q=600;w=60'),
  RequestId,
  RetryAfter,
  // A wrong password sends none: there is no other credential to request.
  WWWAuthenticate: { ...WWWAuthenticate, required: false },
  Accept: text('Media types to send.', 512, 'application/json'),
  AcceptEncoding,
}

export const platformResponseNames: Readonly<Record<number, string>> = {
  304: 'NotModified',
  400: 'BadRequest',
  401: 'NotSignedIn',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Gone',
  413: 'BodyTooLarge',
  415: 'UnsupportedMediaType',
  422: 'NotPossible',
  429: 'TooManyRequests',
  500: 'ServerError',
  503: 'Unavailable',
}

const rateLimits = ['RateLimit', 'RateLimit-Policy', 'Request-Id']

export const platformResponses: Record<string, Json> = {
  NotModified: {
    description: 'Not modified; `If-None-Match` matched.',
    headers: refer(['Link', 'ETag', ...rateLimits]),
  },
  BadRequest: error('The body or a parameter is missing, wrong or unknown.', rateLimits, {
    field: ['Wrong value in the body', 'invalid_field'],
    parameter: ['Wrong query parameter', 'invalid_parameter'],
  }),
  NotSignedIn: error('Not signed in, or the credentials are wrong.', ['WWW-Authenticate', ...rateLimits], {
    missing: ['Not signed in', 'not_signed_in'],
  }),
  Forbidden: error('The caller is not allowed to do this, or not in this way.', rateLimits, {
    role: ['Not enough rights', 'insufficient_role'],
    origin: ['A page on another origin', 'foreign_origin'],
  }),
  NotFound: error('The resource does not exist, or the caller is not a member of its project.', rateLimits, {
    project: ['No such project', 'not_found', 'No project with this slug.'],
  }),
  Conflict: error('The request conflicts with the current state.', rateLimits, {
    state: ['Another state', 'wrong_state'],
    limit: ['No room', 'limit_reached'],
  }),
  Gone: error('The resource no longer exists.', rateLimits, { removed: ['Removed', 'operation_removed'] }),
  BodyTooLarge: error('The body is too large.', rateLimits, { large: ['Too large', 'body_too_large'] }),
  UnsupportedMediaType: error(
    'The media type of the body is not supported.',
    ['Accept', 'Accept-Encoding', ...rateLimits],
    {
      type: ['Another media type', 'unsupported_media_type'],
    },
  ),
  NotPossible: error('The body is well-formed but cannot be processed.', rateLimits, {
    reused: ['Used for something else', 'idempotency_key_reused'],
  }),
  TooManyRequests: error('Too many requests.', ['Retry-After', ...rateLimits], {
    account: [
      'Quota of the account',
      'rate_limited',
      'More than 600 requests in 60 s for this account. Retry in 31 s.',
    ],
  }),
  ServerError: error('Internal error.', rateLimits, { bug: ['Our fault', 'internal_error'] }),
  Unavailable: error('Not available at the moment.', ['Retry-After', ...rateLimits], {
    outage: ['An outage', 'service_unavailable'],
  }),
  AnyError: error('Any other error.', ['Request-Id'], {
    method: ['Wrong method', 'method_not_allowed', 'DELETE is not allowed here. Allowed: GET, HEAD, OPTIONS.'],
  }),
}
