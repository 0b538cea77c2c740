// The negative control: a small server that responds incorrectly, in a known way, to one request
// in a few. A fuzzer that misses any of these ways proves nothing by finding nothing.

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { contractDocument } from '@petstore-platform/contract/document'
import { platformDocument } from '@petstore-platform/contract/platform/document'
import { readDocument } from '../../harness/openapi.ts'
import { exampleInstallation } from '../../../tools/print-contract.ts'
import { PLATFORM_LATE_MS } from './lateness.ts'
import { PREFIX, type Actors } from './platform-actors.ts'
import { fuzzPlatform } from './platform-run.ts'
import type { FuzzReport } from './findings.ts'
import { fuzz } from './run.ts'
import type { SeededData } from './valid.ts'

/** An incorrect response; `nth` counts those before it. */
type Answer = (response: ServerResponse, nth: number) => void

/** The kind of finding that each kind of incorrect response must lead to. */
const ways: readonly [way: string, kind: string, answer: Answer][] = [
  [
    'a body that is against the schema',
    'body',
    (response) => send(response, 401, '{"code":"missing_api_key","status":401}'),
  ],
  ['a 500', '5xx', (response) => send(response, 500, error(500, 'internal_error'))],
  ['an error as text', 'content-type', (response) => send(response, 401, error(401), { 'Content-Type': 'text/plain' })],
  ['a wrong status field', 'status-field', (response) => send(response, 401, error(400))],
  ['a missing header', 'header', (response) => send(response, 401, error(401), { 'Request-Id': undefined })],
  ['an undocumented status', 'status', (response) => send(response, 418, error(418))],
  ['a refusal of what is right', 'prediction', (response) => send(response, 401, error(401))],
  ['another value than was sent', 'echo', (response) => send(response, 201, '{"id":1,"name":"No","categoryId":1}')],
  ['a timeout for a request that came whole', 'late', (response) => send(response, 408, error(408, 'request_timeout'))],
  // Late by either bound, even if the clock stops while this process computes. One is enough, since each costs its
  // delay.
  [
    'an answer that comes late',
    'late',
    (response, nth) => void setTimeout(() => send(response, 401, error(401)), nth === 0 ? PLATFORM_LATE_MS + 2500 : 0),
  ],
  ['a closed connection', 'no answer', (response) => response.destroy()],
]

const seeded: SeededData = {
  key: 'pets_test_0123456789ABCDEFGHIJKLMNOPQRSTUV2q5cvK',
  known: { petId: ['1'] },
  continuations: {},
  used: { key: 'used', body: '{}' },
}

const actors: Actors = {
  headers: {
    owner: [['Cookie', '__Host-petstore=owner']],
    viewer: [['Cookie', '__Host-petstore=viewer']],
    stranger: [['Cookie', '__Host-petstore=stranger']],
    token: [['Authorization', 'Bearer token']],
    nobody: [],
  },
  project: 'fuzz',
  known: new Map([['project', ['fuzz']]]),
}

export type ControlReport = { way: string; kind: string; found: number }[]

type Fire = (origin: string) => Promise<FuzzReport>

export const control = (seed: number): Promise<ControlReport> =>
  controlOf(ways, (origin) => {
    const document = readDocument(contractDocument(exampleInstallation('/v1')))
    return fuzz({ origin, document, ground: seeded, requests: 200, seed, kinds: 'valid' })
  })

/** Responses of `/platform/v1` repeat no input, so there is nothing to find there. */
export const platformControl = (seed: number): Promise<ControlReport> =>
  controlOf(
    ways.filter(([, kind]) => kind !== 'echo'),
    (origin) => {
      const document = readDocument(platformDocument(exampleInstallation(PREFIX)))
      return fuzzPlatform({ origin, document, cast: actors, requests: 200, seed, kinds: 'valid' })
    },
    // Signing up requires no authentication, so there 401 is an undocumented status.
    ['status'],
  )

async function controlOf(list: typeof ways, fire: Fire, tolerated: readonly string[] = []): Promise<ControlReport> {
  const found: ControlReport = []
  // A server that only rejects valid requests must be reported for that and for nothing else.
  const { byKind } = await against((response) => send(response, 401, error(401)), fire)
  const others = Object.keys(byKind).filter((kind) => kind !== 'prediction' && !tolerated.includes(kind))
  if (others.length > 0) throw new Error(`The control finds faults where there are none: ${others.join(', ')}.`)
  for (const [way, kind, answer] of list) {
    const { byKind } = await against(answer, fire)
    found.push({ way, kind, found: byKind[kind] ?? 0 })
  }
  return found
}

/** One response in five is of that kind; all others are correct rejections. */
async function against(answer: Answer, fire: Fire): Promise<FuzzReport> {
  let count = 0
  const server = createServer((request, response) => {
    if (/^(http:..[^/]*)?\/v1\/(%70|p)ets\//.test(request.url ?? ''))
      for (const [name, value] of notice) response.setHeader(name, value)
    const nth = count++ / 5
    if (Number.isInteger(nth)) answer(response, nth)
    else send(response, 401, error(401))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    return await fire(`http://127.0.0.1:${port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const notice = [
  ['Deprecation', '@1764892800'],
  ['Sunset', 'Thu, 05 Dec 2030 00:00:00 GMT'],
  ['Link', '<a>; rel="successor-version", <b>; rel="deprecation", <c>; rel="sunset"'],
] as const

const error = (status: number, code = 'missing_api_key'): string => JSON.stringify({ code, message: 'No.', status })

function send(
  response: ServerResponse,
  status: number,
  body: string,
  other: Record<string, string | undefined> = {},
): void {
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'Request-Id': '019a8f0e-6c1d-7b1e-9c55-2f6f6a0f9f10',
    'X-Content-Type-Options': 'nosniff',
    'Strict-Transport-Security': 'max-age=31536000',
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': 'no-store',
    'WWW-Authenticate': 'Bearer realm="petstore"',
    ...other,
  }
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value)
  response.writeHead(status).end(body)
}
