// Metrics of the running program: what was counted and measured is at /metrics of the admin listener.

import { expect, test } from 'vitest'
import { cloneDatabase } from '../../../testbed/harness/database.ts'
import { runProgram } from '../../../testbed/harness/process.ts'

async function run(role: string, more: Record<string, string> = {}) {
  const env = { DATABASE_URL: (await cloneDatabase()).appUrl, PORT: '0', LOG_LEVEL: 'warn', ADMIN_PORT: '0', ...more }
  const program = runProgram([role], env)
  if (role === 'serve') await program.port
  const started = () =>
    program.lines.map((line) => JSON.parse(line) as { adminPort?: number }).find((one) => one.adminPort)
  await expect.poll(started).toBeDefined()
  const admin = `http://127.0.0.1:${started()?.adminPort}`
  return { program, get: (path: string) => fetch(`${admin}${path}`, { headers: { Connection: 'close' } }) }
}

const lines = async (response: Response) => (await response.text()).split('\n')

test('requests are counted by operation and status', async () => {
  const { program, get } = await run('serve')
  // The first response of /metrics: from now on requests are counted.
  const first = await get('/metrics')
  expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  const port = await program.port
  await fetch(`http://127.0.0.1:${port}/v1/pets/7`)
  await expect
    .poll(async () => lines(await get('/metrics')))
    .toContain('petstore_http_requests_total{api="v1",operation="getPet",status="4xx"} 1')
  program.end('SIGTERM')
  expect(await program.ended).toMatchObject({ code: 0 })
})

test('the version is that of the program', async () => {
  const { get } = await run('serve')
  expect(await (await get('/version')).json()).toEqual({ version: '1.0.0', commit: 'from source', role: 'serve' })
})

test('a worker has measured the installation', async () => {
  const { get } = await run('work')
  await expect
    .poll(async () => lines(await get('/metrics')))
    .toEqual(
      expect.arrayContaining([
        'petstore_due_lag_seconds{kind="import"} 0',
        'petstore_mail_relay_failures{queue="urgent"} 0',
        'petstore_edges{state="disconnected"} 0',
        expect.stringMatching(/^petstore_backup_last_success_timestamp_seconds [\d.]+$/),
      ]),
    )
})

test('a supervisor adds up the requests of its processes', async () => {
  const { program, get } = await run('serve', { PROCESSES: '2' })
  const port = await program.port
  await expect
    .poll(async () => {
      await fetch(`http://127.0.0.1:${port}/v1/pets/7`, { headers: { Connection: 'close' } })
      return lines(await get('/metrics'))
    })
    .toEqual(expect.arrayContaining([expect.stringMatching(/operation="getPet",status="4xx"\} [1-9]/)]))
})
