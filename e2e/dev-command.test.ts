// `npm run dev` from scripts and terminals: it is ready in seconds, prints one line, and
// leaves nothing behind, however it ends. Each run has its own folder for temporary files,
// so leftovers are found.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { childEnv } from '../testbed/harness/child-env.ts'
import { freePort } from '../devserver/free-port.ts'

const root = join(import.meta.dirname, '..')
let folder: string

type Ready = {
  api: string
  docs: string
  dashboard: string
  platform: string
  site: string
  owner: { email: string; password: string }
  projectId: number
  apiKey: string
  pid: number
}
type Command = 'node' | 'npm'

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-e2e-'))
  await chmod(folder, 0o755) // PostgreSQL may have to run as another user
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test.each([
  ['node', 'SIGTERM'],
  ['npm', 'SIGTERM'],
] as const)(
  'npm run dev, started with %s, prints one line, serves, and leaves nothing behind after %s',
  async (command, signal) => {
    const run = await start(command, ['--ephemeral'])
    const ready = await run.ready
    report(`${command}, ready after ${run.seconds().toFixed(1)} s`)
    expect(Object.keys(ready).toSorted()).toEqual([
      'api',
      'apiKey',
      'dashboard',
      'docs',
      'inbox',
      'owner',
      'pid',
      'platform',
      'projectId',
      'site',
    ])
    expect(ready).toMatchObject({
      api: `http://127.0.0.1:${run.port}/v1`,
      docs: `http://127.0.0.1:${run.port}/docs`,
      dashboard: `http://localhost:${run.port}/`,
      projectId: expect.any(Number) as number,
      apiKey: expect.stringMatching(/^pets_test_\w{38}$/) as string,
    })
    expect(await pets(ready)).toEqual([])
    expect((await fetch(ready.docs)).status).toBe(200)
    expect((await fetch(ready.dashboard)).status).toBe(200)
    expect(processesOf(run.temporary)).not.toEqual([])

    process.kill(run.pid, signal)
    const { code, output, errors } = await run.ended
    expect([output, errors]).toEqual([[JSON.stringify(ready)], ''])
    // npm itself exits on the signal and does not wait.
    if (command === 'node') expect([run.pid, code]).toEqual([ready.pid, 0])
    await expectNothingLeft(run)
  },
)

test('SIGTERM to the process that npm started ends npm too', async () => {
  const run = await start('npm', ['--ephemeral'])
  const { pid } = await run.ready
  expect(pid).not.toBe(run.pid)
  process.kill(pid, 'SIGTERM')
  expect(await run.ended).toMatchObject({ code: 0, errors: '' })
  await expectNothingLeft(run)
})

test('Ctrl-C in a terminal, which signals both npm and the service, leaves nothing behind', async () => {
  const run = await start('npm', ['--ephemeral'])
  await run.ready
  process.kill(-run.pid, 'SIGINT')
  expect(await run.ended).toMatchObject({ errors: '' })
  await expectNothingLeft(run)
})

test('a service that is killed leaves nothing behind', async () => {
  const run = await start('node', ['--ephemeral'])
  await run.ready
  process.kill(run.pid, 'SIGKILL')
  await run.ended
  await expectNothingLeft(run)
})

test('a service that is stopped while it starts leaves nothing behind', async () => {
  for (const ms of [20, 200, 400, 600, 800, 1000, 1300, 1600]) {
    const run = await start('node', ['--ephemeral'])
    run.ready.catch(() => {})
    await sleep(ms)
    process.kill(run.pid, 'SIGTERM')
    expect((await run.ended).errors).toBe('')
    await expectNothingLeft(run)
  }
})

test('two services run side by side, each with its own animals, and end with SIGINT and SIGHUP', async () => {
  const [one, other] = await Promise.all([start('node', ['--ephemeral']), start('node', ['--ephemeral'])])
  const [first, second] = await Promise.all([one.ready, other.ready])
  await add(first, 'Rex')
  expect(await pets(first)).toEqual(['Rex'])
  expect(await pets(second)).toEqual([])
  process.kill(one.pid, 'SIGINT')
  expect(await one.ended).toMatchObject({ code: 0, errors: '' })
  expect(await pets(second)).toEqual([])
  process.kill(other.pid, 'SIGHUP')
  expect(await other.ended).toMatchObject({ code: 0, errors: '' })
  await Promise.all([expectNothingLeft(one), expectNothingLeft(other)])
})

test('without --ephemeral the service has demo animals, and all data survives a restart', async () => {
  const env = { PETSTORE_DEV_DIRECTORY: join(await mkdtemp(join(folder, 'kept-')), '.petstore') }
  await chmod(dirname(env.PETSTORE_DEV_DIRECTORY), 0o755)
  const before = await start('node', [], env)
  const first = await before.ready
  const demo = await pets(first)
  expect(demo.length).toBeGreaterThan(10)
  await add(first, 'Rex')
  process.kill(before.pid, 'SIGTERM')
  expect(await before.ended).toMatchObject({ code: 0, errors: '' })

  const again = await start('node', [], env)
  const second = await again.ready
  report(`second start, ready after ${again.seconds().toFixed(1)} s`)
  expect(second.projectId).toBe(first.projectId)
  expect(await pets(second)).toEqual(['Rex', ...demo])
  expect(await pets({ ...second, apiKey: first.apiKey })).toEqual(['Rex', ...demo])
  process.kill(again.pid, 'SIGTERM')
  expect(await again.ended).toMatchObject({ code: 0, errors: '' })
  expect(processesOf(env.PETSTORE_DEV_DIRECTORY)).toEqual([])
})

test('a port that is taken is reported, and nothing is left behind', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  onTestFinished(() => void taken.close())
  const run = await start('node', ['--ephemeral'], {}, (taken.address() as AddressInfo).port)
  run.ready.catch(() => {})
  const { code, output, errors } = await run.ended
  expect([code, output]).toEqual([1, []])
  expect(errors).toContain('EADDRINUSE')
  expect(processesOf(run.temporary)).toEqual([])
  expect(await leftovers(run.temporary)).toEqual([])
})

test('environment variables do not override the address and environment of npm run dev', async () => {
  const env = { PORT: '1', HOST: '203.0.113.1', ENVIRONMENT: 'production', BASE_URL: 'https://petstore.example/v1' }
  const run = await start('node', ['--ephemeral'], env)
  const ready = await run.ready
  expect(ready.api).toBe(`http://127.0.0.1:${run.port}/v1`)
  expect(await pets(ready)).toEqual([])
  process.kill(run.pid, 'SIGTERM')
  expect(await run.ended).toMatchObject({ code: 0, errors: '' })
})

type Run = {
  pid: number
  port: number
  temporary: string
  ready: Promise<Ready>
  ended: Promise<{ code: number | null; output: string[]; errors: string }>
  /** Seconds until it was ready. */
  seconds(): number
}

async function start(
  command: Command,
  flags: string[],
  env: Record<string, string> = {},
  requestedPort?: number,
): Promise<Run> {
  const port = requestedPort ?? (await freePort())
  const temporary = await mkdtemp(join(folder, 'run-'))
  await chmod(temporary, 0o755)
  const args = ['--json', '--port', String(port), ...flags]
  const startedAt = performance.now()
  let readyAt = Number.NaN
  const child = spawn(
    command === 'npm' ? 'npm' : process.execPath,
    command === 'npm' ? ['run', 'dev', '--', ...args] : ['devserver/main.ts', ...args],
    {
      cwd: root,
      detached: true, // its own process group, as in a terminal
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...childEnv,
        PATH: `${dirname(process.execPath)}:${childEnv.PATH}`,
        HOME: temporary,
        TMPDIR: temporary,
        NPM_CONFIG_UPDATE_NOTIFIER: 'false',
        NPM_CONFIG_LOGS_MAX: '0',
        ...env,
      },
    },
  )
  onTestFinished(() => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // No process of the group is left, as expected.
    }
  })
  const output: string[] = []
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk))
  const { promise: ready, resolve, reject } = Promise.withResolvers<Ready>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    // npm first prints the command that it runs.
    if (command === 'npm' && (line === '' || line.startsWith('> '))) return
    output.push(line)
    if (output.length > 1) return
    readyAt = performance.now()
    resolve(JSON.parse(line) as Ready)
  })
  const ended = once(child, 'close').then(([code]) => {
    reject(new Error(`It ended before it was ready: ${errors}`))
    return { code: code as number | null, output, errors }
  })
  const seconds = () => (readyAt - startedAt) / 1000
  return { pid: child.pid ?? 0, port, temporary, ready, ended, seconds }
}

/** The process that cleans up after the service may outlive it for a moment. */
async function expectNothingLeft({ temporary, port }: Run): Promise<void> {
  await expect.poll(() => processesOf(temporary), { timeout: 15_000, interval: 50 }).toEqual([])
  expect(await leftovers(temporary)).toEqual([])
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  server.close()
}

/** Ignores the PostgreSQL programs, which are copied once for all runs if PostgreSQL's user cannot reach them, and npm's own files. */
async function leftovers(temporary: string): Promise<string[]> {
  const names = await readdir(temporary)
  return names.filter((name) => !/^petstore-postgres-\d|^\.npm$|^node-compile-cache$/.test(name))
}

function processesOf(path: string): string[] {
  const all = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  return all.split('\n').filter((line) => line.includes(path))
}

async function pets({ api, apiKey }: Ready): Promise<string[]> {
  const response = await fetch(`${api}/pets?limit=100`, { headers: { Authorization: `Bearer ${apiKey}` } })
  expect(response.status).toBe(200)
  return ((await response.json()) as { name: string }[]).map(({ name }) => name)
}

async function add({ api, apiKey }: Ready, name: string): Promise<void> {
  const response = await fetch(`${api}/pets`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, categoryId: 1 }),
  })
  expect(response.status).toBe(201)
}

function report(text: string): void {
  process.stdout.write(`npm run dev: ${text}\n`)
}
