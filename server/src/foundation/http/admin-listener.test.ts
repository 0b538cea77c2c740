// The admin listener answers while the main thread is blocked, and reports that it is.

import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startAdminListener } from './admin-listener.io.ts'

async function start(options: Partial<Parameters<typeof startAdminListener>[0]> = {}) {
  const isReady = async () => true
  // Not because this machine is slow.
  const staleMs = 60_000
  const metrics = async () => ({ type: 'text/plain', text: 'up 1\n' })
  const version = '{"version":"1.0.0"}'
  const admin = await startAdminListener({ host: '127.0.0.1', port: 0, isReady, staleMs, metrics, version, ...options })
  onTestFinished(() => admin.stop())
  return admin
}

const statusOf = async (port: number, path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status

/** The first status other than `other`, as another process gets it while this thread is blocked. */
function statusWhileBlocked(port: number, { path = '/livez', other = 0, patienceMs = 30_000 } = {}): string {
  const script = `
    const ask = () => fetch('http://127.0.0.1:${port}${path}', { signal: AbortSignal.timeout(${patienceMs}) })
      .then(({ status }) => status, () => 'none')
    let status = await ask()
    while (status === ${other}) status = await ask()
    process.stdout.write(String(status))`
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
}

test('livez is answered while the main thread is blocked', async () => {
  const { port } = await start()
  expect(statusWhileBlocked(port)).toBe('200')
})

test('a server on the main thread answers nothing then (negative control)', async () => {
  const server = createServer((_, response) => response.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  expect(statusWhileBlocked((server.address() as AddressInfo).port, { patienceMs: 2000 })).toBe('none')
})

test('livez and readyz are 503 once the main thread has been blocked for too long, and ok again afterwards', async () => {
  const { port } = await start({ staleMs: 1500 })
  expect(statusWhileBlocked(port, { other: 200 })).toBe('503')
  await expect.poll(() => statusOf(port, '/livez'), { timeout: 10_000 }).toBe(200)
  await expect.poll(() => statusOf(port, '/readyz'), { timeout: 10_000 }).toBe(200)
})

test('metrics come from the main thread, each request with those of its time', async () => {
  let scrapes = 0
  const { port } = await start({ metrics: async () => ({ type: 'text/plain', text: `scrapes ${(scrapes += 1)}` }) })
  const scrape = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect([await scrape(), await scrape()]).toEqual(['scrapes 1', 'scrapes 2'])
  await Promise.all(Array.from({ length: 10 }, scrape))
  expect(Number((await scrape()).split(' ')[1])).toBeGreaterThan(2)
})

test('metrics are 503 while the main thread is blocked, and when it has none', async () => {
  const { port } = await start({ staleMs: 1500 })
  expect(statusWhileBlocked(port, { path: '/metrics' })).toBe('503')
  const failing = await start({ metrics: () => Promise.reject(new Error('a process hangs')) })
  expect([await statusOf(failing.port, '/metrics'), await statusOf(failing.port, '/version')]).toEqual([503, 200])
})

test('readyz follows what the role reports', async () => {
  let isReady = false
  const { port } = await start({
    isReady: () => (isReady ? Promise.resolve(true) : Promise.reject(new Error('no database'))),
  })
  expect([await statusOf(port, '/livez'), await statusOf(port, '/readyz')]).toEqual([200, 503])
  isReady = true
  await expect.poll(() => statusOf(port, '/readyz'), { timeout: 10_000 }).toBe(200)
})

test('a role that stops is alive and not ready', async () => {
  const admin = await start()
  expect(await statusOf(admin.port, '/readyz')).toBe(200)
  admin.beginToStop()
  expect([await statusOf(admin.port, '/livez'), await statusOf(admin.port, '/readyz')]).toEqual([200, 503])
})

test('other paths and methods are refused', async () => {
  const { port } = await start()
  const posted = await fetch(`http://127.0.0.1:${port}/livez`, { method: 'POST' })
  expect([await statusOf(port, '/'), posted.status, posted.headers.get('allow')]).toEqual([404, 405, 'GET, HEAD'])
})

test('it does not start on a port that is in use', async () => {
  const { port } = await start()
  await expect(start({ port })).rejects.toThrow('EADDRINUSE')
})
