// How long Caddy lets a visitor wait for the answer about a certificate, measured on a real one. What it does otherwise is
// in e2e/caddy.test.ts.

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { requestHttps, handshake } from '../../testbed/internet/caddy-clients.ts'
import { startCaddyEnvironment, type CaddyEnvironment } from '../../testbed/internet/caddy-environment.ts'

const [paws, claws] = ['pets.paws.test', 'www.claws.test'] as const
const INTERNAL_ERROR = 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR'
let environment: CaddyEnvironment

beforeAll(async () => {
  environment = await startCaddyEnvironment()
  await Promise.all([environment.certify(paws), environment.certify(claws)])
})
afterEach(() => {
  environment.endpoint.answer = undefined
})
afterAll(() => environment.close())

test.for([204, 404, 500])(
  'a certificate endpoint that responds with %d makes the handshake fail at once',
  async (status) => {
    environment.endpoint.answer = (_, response) => void response.writeHead(status).end()
    const { ms, ...refused } = await handshake(environment, { servername: paws })
    expect(refused).toEqual({ failure: INTERNAL_ERROR })
    expect(ms).toBeLessThan(1000)
  },
)

test('a handshake takes as long as the certificate endpoint, which is why the edge has a deadline; other names are not delayed', async () => {
  const waiting = Promise.withResolvers<() => void>()
  environment.endpoint.answer = (_, response) => waiting.resolve(() => void response.writeHead(404).end())
  const slow = handshake(environment, { servername: paws })
  const release = await waiting.promise
  environment.endpoint.answer = undefined
  expect((await requestHttps(environment, claws)).status).toBe(200)
  setTimeout(release, 700)
  const { ms, ...refused } = await slow
  expect(refused).toEqual({ failure: INTERNAL_ERROR })
  expect(ms).toBeGreaterThan(700)
  expect(ms).toBeLessThan(2000)
})
