// The address of a visitor's request is a secret. It travels from Caddy through an edge to the control plane and back,
// and stays nowhere: not in a log of any of them, even when the edge does not respond, and not in the memory or on the
// disk of the edge. Each search is shown to find what is there: a page that may be cached, and a log that is not
// filtered (negative controls).

import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '../../../devserver/free-port.ts'
import { exchange, type RawRequest } from '../../../testbed/harness/http.ts'
import { spawnProgram, type Program } from '../../../testbed/harness/program.ts'
import { startCaddyWith, type Caddy } from '../../../testbed/internet/caddy.ts'
import { parseConfig } from '../../src/program/config.ts'
import { contextOf } from '../../src/program/context.ts'
import type { RunningControl } from '../../src/program/control.ts'
import { openControl } from '../../src/program/serve.ts'
import { caddyConfig } from '../../src/edge/caddy-config.ts'
import { addEdge } from '../../src/fleet/edge-tokens.io.ts'
import { newId } from '../../src/foundation/ids.io.ts'
import { digestOf } from '../../src/foundation/key-format.ts'
import { insertConfirmation } from '../../src/orders/confirmation-queries.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'
import { PLATFORM_HOST, startTestEdge, type Store, type TestEdge } from '../sites/environment.ts'
import { temporaryFolderOf } from './environment.ts'

const patience = { timeout: 60_000, interval: 50 }
const ADDRESS = '127.0.80.61'

let local: TestEdge
let store: Store
let control: RunningControl | undefined
let edge: Program
let edgePort = 0
let caddy: Caddy
let folder: Awaited<ReturnType<typeof temporaryFolderOf>>
const controlLog: string[] = []

beforeAll(async () => {
  local = await startTestEdge()
  store = await local.store('north')
  const { database } = local
  const config = parseConfig({ DATABASE_URL: local.clone.appUrl, CONTROL_PORT: '0', PLATFORM_HOST })
  const logger = { level: 'debug', stream: { write: (line: string) => void controlLog.push(line) } }
  control = await openControl(contextOf(config, database), { logger })
  const { token } = await addEdge({ run: database.run, newId, randomBytes }, 'edge-1')
  folder = await temporaryFolderOf()
  mkdirSync(folder.directory, { recursive: true })
  edgePort = await freePort()
  edge = spawnProgram(['edge'], {
    PLATFORM_HOST,
    LOG_LEVEL: 'debug',
    EDGE_PORT: String(edgePort),
    EDGE_CONTROL_URL: `http://127.0.0.1:${control?.port}`,
    EDGE_TOKEN: token,
    EDGE_KEY: Buffer.alloc(32, 7).toString('base64'),
    EDGE_DIRECTORY: join(folder.directory, 'edge'),
    EDGE_CERTIFICATE_PORT: String(await freePort()),
    NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder.directory}`,
  })
  caddy = await startCaddyHere()
  await vi.waitUntil(async () => (await visit('/')).status === 200, patience)
})
afterAll(async () => {
  await caddy?.close()
  edge?.end('SIGKILL')
  await edge?.ended
  await control?.stop()
  await folder?.remove()
})

/** `change`: another configuration than in production. */
async function startCaddyHere(change = (usual: ReturnType<typeof caddyConfig>): object => usual): Promise<Caddy> {
  const listening = { addresses: [ADDRESS], httpPort: await freePort(), httpsPort: await freePort() }
  const ports = { requestPort: edgePort, certificatePort: await freePort() }
  return startCaddyWith(listening, (storage) =>
    JSON.stringify(change(caddyConfig({ ...listening, ...ports, storage }))),
  )
}

const visit = (path: string, { headers = {}, ...sent }: Partial<RawRequest> = {}, through = caddy) =>
  exchange(`http://${ADDRESS}:${through.httpPort}`, { ...sent, path, headers: { Host: store.host, ...headers } })

const post = (path: string, fields: Record<string, string> = {}) =>
  visit(path, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })

/** A request that waits for its confirmation; returns the secret of its link. */
async function confirmationOf(petId: bigint): Promise<string> {
  const secret = randomBytes(16).toString('hex')
  const typed = { name: 'Mia', contact: 'mia@visitor.example', message: '', answers: [], language: 'en' as const }
  const row = { id: newId('req'), digest: digestOf(secret), petId, ...typed }
  await inProjectOf(local.database)(store.project, (db) => insertConfirmation(db, store.project, row, 3600))
  return secret
}

/** Everything that the edge refers to, as it says itself. */
async function memoryOfEdge(): Promise<Buffer> {
  process.kill(edge.pid, 'SIGUSR2')
  const written = () => {
    const [name] = readdirSync(folder.directory).filter((file) => file.endsWith('.heapsnapshot'))
    const bytes = name === undefined ? undefined : readFileSync(join(folder.directory, name))
    return bytes !== undefined && bytes.subarray(-8).toString().trimEnd().endsWith(']}') ? bytes : undefined
  }
  return vi.waitUntil(written, patience)
}

const filesOfEdge = (): Buffer[] =>
  readdirSync(join(folder.directory, 'edge'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => Buffer.concat([Buffer.from(entry.name), readFileSync(join(entry.parentPath, entry.name))]))

test('the secrets of a request stay in no log, and neither in the memory nor on the disk of an edge', async () => {
  const [petId = 0n] = await store.addAnimals({ name: 'Rex' })
  const link = await confirmationOf(petId)
  expect((await visit(`/requests/confirm/${link}`)).status).toBe(200)
  const confirmed = await post(`/requests/confirm/${link}`)
  expect(confirmed.status).toBe(303)
  const status = confirmed.headers.location?.split('/').at(-1) ?? ''
  for (const path of [`/requests/${status}`, `/requests/${status}?from=mail`, `/de/requests/${status}`])
    await visit(path)
  const page = await visit(`/requests/${status}`)
  expect([
    page.status,
    page.headers['cache-control'],
    page.headers['referrer-policy'],
    page.headers['x-robots-tag'],
  ]).toEqual([200, 'no-store', 'no-referrer', 'noindex, nofollow'])
  expect((await post(`/requests/${status}`, { action: 'withdraw' })).status).toBe(303)
  // Spelt wrongly, it leads nowhere, and is as secret.
  for (const path of [`/requests/${status}/`, `/requests/x${status}`, `/REQUESTS/${status}`]) {
    expect((await visit(path)).status).toBe(404)
  }

  // Negative control: an address that may be cached. Its page names what was looked for.
  const cached = randomBytes(16).toString('hex')
  expect((await visit(`/animals?q=${cached}`)).text).toContain(cached)
  // Whatever belongs to the last request on a connection is replaced.
  for (let n = 0; n < 20; n++) await Promise.all(['/', `/animals/rex-${petId}`, '/privacy'].map((path) => visit(path)))
  await vi.waitUntil(() => filesOfEdge().some((bytes) => bytes.includes(cached)), patience)

  const memory = await memoryOfEdge()
  const files = filesOfEdge()
  const logs = [...controlLog, ...edge.lines, caddy.said(), ...local.logs].join('\n')
  expect(logs).toContain('"POST"')
  for (const secret of [link, status]) {
    expect(secret).toMatch(/^[0-9a-f]{32}$/)
    expect([memory.includes(secret), files.some((bytes) => bytes.includes(secret)), logs.includes(secret)]).toEqual([
      false,
      false,
      false,
    ])
  }
  expect([memory.includes(cached), files.some((bytes) => bytes.includes(cached))]).toEqual([true, true])
})

test('Caddy logs that the edge did not respond, without the address; unfiltered it would log it (negative control)', async () => {
  const secret = randomBytes(16).toString('hex')
  const unfiltered = await startCaddyHere((usual) => ({
    ...usual,
    logging: { logs: { ...usual.logging.logs, default: { level: 'INFO' } } },
  }))
  edge.end('SIGKILL')
  await edge.ended
  try {
    for (const through of [caddy, unfiltered]) {
      expect((await visit(`/requests/${secret}`, {}, through)).status).toBe(502)
      await vi.waitUntil(() => through.said().includes('"status":502'), patience)
    }
    expect(caddy.said()).not.toContain(secret)
    expect(unfiltered.said()).toContain(secret)
  } finally {
    await unfiltered.close()
  }
})
