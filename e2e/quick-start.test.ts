// A newcomer's first minutes: `npm run dev`, signing in as the owner that it names, and a
// domain of their own up to the record that must be created.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askingAt } from '../server/dev/demo.ts'
import { startDevTerminal, type DevTerminal } from './dev-terminal.ts'

const root = join(import.meta.dirname, '..')
let dev: DevTerminal

beforeAll(async () => {
  dev = await startDevTerminal()
})
afterAll(() => dev?.stop())

type Record = { type: string; name: string; value: string }

test('the owner that npm run dev names adds a domain and is shown its record', async () => {
  const [, email, password] = /^(\S+), password "(.+)"$/.exec(dev.line('Owner')) ?? []
  const ask = askingAt(dev.line('Platform'), { Origin: new URL(dev.line('Dashboard')).origin })
  await ask('POST', '/session', { email, password })
  expect(await ask('GET', '/projects/demo')).toMatchObject({ plan: 'pro', siteUrl: dev.line('Site') })
  // No nameserver answers here, and the record is shown all the same.
  const { records } = (await ask('POST', '/projects/demo/domains', { hostname: 'shop.example.org' })) as {
    records: Record[]
  }
  expect(records).toEqual([expect.objectContaining({ type: 'CNAME', name: 'shop', value: 'demo.localhost' })])
  // Negative control: a store that its owner has created is on Free.
  await ask('POST', '/projects', { slug: 'small-shop', name: 'Small Shop' })
  expect(await ask('GET', '/projects/small-shop')).toMatchObject({ plan: 'free' })
})

test("the operator's command works as it is printed", async () => {
  const { stdout } = await promisify(execFile)('sh', ['-c', dev.line('Operator')], {
    cwd: root,
    env: { PATH: process.env['PATH'] },
  })
  expect(stdout).toBe('demo is on the plan pro already.\n')
})
