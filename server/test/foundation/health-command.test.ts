// `petstore health`, which the image uses as its health check.

import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { healthOf } from '../../src/commands/health.ts'
import { parseConfig } from '../../src/program/config.ts'

async function portResponding(status: number, host = '127.0.0.1'): Promise<number> {
  const server = createServer(({ url }, response) => response.writeHead(url === '/readyz' ? status : 404).end())
  await once(server.listen(0, host), 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

const env = { DATABASE_URL: 'postgresql://' }
const configOf = (host: string, port: number) => parseConfig({ ...env, HOST: host, PORT: String(port) })

test.each(['127.0.0.1', '0.0.0.0'])('a service that listens on %s is ready', async (host) => {
  const config = configOf(host, await portResponding(200, host))
  expect(await healthOf(config)).toEqual({ isReady: true, text: 'ready' })
})

test('on an edge host the edge is asked; of several roles, the one that is named', async () => {
  const ready = await portResponding(200)
  const stopping = await portResponding(503)
  const ports = { PORT: String(stopping), ADMIN_PORT: String(ready) }
  const edge = { EDGE_CONTROL_URL: 'http://127.0.0.1:1', EDGE_KEY: `${'A'.repeat(43)}=`, EDGE_DIRECTORY: '/nowhere' }
  expect(await healthOf(parseConfig({ ...env, ...ports, ...edge }))).toEqual({ isReady: true, text: 'ready' })
  expect(await healthOf(parseConfig({ ...env, ...ports }), 'work')).toEqual({ isReady: true, text: 'ready' })
  // Negative control: without a role it is the service.
  expect((await healthOf(parseConfig({ ...env, ...ports }))).isReady).toBe(false)
})

test('a service that is stopping, and none at all, are not ready (negative control)', async () => {
  const port = await portResponding(503)
  expect((await healthOf(configOf('127.0.0.1', port))).text).toContain('responded with 503')
  // Where the other listens, on another address of loopback.
  expect(await healthOf(configOf('127.0.0.9', port))).toEqual({
    isReady: false,
    text: expect.stringContaining('ECONNREFUSED'),
  })
})
