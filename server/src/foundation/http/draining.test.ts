import { once } from 'node:events'
import { Agent } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { exchange } from '../../../../testbed/harness/http.ts'
import { drainOnClose, type Shutdown } from './draining.io.ts'

async function startServer(shutdown?: Shutdown) {
  const app = fastify({ return503OnClosing: false, forceCloseConnections: 'idle', keepAliveTimeout: 60_000 })
  const entered = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  if (shutdown) drainOnClose(app, shutdown)
  app.get('/quick', async () => 'quick')
  app.get('/slow', async () => {
    entered.resolve()
    await released.promise
    return 'slow'
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const { port } = app.server.address() as AddressInfo
  const get = (path: string, by: Agent | undefined = agent) => exchange(`http://127.0.0.1:${port}`, { path }, by)
  return { app, get, port, entered: entered.promise, release: released.resolve }
}

test('requests in progress and on open connections are answered, and new connections are refused', async () => {
  const { app, get, entered, release } = await startServer({ delayMs: 0, waitMs: 60_000 })
  await get('/quick')
  const slow = get('/slow')
  await entered
  const closed = app.close()
  await expect.poll(() => app.server.listening, { interval: 1 }).toBe(false)
  await expect(get('/quick', new Agent())).rejects.toThrow('ECONNREFUSED')
  release()
  expect((await slow).text).toBe('slow')
  await closed
})

test('while connections are accepted, each response closes its connection', async () => {
  const { app, get } = await startServer({ delayMs: 2000, waitMs: 60_000 })
  const closed = app.close()
  const { status, headers } = await get('/quick', new Agent({ keepAlive: true }))
  expect([status, headers.connection]).toEqual([200, 'close'])
  await closed
})

test('a client that never finishes is cut off', async () => {
  const { app, port } = await startServer({ delayMs: 0, waitMs: 300 })
  const socket = connect(port, '127.0.0.1')
  const accepted = once(app.server, 'connection')
  socket.write('GET /quick HTTP/1.1\r\nHost: pet')
  await accepted
  const cut = once(socket, 'close')
  await app.close()
  await cut
})

test('without draining an idle connection is closed at once (negative control)', async () => {
  const { app, get } = await startServer()
  await get('/quick')
  const closed = app.close()
  await expect.poll(() => app.server.listening, { interval: 1 }).toBe(false)
  await expect(get('/quick')).rejects.toThrow(/ECONNRE|socket hang up/)
  await closed
})
