// What an edge makes of a control plane that rejects it: it asks for no more private keys for a while when it has received
// as many as it may, and it recognises that its clock is wrong.

import { once } from 'node:events'
import { createServer, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openControl, type ControlClient } from '../../src/edge/control-client.io.ts'
import { HOUR } from '../../src/foundation/time.ts'

let answer: { status: number; headers: OutgoingHttpHeaders }
let controlUrl = ''
let control: ControlClient
const asked: string[] = []

const server = createServer((request, response) => {
  asked.push(request.url ?? '')
  response.writeHead(answer.status, answer.headers).end('{}')
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  controlUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  control?.close()
  const identity = { authorize: async () => 'none', openKey: () => undefined }
  control = openControl({ controlUrl, controlRoots: undefined, identity })
  asked.length = 0
})
afterAll(() => {
  control.close()
  server.closeAllConnections()
  server.close()
})

const changes = () => control.changes({ after: 0, begun: 0, waitMs: 0 }, new AbortController().signal)

test('an edge that receives no more private keys does not ask for another until it may', async () => {
  answer = { status: 429, headers: { 'Retry-After': '1800' } }
  for (const name of ['a.test', 'b.test', 'c.test']) {
    await expect(control.certificate(name, '1', 10_000)).rejects.toThrow('hands out no more private keys')
  }
  expect(asked).toHaveLength(1)
  // Everything else is asked for.
  answer = { status: 404, headers: {} }
  expect(await control.challenge('a.test', 'token', 10_000)).toBeNull()
})

test('an edge that may receive one at once asks again (negative control)', async () => {
  answer = { status: 429, headers: { 'Retry-After': '0' } }
  for (const name of ['a.test', 'b.test']) {
    await expect(control.certificate(name, '1', 10_000)).rejects.toThrow('hands out no more private keys')
  }
  expect(asked).toHaveLength(2)
})

test('an edge that is rejected because of its clock says so', async () => {
  const dated = (ms: number) => ({ status: 401, headers: { Date: new Date(Date.now() + ms).toUTCString() } })
  answer = dated(HOUR)
  await expect(changes()).rejects.toThrow(/rejects requests of this edge: their clocks differ by 3[56]\d\d s/)
  answer = dated(0)
  await expect(changes()).rejects.toThrow('The control plane answered 401.')
})
