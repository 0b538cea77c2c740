// The admin listener of the program: its port, what it reports, and a port that is in use.

import { createServer } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { cloneDatabase } from '../../../testbed/harness/database.ts'
import { runProgram } from '../../../testbed/harness/process.ts'

const environment = async (more: Record<string, string>) => ({
  DATABASE_URL: (await cloneDatabase()).appUrl,
  PORT: '0',
  LOG_LEVEL: 'warn',
  ...more,
})

const started = (line: string) => JSON.parse(line) as { msg: string; adminPort?: number }

test('a role answers on its admin port, and ends with code 0', async () => {
  const program = runProgram(['serve'], await environment({ ADMIN_PORT: '0' }))
  await program.port
  const { adminPort } = program.lines.map(started).find(({ msg }) => msg === 'serving') ?? {}
  const responses = await Promise.all(
    ['/livez', '/readyz'].map((path) =>
      fetch(`http://127.0.0.1:${adminPort}${path}`, { headers: { Connection: 'close' } }),
    ),
  )
  expect(responses.map(({ status }) => status)).toEqual([200, 200])
  program.end('SIGTERM')
  expect(await program.ended).toMatchObject({ code: 0, errors: '' })
})

test('a port of a setting that is in use stops the start, with a sentence', async () => {
  const other = createServer()
  await once(other.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  const { code, errors } = await runProgram(['serve'], await environment({ ADMIN_PORT: String(port) })).ended
  expect([code, errors]).toEqual([
    1,
    `cannot listen on ADMIN_PORT: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`,
  ])
})
