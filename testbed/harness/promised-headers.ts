// Headers that every response of `/v1` has, beyond those that the OpenAPI document marks as
// required: the common ones, those of a status, the quota once the caller is known, and the
// notice on a deprecated path.

export type Promised = readonly [name: string, form: RegExp]

export type Case = {
  method: string
  status: number
  /** Of the Error body; undefined where there is none. */
  code: string | undefined
  message: string | undefined
  isDeprecatedPath: boolean
  isInside: boolean
}

const common: readonly Promised[] = [
  ['request-id', /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
  ['x-content-type-options', /^nosniff$/],
  ['strict-transport-security', /^max-age=\d+/],
  ['access-control-allow-origin', /^\*$/],
]
const quota: readonly Promised[] = [
  ['ratelimit', /^"key";r=\d+;t=\d+, "project";r=\d+;t=\d+$/],
  ['ratelimit-policy', /^"key";q=\d+;w=\d+, "project";q=\d+;w=\d+$/],
]
const notice: readonly Promised[] = [
  ['deprecation', /^@\d+$/],
  ['sunset', /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/],
  ['link', /^(?=.*rel="successor-version")(?=.*rel="deprecation")(?=.*rel="sunset")/],
]
const cached: readonly Promised[] = [
  ['etag', /^W\/"[\w-]+"$/],
  ['vary', /^Authorization, Accept-Encoding$/],
  ['cache-control', /^private, no-cache$/],
]
const never: Promised = ['cache-control', /^no-store$/]
const retry: Promised = ['retry-after', /^[1-9]\d*$/]
const allow: Promised = ['allow', /OPTIONS$/]
const byStatus: Record<number, readonly Promised[]> = {
  200: cached,
  304: cached,
  204: [never, allow, ['access-control-allow-headers', /^Authorization, Content-Type, /]],
  401: [never, ['www-authenticate', /^Bearer realm="petstore"(, error="invalid_token", error_description="[^"]+")?$/]],
  403: [never, ['www-authenticate', /^Bearer realm="petstore", error="insufficient_scope", scope="[^"]+"$/]],
  405: [never, allow],
  409: [never, retry],
  413: [never, ['connection', /^close$/]],
  429: [never, retry],
  503: [never, retry],
}

/** Violations of HTTP itself are rejected before routing. */
export const beforeRouting = new Set([
  'malformed_request',
  'uri_too_long',
  'headers_too_large',
  'expectation_failed',
  'request_timeout',
  'method_not_implemented',
])
const withoutRoute = new Set([400, 408, 414, 417, 431, 501])
const outages = new Set(['service_unavailable', 'internal_error'])

export function promisedHeaders(answer: Case): readonly Promised[] {
  return [
    ...common,
    ...(byStatus[answer.status] ?? [never]),
    ...(hasQuota(answer) ? quota : []),
    ...(answer.isDeprecatedPath && isRouted(answer) ? notice : []),
  ]
}

/** CONNECT has no path; a response without a body does not contain its code. */
function isRouted({ method, status, code }: Case): boolean {
  if (method === 'CONNECT' || (method === 'HEAD' && withoutRoute.has(status))) return false
  return !beforeRouting.has(code ?? '')
}

function hasQuota(answer: Case): boolean {
  const { method, status, code, message, isInside } = answer
  if (!isInside || !isRouted(answer) || outages.has(code ?? '') || status === 401 || status === 204) return false
  if (status === 429) return method !== 'HEAD' && !message?.includes('authentications')
  return !(method === 'HEAD' && status >= 500)
}
