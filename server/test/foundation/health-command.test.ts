// `petstore health`, which the image uses as its health check.

import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { healthOf } from '../../src/commands/health.ts'

async function portResponding(status: number, host = '127.0.0.1'): Promise<number> {
  const server = createServer(({ url }, response) => response.writeHead(url === '/readyz' ? status : 404).end())
  await once(server.listen(0, host), 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

test.each(['127.0.0.1', '0.0.0.0'])('a service that listens on %s is ready', async (host) => {
  expect(await healthOf({ host, port: await portResponding(200, host) })).toEqual({ isReady: true, text: 'ready' })
})

test('a service that is stopping, and none at all, are not ready (negative control)', async () => {
  const port = await portResponding(503)
  expect((await healthOf({ host: '127.0.0.1', port })).text).toContain('responded with 503')
  // Where the other listens, on another address of loopback.
  expect(await healthOf({ host: '127.0.0.9', port })).toEqual({
    isReady: false,
    text: expect.stringContaining('ECONNREFUSED'),
  })
})
