// The negative control: a small server that answers wrongly, in a known way, one
// request in a few. A fuzz that does not notice every one of these ways proves
// nothing by finding nothing.

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { contractDocument } from '@petstore/contract/document'
import { readDocument } from '../../server/test/openapi.ts'
import { fuzz, type FuzzReport } from './run.ts'
import type { Ground } from './valid.ts'

/** Which kind of finding each way of answering wrongly must lead to. */
const ways: readonly [way: string, kind: string, answer: (response: ServerResponse) => void][] = [
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
  ['a closed connection', 'no answer', (response) => response.destroy()],
]

const ground: Ground = {
  key: 'pets_test_0123456789ABCDEFGHIJKLMNOPQRSTUV2q5cvK',
  known: { petId: ['1'] },
  continuations: {},
  used: { key: 'used', body: '{}' },
}

export type ControlReport = { way: string; kind: string; found: number }[]

export async function control(seed: number): Promise<ControlReport> {
  const found: ControlReport = []
  // A server that only refuses what is right must be blamed for that and for nothing else.
  const { byKind } = await against((response) => send(response, 401, error(401)), seed)
  const others = Object.keys(byKind).filter((kind) => kind !== 'prediction')
  if (others.length > 0) throw new Error(`The control finds faults where there are none: ${others.join(', ')}.`)
  for (const [way, kind, answer] of ways) {
    const { byKind } = await against(answer, seed)
    found.push({ way, kind, found: byKind[kind] ?? 0 })
  }
  return found
}

/** One in five is answered that way; all others are refused in good form. */
async function against(answer: (response: ServerResponse) => void, seed: number): Promise<FuzzReport> {
  let count = 0
  const server = createServer((request, response) => {
    if (/^(http:..[^/]*)?\/v1\/(%70|p)ets\//.test(request.url ?? ''))
      for (const [name, value] of notice) response.setHeader(name, value)
    if (count++ % 5 === 0) answer(response)
    else send(response, 401, error(401))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const addresses = {
    production: 'https://api.petstore.example/v1',
    staging: 'https://api.staging.petstore.example/v1',
  }
  try {
    return await fuzz({
      origin: `http://127.0.0.1:${port}`,
      document: readDocument(contractDocument(addresses)),
      ground,
      requests: 200,
      seed,
      kinds: 'valid',
    })
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
