// Headers that every response of `/platform/v1` has, beyond those that its OpenAPI document marks as required.

import { beforeRouting, type Case, type Promised } from './promised-headers.ts'
import type { Interface } from './response-checker.ts'

export const PLATFORM_PREFIX = '/platform/v1'

const common: readonly Promised[] = [
  ['request-id', /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
  ['x-content-type-options', /^nosniff$/],
  ['strict-transport-security', /^max-age=\d+/],
  ['cache-control', /^(private, no-cache|private, max-age=604800, immutable|no-store)$/],
  ['access-control-allow-origin', /^\*$/],
]
const quota: readonly Promised[] = [
  ['ratelimit', /^"(account|address)";r=\d+;t=\d+$/],
  ['ratelimit-policy', /^"(account|address)";q=\d+;w=\d+$/],
]
const never: Promised = ['cache-control', /^no-store$/]
const retry: Promised = ['retry-after', /^[1-9]\d*$/]
const challenge: Promised = ['www-authenticate', /^Bearer realm="petstore"$/]
const preflight: readonly Promised[] = [
  never,
  ['allow', /OPTIONS$/],
  ['access-control-allow-headers', /^Authorization, Content-Type, /],
]
const byStatus: Record<number, readonly Promised[]> = {
  304: [
    ['etag', /^W\/"[\w-]+"$/],
    ['cache-control', /^private, no-cache$/],
  ],
  405: [['allow', /OPTIONS$/]],
  413: [['connection', /^close$/]],
  429: [retry],
  503: [retry],
}

/** The caller was not authenticated yet, or the request was rejected before authentication. */
const uncounted = new Set([...beforeRouting, 'foreign_origin', 'internal_error', 'service_unavailable'])

export function platformPromises({ method, status, code, isInside }: Case): readonly Promised[] {
  const isCounted =
    isInside && status !== 401 && method !== 'OPTIONS' && method !== 'CONNECT' && !uncounted.has(code ?? '')
  // A response to HEAD does not contain its code.
  const isKnown = method !== 'HEAD' || status < 400 || status === 404
  return [
    ...common,
    ...(status >= 400 ? [never] : []),
    ...(byStatus[status] ?? []),
    ...(status === 204 && method === 'OPTIONS' ? preflight : []),
    ...(status === 401 && isInside && code === 'not_signed_in' ? [challenge] : []),
    ...(isCounted && isKnown ? quota : []),
  ]
}

export const platformInterface: Interface = { prefix: PLATFORM_PREFIX, promised: platformPromises }
