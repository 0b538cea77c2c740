// The operator's commands, run as an operator runs them: the real program in a process of
// its own, next to a service on the same database. The output of a command is checked on its
// streams, its effect on the API.

import { execFile, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { digestOf, isKey, makeKey } from '../../src/foundation/key-format.ts'
import { trackKeyUses } from '../../src/projects/jobs.io.ts'
import { createProject } from '../../src/projects/projects.io.ts'
import { inProjectsOf, type ProjectId } from '../../src/projects/scope.io.ts'
import { readCatalogue } from './database-catalogue.ts'
import { asOwner } from '../../../testbed/harness/database.ts'
import { exchange, type Received } from '../../../testbed/harness/http.ts'
import { startTestService, type TestService } from '../../../testbed/harness/service.ts'
import { childEnv } from '../../../testbed/harness/child-env.ts'

const main = join(import.meta.dirname, '../../src/main.ts')
const form = /^pets_live_[0-9A-Za-z]{38}$/

type Ran = { code: number; out: string; err: string }
type Shown = {
  id: string
  label: string
  scopes: string[]
  expiresAt: string | null
  revokedAt: string | null
  lastUsedAt: string | null
}

let service: TestService
let env: NodeJS.ProcessEnv
/** The service's clock runs this far ahead, so that tests need not wait for a key to expire. */
let ahead = 0

beforeAll(async () => {
  service = await startTestService({ now: () => Date.now() + ahead })
  const { appUrl, ownerUrl } = service.database
  env = {
    ...childEnv,
    DATABASE_URL: appUrl,
    DATABASE_OWNER_URL: ownerUrl,
  }
  await petstore('projects', 'create', '--slug', 'shelter', '--name', 'The Shelter')
})

function petstore(...args: string[]): Promise<Ran> {
  return petstoreIn(env, ...args)
}

function petstoreIn(environment: NodeJS.ProcessEnv, ...args: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { env: environment }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    )
  })
}

/** The one object that --json prints. */
async function json<T>(...args: string[]): Promise<T> {
  const { code, out, err } = await petstore(...args, '--json')
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/^\{.*\}\n$/)
  return JSON.parse(out) as T
}

const keys = (command: string, ...args: string[]) => ['keys', command, '--project', 'shelter', ...args]
/** As a test needs it that is about another command: without a process. */
const givenKey = async () => service.keyFor({ project: await projectOf('shelter') }, { label: 'given' })
const newKey = (...args: string[]) => json<Shown & { key: string }>(...keys('create', ...args))
const listed = async () => (await json<{ keys: Shown[] }>(...keys('list'))).keys
const ask = (key: string, path = '/v1/pets') =>
  exchange(service.origin, { path, headers: { Authorization: `Bearer ${key}` } })
/** The response to a key once it has ended: a process that is not notified yet may accept it for up to a second. */
async function endingOf(key: string): Promise<string> {
  const deadline = performance.now() + 1000
  for (;;) {
    const code = codeOf(await ask(key))
    if (code !== '200' || performance.now() > deadline) return code
  }
}
const codeOf = ({ status, json }: Received) => `${status} ${(json as { code?: string }).code ?? ''}`.trim()

/** Reported in a sentence on standard error, with exit code 1 and nothing on standard output. */
function expectMistake({ code, out, err }: Ran, sentence: string | RegExp): void {
  expect(err).toMatch(sentence)
  expect([code, out]).toEqual([1, ''])
  expect(err).not.toMatch(/^\s+at /m)
}

describe('projects create', () => {
  test('creates a project and reports it, as text and as JSON', async () => {
    const { code, out } = await petstore('projects', 'create', '--slug', 'kennel')
    expect([code, out]).toEqual([0, expect.stringMatching(/^Project \d+ \(kennel\) is ready\.\n$/)])
    const made = await json<object>('projects', 'create', '--slug', '4-paws', '--name', 'Vier Pfoten 🐾')
    expect(made).toEqual({ projectId: expect.any(Number), slug: '4-paws', name: 'Vier Pfoten 🐾' })
  })

  test.each(['Shelter', '2026'])("refuses '%s' as a slug", async (slug) => {
    expectMistake(await petstore('projects', 'create', '--slug', slug), /^A slug is 1 to 63 lower-case letters/)
  })

  test('refuses any slug that is no label of a hostname, or could be mistaken for an id', async () => {
    for (const slug of ['', '-a', 'a-', '-', 'a_b', 'a.b', 'a b', 'ä', 'A', '0', 'a\n', 'a'.repeat(64), "a'b"]) {
      const made = createProject(service.service.database, { slug, name: 'any' })
      await expect(made).rejects.toThrow('A slug is 1 to 63 lower-case letters')
    }
  })

  test('accepts the shortest and the longest slug', async () => {
    const made = await Promise.all(['x', 'y'.repeat(63)].map((slug) => petstore('projects', 'create', '--slug', slug)))
    expect(made.map(({ code }) => code)).toEqual([0, 0])
  })

  test('gives a slug once, to one of many concurrent calls, and never again', async () => {
    const create = () => petstore('projects', 'create', '--slug', 'once', '--json')
    const outcomes = await Promise.all([create(), create(), create(), create()])
    const [won, ...more] = outcomes.filter(({ code }) => code === 0)
    expect(more).toEqual([])
    const { projectId } = JSON.parse(won?.out ?? '') as { projectId: number }

    await asOwner(service.database, async (client) => {
      await client.query(`begin; select set_config('petstore.projects', '{${projectId}}', true)`)
      const { rowCount } = await client.query('delete from projects where project_id = $1', [projectId])
      await client.query('commit')
      expect(rowCount).toBe(1)
    })
    expectMistake(await create(), "The slug 'once' is taken. Slugs are never reused.")
  })

  test('refuses a name of no characters or of too many', async () => {
    for (const name of ['', 'x'.repeat(256)]) {
      const ran = await petstore('projects', 'create', '--slug', 'named', `--name=${name}`)
      expectMistake(ran, 'The name of a project must have 1 to 255 characters.')
    }
  })
})

describe('keys create', () => {
  test('shows the key once: it is in no list and, except for its digest, nowhere in the database', async () => {
    const { code, out } = await petstore(...keys('create', '--label', 'printed'))
    expect(code).toBe(0)
    const [key = '', , note] = out.split('\n')
    expect(key).toMatch(form)
    expect(note).toMatch(/^This key \(key_[0-9a-f]{24}\) is shown only once\. Store it now\.$/)
    expect((await ask(key)).status).toBe(200)

    const database = await wholeDatabase()
    expect(database).toContain(digestOf(key).toString('hex'))
    const lists = [(await petstore(...keys('list'))).out, (await petstore(...keys('list', '--json'))).out]
    for (const text of [database, ...lists, service.logs.join('')]) {
      for (const secret of [
        key,
        key.slice(14, 44),
        Buffer.from(key).toString('hex'),
        Buffer.from(key).toString('base64'),
      ]) {
        expect(text.includes(secret)).toBe(false)
      }
    }
  })

  test('gives every scope unless fewer are requested, and no more than requested', async () => {
    const all = await newKey()
    expect(all.scopes).toEqual(['pets:read', 'pets:write', 'orders:read'])
    const narrow = await newKey('--scopes', 'orders:read')
    expect(narrow.scopes).toEqual(['orders:read'])
    expect((await ask(narrow.key, '/v1/store/orders')).status).toBe(200)
    expect(codeOf(await ask(narrow.key))).toBe('403 insufficient_scope')
    const two = await newKey('--scopes', 'pets:read, orders:read')
    expect(two.scopes).toEqual(['pets:read', 'orders:read'])
  })

  test('with --expires-at the key is refused from that moment on', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const { key, ...shown } = await newKey('--expires-at', expiresAt)
    expect(shown.expiresAt).toBe(expiresAt)
    expect((await ask(key)).status).toBe(200)
    ahead = 3_600_000
    expect(codeOf(await ask(key))).toBe('401 expired_api_key')
    ahead = 0
    expect((await ask(key)).status).toBe(200)
  })

  test('finds the project by its id as well', async () => {
    const { projectId } = await json<{ projectId: number }>('projects', 'create', '--slug', 'by-id')
    const { key } = await json<{ key: string }>('keys', 'create', '--project', String(projectId))
    expect((await ask(key)).status).toBe(200)
  })
})

describe('keys rotate', () => {
  test('creates a new key with the same scopes, and both work until the overlap ends', async () => {
    const before = await newKey('--label', 'rotating', '--scopes', 'pets:read')
    const after = await json<Shown & { key: string; old: Shown }>(
      ...keys('rotate', before.id, '--overlap-seconds', '600'),
    )
    expect(after).toMatchObject({ label: 'rotating', scopes: ['pets:read'], expiresAt: null, old: { id: before.id } })
    expect(after.id).not.toBe(before.id)
    const until = Date.parse(after.old.expiresAt ?? '') - Date.now()
    expect(until).toBeGreaterThan(590_000)
    expect(until).toBeLessThanOrEqual(600_000)

    expect([(await ask(before.key)).status, (await ask(after.key)).status]).toEqual([200, 200])
    ahead = 600_000
    expect([codeOf(await ask(before.key)), codeOf(await ask(after.key))]).toEqual(['401 expired_api_key', '200'])
    ahead = 0
  })

  test('with an overlap of 0 the old key ends within a second, and is not rotated again', async () => {
    const before = await givenKey()
    expect((await ask(before.key)).status).toBe(200)
    const { out } = await petstore(...keys('rotate', before.id, '--overlap-seconds', '0'))
    const [key = ''] = out.split('\n')
    expect(out).toMatch(new RegExp(`${before.id} stays valid until \\d{4}-\\d\\d-\\d\\dT`))
    expect([await endingOf(before.key), codeOf(await ask(key))]).toEqual(['401 expired_api_key', '200'])
    expectMistake(await petstore(...keys('rotate', before.id)), `No usable key ${before.id} in this project.`)
  })

  test('has an overlap of 24 hours by default', async () => {
    const { id } = await givenKey()
    const { old } = await json<{ old: Shown }>(...keys('rotate', id))
    expect((Date.parse(old.expiresAt ?? '') - Date.now()) / 3_600_000).toBeCloseTo(24, 1)
  })
})

describe('keys revoke', () => {
  test('ends a key within a second, can be repeated, and keeps the first time', async () => {
    const { id, key } = await givenKey()
    expect((await ask(key)).status).toBe(200)
    const first = await json<Shown>(...keys('revoke', id))
    expect(await endingOf(key)).toBe('401 revoked_api_key')
    const again = await json<Shown>(...keys('revoke', id))
    expect(again.revokedAt).toBe(first.revokedAt)
    expect((await petstore(...keys('revoke', id))).out).toBe(`${id} has been revoked.\n`)
    expectMistake(await petstore(...keys('rotate', id)), `No usable key ${id} in this project.`)
  })

  test("leaves another project's key alone, which it does not find", async () => {
    await petstore('projects', 'create', '--slug', 'neighbour')
    const { id, key } = await givenKey()
    const ran = await petstore('keys', 'revoke', '--project', 'neighbour', id)
    expectMistake(ran, `No key ${id} in this project.`)
    expectMistake(await petstore('keys', 'rotate', '--project', 'neighbour', id), /^No usable key/)
    expect((await ask(key)).status).toBe(200)
  })
})

describe('keys list', () => {
  test('shows the scopes and the status of each key, and never the key', async () => {
    await petstore('projects', 'create', '--slug', 'listed')
    const ofListed = (command: string, ...args: string[]) => ['keys', command, '--project', 'listed', ...args]
    expect((await petstore(...ofListed('list'))).out).toBe('This project has no keys.\n')
    const expired = await json<Shown & { key: string }>(
      ...ofListed('create', '--label', 'a', '--expires-at', '2027-01-31T00:00:00Z'),
    )
    const revoked = await json<Shown>(...ofListed('create', '--label', 'b', '--scopes', 'pets:read'))
    await petstore(...ofListed('revoke', revoked.id))
    await petstore(...ofListed('create', '--label', 'c'))

    const lines = (await petstore(...ofListed('list'))).out.trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(
      /^key_\w{24}  pets_live_\w{4}…\w{4}  active +never used  pets:read,pets:write,orders:read  c$/,
    )
    expect(lines[1]).toMatch(/ revoked \d{4}-\d\d-\d\d \d\d:\d\d:\d\d  never used  pets:read +b$/)
    expect(lines[2]).toContain(`${expired.key.slice(0, 14)}…${expired.key.slice(-4)}  expires 2027-01-31 00:00:00`)
  })

  test('shows when a key was last used, which a stopping service has written', async () => {
    const { id, key } = await givenKey()
    const started = Date.now()
    const child = spawn(process.execPath, [main, 'serve'], {
      env: { ...env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const output: string[] = []
    const port = await new Promise<number>((resolve) => {
      createInterface(child.stdout).on('line', (line) => {
        output.push(line)
        const entry = JSON.parse(line) as { msg: string; port?: number }
        if (entry.msg === 'serving') resolve(entry.port ?? 0)
      })
    })
    const answer = await exchange(`http://127.0.0.1:${port}`, {
      path: '/v1/pets',
      headers: { Authorization: `Bearer ${key}` },
    })
    expect(answer.status).toBe(200)
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])

    const used = Date.parse((await listed()).find((shown) => shown.id === id)?.lastUsedAt ?? '')
    expect(used).toBeGreaterThanOrEqual(started)
    expect(used).toBeLessThanOrEqual(Date.now())
    expect((await petstore(...keys('list'))).out).toContain(
      `used ${new Date(used).toISOString().slice(0, 19).replace('T', ' ')}`,
    )
    expect(output.join('\n')).not.toContain(key)
  })
})

describe('the time of the last use of a key', () => {
  const trackers = (now: () => number) => trackKeyUses({ inProjects: inProjectsOf(service.service.database), now })

  test('is written at most once a minute, however often and by however many processes it is used', async () => {
    const { id } = await givenKey()
    const project = await projectOf('shelter')
    const start = Date.now() + 3_600_000
    let now = start
    const [one, two] = [trackers(() => now), trackers(() => now)]
    const seen: [second: number, written: number][] = []
    for (let second = 0; second <= 240; second += 5) {
      now = start + second * 1000
      // Used continuously by one process, and now and then by the other, whose cache entry has expired in between.
      if (second <= 180) one.note({ project, keyId: id, scopes: [] })
      if (second % 70 === 0) two.note({ project, keyId: id, scopes: [] })
      await one.write()
      await two.write()
      const at = Date.parse((await lastUsed(project, id)) ?? '')
      if (seen.at(-1)?.[1] !== (at - start) / 1000) seen.push([second, (at - start) / 1000])
    }
    expect(seen.map(([, written]) => written)).toEqual([0, 60, 120, 180])
  })

  test('is not waited for by any request', async () => {
    const { id, key } = await givenKey()
    const project = await projectOf('shelter')
    const blocker = new pg.Client(service.database.appUrl)
    await blocker.connect()
    await blocker.query(`begin; select set_config('petstore.projects', '{${project}}', true)`)
    await blocker.query('select from api_keys where project_id = $1 and id = $2 for update', [project, id])
    const blocked = trackers(Date.now)
    blocked.note({ project, keyId: id, scopes: [] })
    const writing = blocked.write()
    expect((await ask(key)).status).toBe(200)
    // The row is still locked: the write times out, and the request did not depend on it.
    await expect(writing).rejects.toThrow('PostgreSQL cannot answer now')
    await blocker.query('rollback')
    await blocker.end()
    await blocked.write()
    expect(await lastUsed(project, id)).not.toBeNull()
  })
})

describe('a mistake of the operator is reported in a sentence, with exit code 1', () => {
  const unknown = 'key_000000000000000000000000'
  test.concurrent.each<[what: string, args: string[], sentence: string | RegExp]>([
    ['an unknown project', ['keys', 'list', '--project', 'nowhere'], 'There is no project nowhere.'],
    ['an unknown id of a project', ['keys', 'create', '--project', '999999'], 'There is no project 999999.'],
    ['no project', ['keys', 'list'], "error: required option '--project <project>' not specified"],
    ['no slug', ['projects', 'create'], "error: required option '--slug <slug>' not specified"],
    ['an unknown command', ['keys', 'destroy'], "error: unknown command 'destroy'"],
    ['an unknown option', keys('list', '--all'), "error: unknown option '--all'"],
    ['no key', keys('revoke'), "error: missing required argument 'key-id'"],
    ['an unknown key to revoke', keys('revoke', unknown), `No key ${unknown} in this project.`],
    ['an unknown key to rotate', keys('rotate', unknown), `No usable key ${unknown} in this project.`],
    ['an unknown scope', keys('create', '--scopes', 'pets:fly'), '--scopes takes pets:read, pets:write, orders:read.'],
    ['no scope', keys('create', '--scopes', ''), '--scopes takes pets:read, pets:write, orders:read.'],
    ['a day instead of a time', keys('create', '--expires-at', '2027-01-31'), '--expires-at takes an RFC 3339 time'],
    [
      'too long an overlap',
      keys('rotate', unknown, '--overlap-seconds', '2592001'),
      '--overlap-seconds must be 0 to 2592000.',
    ],
    ['a negative overlap', keys('rotate', unknown, '--overlap-seconds=-1'), '--overlap-seconds must be 0 to 2592000.'],
    ['half a second', keys('rotate', unknown, '--overlap-seconds', '0.5'), '--overlap-seconds must be 0 to 2592000.'],
    ['an empty label', keys('create', '--label='), 'The label of a key must have 1 to 100 characters.'],
    [
      'too long a label',
      keys('create', '--label', 'x'.repeat(101)),
      'The label of a key must have 1 to 100 characters.',
    ],
  ])('%s', async (_, args, sentence) => {
    expectMistake(await petstore(...args), sentence)
  })

  test('no database, or one that does not exist', async () => {
    expectMistake(await petstoreIn({ PATH: env['PATH'] }, ...keys('list')), /DATABASE_URL is required/)
    const nowhere = { ...env, DATABASE_URL: 'postgresql://petstore_app@127.0.0.1:1/petstore' }
    expectMistake(await petstoreIn(nowhere, ...keys('list')), 'PostgreSQL cannot answer now')
  })
})

describe('an invalid key', () => {
  const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const draw = (length: number, from = ALPHABET) => Array.from({ length }, () => from[randomInt(from.length)]).join('')
  const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join('')
  const falsify: ((key: string) => string)[] = [
    () => draw(randomInt(1, 80), visible),
    () => `pets_live_${draw(38)}`,
    (key) => replaced(key, randomInt(key.length), draw(1, visible)),
    (key) => replaced(key, randomInt(10, key.length), draw(1)),
    (key) => replaced(key, 10, draw(32)),
    (key) => key.slice(0, randomInt(key.length)),
    (key) => key + draw(randomInt(1, 9)),
    (key) => key.slice(0, 20) + key.slice(21),
    (key) => key.toLowerCase(),
    (key) => key.slice(0, 42) + draw(6),
    (key) => key.replace('_live_', '_test_'),
    () => makeKey('test', randomBytes),
  ]
  const replaced = (key: string, at: number, part: string) => key.slice(0, at) + part + key.slice(at + part.length)

  test('is detected without a query, 240,000 times', () => {
    const key = makeKey('live', randomBytes)
    let tried = 0
    for (let round = 0; round < 20_000; round++) {
      for (const make of falsify) {
        const text = make(key)
        if (text !== key && isKey(text, 'live')) expect(text).toBe('no key')
        tried++
      }
    }
    expect(tried).toBe(240_000)
    expect(isKey(key, 'live')).toBe(true)
  })

  test('gets the same bytes as every other, including one that is well-formed and unknown: 6,000 times', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 50 })
    const { key } = await givenKey()
    const answers = new Map<string, number>()
    const wrong = [
      ...falsify,
      () => makeKey('live', randomBytes),
      () => 'x'.repeat(8000),
      (good: string) => `${good} ${good}`,
    ]
    const one = async (round: number) => {
      const text = wrong[round % wrong.length]?.(key) ?? ''
      if (text === key) return
      const sent = { path: '/v1/pets', headers: { Authorization: `Bearer ${text}` } }
      const { status, rawHeaders, text: body } = await exchange(service.origin, sent, agent)
      const whole = `${status}\n${rawHeaders.join('\n')}\n${body}`.replace(/(Request-Id|Date)\n.*/gi, '$1')
      answers.set(whole, (answers.get(whole) ?? 0) + 1)
    }
    for (let round = 0; round < 6000; round += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => one(round + index)))
    }
    agent.destroy()
    expect([...answers.keys()]).toEqual([expect.stringContaining('{"code":"invalid_api_key"')])
    expect([...answers.values()][0]).toBeGreaterThan(5900)
    expect((await ask(key)).status).toBe(200)
  }, 120_000)
})

/** Every row of every table, of all projects, as text. */
async function wholeDatabase(): Promise<string> {
  const { tables } = await asOwner(service.database, readCatalogue)
  const client = new pg.Client(service.database.appUrl)
  await client.connect()
  await client.query(`begin; select set_config('petstore.projects',
    (select array_agg(project_id)::text from (select project_id from slug_directory) all_of_them), true)`)
  const texts: string[] = []
  for (const { name } of tables) texts.push(JSON.stringify((await client.query(`select t::text from ${name} t`)).rows))
  await client.end()
  expect(texts.filter((text) => text !== '[]').length).toBeGreaterThanOrEqual(5)
  return texts.join('\n')
}

async function projectOf(slug: string): Promise<ProjectId> {
  const rows = await asOwner(service.database, (client) =>
    client.query<{ id: string }>('select project_id as id from slug_directory where slug = $1', [slug]),
  )
  return BigInt(rows.rows[0]?.id ?? 0) as ProjectId
}

async function lastUsed(project: ProjectId, id: string): Promise<string | null> {
  return asOwner(service.database, async (client) => {
    await client.query(`begin; select set_config('petstore.projects', '{${project}}', true)`)
    const { rows } = await client.query<{ at: Date | null }>(
      'select last_used_at as at from api_keys where project_id = $1 and id = $2',
      [project, id],
    )
    return rows[0]?.at?.toISOString() ?? null
  })
}
