// The addresses printed by `npm run world` are the ones that it serves, and its OpenAPI
// documents contain them, each once.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { childEnv } from '../testbed/harness/child-env.ts'

const TMPDIR = mkdtempSync(join(tmpdir(), 'addresses-'))

/** The printed addresses, by the label of their line. */
let printed: Record<string, string>
let end: () => Promise<unknown>

beforeAll(async () => {
  const world = spawn(process.execPath, ['testbed/internet/main.ts'], {
    env: { ...childEnv, TMPDIR },
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(world, 'exit')
  end = () => {
    world.kill('SIGTERM')
    return exited
  }
  const lines: string[] = []
  for await (const line of createInterface(world.stdout)) {
    lines.push(line)
    if (line.startsWith('End:')) break
  }
  printed = addressesIn(lines)
})
afterAll(async () => {
  await end()
  rmSync(TMPDIR, { recursive: true, force: true })
})

const addressesIn = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    lines.flatMap((line) => {
      const [, label, address, reference] = /^ {2}(\w+) +(http\S+)(?: +reference: (\S+))?$/.exec(line) ?? []
      if (label === undefined || address === undefined) return []
      return [[label, address], ...(reference === undefined ? [] : [[`${label} reference`, reference]])]
    }),
  )

test('npm run world prints the base address of the API, the references, the platform API and the dashboard', () => {
  const origin = new URL(printed['API'] ?? '').origin
  expect(printed).toEqual({
    Dashboard: `${origin.replace('127.0.0.1', 'localhost')}/`,
    API: `${origin}/v1`,
    Reference: `${origin}/docs`,
    Platform: `${origin}/platform/v1`,
    'Platform reference': `${origin}/docs/platform`,
  })
})

test('the service responds at the printed addresses: 200 for each page, 401 for each API', async () => {
  const statusOf = async (address = '') => (await fetch(address)).status
  for (const page of ['Dashboard', 'Reference', 'Platform reference']) {
    expect([page, await statusOf(printed[page])]).toEqual([page, 200])
  }
  expect(await statusOf(`${printed['API']}/pets`)).toBe(401)
  expect(await statusOf(`${printed['Platform']}/account`)).toBe(401)
})

test.each(['API', 'Platform'])('the OpenAPI document of %s contains the printed address, once', async (label) => {
  const document = (await (await fetch(`${printed[label]}/openapi.json`)).json()) as {
    info: { contact: { url: string } }
    servers: object[]
  }
  expect(document.servers).toEqual([{ url: printed[label], description: 'This installation' }])
  expect(document.info.contact.url).toBe(printed['Reference'])
})
