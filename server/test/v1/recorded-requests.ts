// A conversation with `/v1` that is the same on every machine: reads, writes, retries and mistakes of two projects, chosen
// by a seed. What comes back is reduced to a line per request, so that two versions of the server can be compared.

import { hash } from 'node:crypto'
import { mulberry32 } from '../../../testbed/harness/mulberry32.ts'
import type { RawRequest, Received } from '../../../testbed/harness/http.ts'
import type { Tenant, TestService } from '../../../testbed/harness/service.ts'

/** Different in each response by design. */
const CHANGING = new Set(['date', 'request-id', 'connection', 'keep-alive'])

export const lineOf = (
  { method = 'GET', path }: RawRequest,
  { status, rawHeaders, text }: Pick<Received, 'status' | 'rawHeaders' | 'text'>,
) => {
  const headers: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    // What is left of a quota depends on the speed of the machine.
    const value = rawHeaders[at + 1]?.replaceAll(/\br=\d+;t=\d+/g, 'r;t')
    if (!CHANGING.has(name.toLowerCase())) headers.push(`${name}: ${value}`)
  }
  return `${method} ${path} ${status} ${hash('sha256', `${headers.join('\n')}\n\n${text}`, 'hex').slice(0, 16)}`
}

/** One after the other: the identifiers that the server assigns depend on the order. */
export async function record({ north, south }: TestService, count: number): Promise<string[]> {
  const random = mulberry32(1044)
  const lines: string[] = []
  const known: { link?: string | undefined; etag?: string | undefined } = {}
  for (let sent = 0; sent < count; sent += 1) {
    const request = requestOf(random, known)
    const tenant: Tenant = random() < 0.8 ? north : south
    const received = await tenant.send(request)
    lines.push(lineOf(request, received))
    if (request.path.startsWith('/v1/pets') && received.status === 200) {
      known.etag = received.headers.etag
      const [, next] = /<[^>]*?(\/v1\/[^>]*)>; rel="next"/.exec(String(received.headers.link ?? '')) ?? []
      known.link = next ?? known.link
    }
  }
  return lines
}

const NAMES = ['Rex', 'Mia', 'Größe "x"', '🐶', '<b>', "D'Artagnan", 'שלום', ' padded ', '\\', 'a'.repeat(255)]
const STATUSES = ['available', 'pending', 'sold', 'gone']
const BODIES = ['', '{', '[]', '{"name":"x"}', '{"name":1,"categoryId":2}', '{"name":"x","categoryId":1.5}', 'null']

function requestOf(
  random: () => number,
  { link, etag }: { link?: string | undefined; etag?: string | undefined },
): RawRequest {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const number = (most: number) => Math.floor(random() * most)
  const post = (path: string, body: string, headers: Record<string, string> = {}): RawRequest => ({
    method: 'POST',
    path,
    body,
    headers: { 'Content-Type': 'application/json', ...headers },
  })
  const pet = () => {
    const status = random() < 0.5 ? '' : `,"status":"${pick(STATUSES)}"`
    return `{"name":${JSON.stringify(pick(NAMES))},"categoryId":${pick(['1', '9', '-9223372036854775808', '9223372036854775807', '9223372036854775808'])}${status}}`
  }
  const kinds: readonly (() => RawRequest)[] = [
    () => ({ path: '/v1/pets' }),
    () => ({ path: `/v1/pets?limit=${pick([1, 2, 20, 100, 0, 101])}` }),
    () => ({ path: `/v1/pets?status=${pick(STATUSES)}&limit=${1 + number(30)}` }),
    () => ({ path: link ?? '/v1/pets?limit=3' }),
    () => ({ path: '/v1/pets', ...(etag !== undefined && { headers: { 'If-None-Match': etag } }) }),
    () => ({ path: `/v1/pets/${pick([number(500), number(500), 'x', '-1', '9223372036854775808'])}` }),
    () => ({ path: `/v1/store/orders?limit=${1 + number(5)}` }),
    () => ({
      path: `/v1/${pick(['pet', 'pets/', 'pets?unknown=1', 'pets?cursor=x', 'openapi.json', 'store/orders/1'])}`,
    }),
    () => ({
      method: pick(['PUT', 'DELETE', 'OPTIONS', 'HEAD']),
      path: pick(['/v1/pets', '/v1/pets/1', '/v1/store/orders']),
    }),
    () => post('/v1/pets', pet()),
    () => post('/v1/pets', pet(), { 'Idempotency-Key': `key-${number(40)}` }),
    () => post('/v1/pets', pick(BODIES)),
    () => post('/v1/store/orders', `{"petId":${number(500)}}`),
  ]
  return pick(kinds)()
}
