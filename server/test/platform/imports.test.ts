// Imports on `/platform/v1`: a CSV file is uploaded in parts, started, and applied by a
// worker: all of it or nothing, however it is cut, whatever is wrong with it, and whichever
// worker dies on the way.

import { afterAll, describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/program/config.ts'
import type { Timer } from '../../src/foundation/postgres/timer-leases.io.ts'
import { openDatabase, type Db } from '../../src/foundation/postgres/postgres.io.ts'
import { importWork } from '../../src/imports/jobs.io.ts'
import { defaultRules } from '../../src/plans/limits.ts'
import { insertMember } from '../../src/projects/project-queries.ts'
import { inProjectOf, type InProject, type ProjectId } from '../../src/projects/scope.io.ts'
import { startWork, type RunningWork } from '../../src/program/work.ts'
import { withRealDeadlines } from '../../../testbed/harness/database.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import { startTestPlatform, type PlatformOwner } from '../../../testbed/harness/platform.ts'

const errors: Error[] = []

const platform = await startTestPlatform()
const owner = await platform.owner()
const stranger = await platform.owner()
const viewer = await platform.signUp('Viewer')
const database = openDatabase({ url: platform.test.database.appUrl, poolMax: 4, onError: () => {} })
const inProject = inProjectOf(database)
await inProject(owner.project, (db) => insertMember(db, owner.project, viewer.id as never, 'viewer'))
const hasty = openDatabase({ url: withRealDeadlines(platform.test.database.appUrl), poolMax: 2, onError: () => {} })
afterAll(() => Promise.all([database.close(), hasty.close()]))

const at = (path: string, of: PlatformOwner = owner) => `/projects/${of.slug}${path}`
const codeOf = ({ json }: Received) => (json as { code?: string }).code
const messageOf = ({ json }: Received) => (json as { message?: string }).message
type Import = {
  id: string
  state: string
  lines: number
  added: number
  bad: number
  badLines: { line: number; reason: string }[]
  reason: string | null
  createdAt: string
  finishedAt: string | null
}
type Table = string | Uint8Array
const csv = { 'Content-Type': 'text/csv' }

async function begin(of: PlatformOwner = owner, onBadLine = 'refuse'): Promise<string> {
  const answer = await of.send('POST', at('/imports', of), { onBadLine })
  expect([answer.status, answer.text]).toEqual([201, answer.text])
  return (answer.json as Import).id
}

const put = (of: PlatformOwner, id: string, number: number | string, bytes: Table) =>
  of.send('PUT', at(`/imports/${id}/parts/${number}`, of), bytes, csv)

/** Uploaded and started; not yet applied. */
async function queue(of: PlatformOwner, parts: readonly Table[], onBadLine = 'refuse'): Promise<string> {
  const id = await begin(of, onBadLine)
  for (const [index, part] of parts.entries()) expect((await put(of, id, index + 1, part)).status).toBe(204)
  const started = await of.send('POST', at(`/imports/${id}/start`, of), { parts: parts.length })
  expect([started.status, (started.json as Import).state]).toEqual([202, 'queued'])
  return id
}

const show = async (of: PlatformOwner, id: string) => (await of.send('GET', at(`/imports/${id}`, of))).json as Import

/** Runs a worker of the program for as long as it takes. */
async function workOff(of: PlatformOwner, id: string): Promise<Import> {
  const work: RunningWork = await startWork(parseConfig({ DATABASE_URL: platform.test.database.appUrl }), {
    pauseMs: 10,
    onError: (error) => void errors.push(error),
  })
  try {
    const deadline = Date.now() + 30_000
    for (;;) {
      const found = await show(of, id)
      if (found.finishedAt !== null) return found
      if (Date.now() > deadline) throw new Error(`the import is still ${found.state}: ${errors.join()}`)
    }
  } finally {
    await work.stop()
  }
}

const importTable = async (of: PlatformOwner, parts: readonly Table[], onBadLine = 'refuse') =>
  workOff(of, await queue(of, parts, onBadLine))

/** Without their ids, oldest first. */
async function animalsOf(of: PlatformOwner): Promise<string[]> {
  const { text } = await of.send('GET', at('/animals.csv', of))
  return text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.replace(/^\d+,/, ''))
}

const rows = <Row>(project: ProjectId, text: string, ...values: unknown[]) =>
  inProject(project, (db) => db<Row, unknown[]>({ name: '', text }, project, ...values))
const partsLeft = async (of: PlatformOwner, id: string) =>
  (await rows(of.project, `select number from import_parts where project_id = $1 and import_id = $2`, id)).length
const dueOf = async (id: string): Promise<Timer[]> =>
  database.run<Timer, [string]>(
    { name: '', text: `select kind, project_id as project, id, fence, attempts from due_directory where id = $1` },
    id,
  )

describe('an import', () => {
  test('is created, uploaded, started and applied, each with an audit event; its parts and its timer are then deleted', async () => {
    const shop = await platform.owner()
    const begun = await shop.send('POST', at('/imports', shop), { onBadLine: 'refuse' })
    expect(begun.status).toBe(201)
    const { id, createdAt, ...rest } = begun.json as Import
    expect(id).toMatch(/^imp_[0-9a-f]{24}$/)
    expect(rest).toEqual({
      state: 'uploading',
      lines: 0,
      added: 0,
      bad: 0,
      badLines: [],
      reason: null,
      finishedAt: null,
      isReviewed: false,
      fileName: null,
      changed: 0,
      undoUntil: null,
    })
    await put(shop, id, 1, 'name,categoryId,status\r\nRex,1,sold\r\nMi')
    await put(shop, id, 2, 'a,9223372036854775807,\r\n')
    await shop.send('POST', at(`/imports/${id}/start`, shop), { parts: 2 })
    const done = await workOff(shop, id)
    expect(done).toMatchObject({
      id,
      createdAt,
      state: 'succeeded',
      lines: 2,
      added: 2,
      bad: 0,
      badLines: [],
      reason: null,
    })
    expect(await animalsOf(shop)).toEqual(['Rex,1,sold', 'Mia,9223372036854775807,available'])
    expect([await partsLeft(shop, id), await dueOf(id)]).toEqual([0, []])
    const auditEvents = await rows<{ actor: string; action: string }>(
      shop.project,
      `select actor, action from audit where project_id = $1 and subject = $2 order by id`,
      id,
    )
    expect(auditEvents).toEqual([
      { actor: shop.id, action: 'import_created' },
      { actor: shop.id, action: 'import_started' },
      { actor: 'petstore', action: 'import_succeeded' },
    ])
    expect([done]).toMatchObject((await shop.send('GET', at('/imports', shop))).json as Import[])
  })

  test('uses the last part that was uploaded under a number', async () => {
    const shop = await platform.owner()
    const id = await begin(shop)
    await put(shop, id, 1, 'name,categoryId\nOld,1\n')
    await put(shop, id, 1, 'name,categoryId\nNew,1\n')
    await shop.send('POST', at(`/imports/${id}/start`, shop), { parts: 1 })
    await workOff(shop, id)
    expect(await animalsOf(shop)).toEqual(['New,1,available'])
  })

  test('reads its columns in any order, a byte order mark, quotes, line breaks of any kind, and parts cut anywhere', async () => {
    const shop = await platform.owner()
    const table = '\uFEFFStatus, id ,categoryid,NAME\r\nsold,77,1,"Größe, ""der"" 🐶"\n\n,,-3,Mia\rpending,x,1e2,\'Rex'
    const bytes = Buffer.from(table)
    const result = await importTable(
      shop,
      Array.from(bytes, (byte) => Uint8Array.of(byte)),
    )
    expect(result).toMatchObject({ state: 'succeeded', lines: 3, added: 3 })
    expect(await animalsOf(shop)).toEqual([`"Größe, ""der"" 🐶",1,sold`, `Mia,'-3,available`, `'Rex,100,pending`])
  })

  test('of an exported file adds the same animals', async () => {
    const shop = await platform.owner()
    const other = await platform.owner()
    for (const name of ['=1+1', "'=1", "''@x", '-', "'", 'a,"b"', '猫', ' padded ']) {
      await shop.send('POST', at('/animals', shop), { name, categoryId: -1n })
    }
    const { text } = await shop.send('GET', at('/animals.csv', shop))
    expect(await importTable(other, [text])).toMatchObject({ state: 'succeeded', added: 8 })
    expect(await animalsOf(other)).toEqual(await animalsOf(shop))
    const names = await other.send('GET', at('/animals?name=%27%3D', other))
    expect((names.json as { name: string }[]).map(({ name }) => name)).toEqual(["'=1"])
  })

  test('of more than a batch adds them all, in order', async () => {
    const shop = await platform.owner()
    const lines = Array.from({ length: 2500 }, (_, index) => `Animal ${index},${index}`)
    expect(await importTable(shop, [`name,categoryId\n${lines.join('\n')}`])).toMatchObject({
      lines: 2500,
      added: 2500,
    })
    expect(await animalsOf(shop)).toEqual(lines.map((line) => `${line},available`))
  })
})

describe('invalid rows', () => {
  const table = 'name,categoryId,status\nGood,1,\n ,1,\nRex,1.5,\n"a\nb",1,\nToo,few\nRex,1,gone\n"x"y,1,\nFine,2,sold'
  const badLines = [
    { line: 3, reason: expect.stringMatching(/^'name' must be/) as string },
    { line: 4, reason: expect.stringMatching(/^'categoryId' must be/) as string },
    { line: 5, reason: expect.stringMatching(/^'name' must be/) as string },
    { line: 7, reason: 'The row has 2 cells, but the first row has 3 columns.' },
    { line: 8, reason: expect.stringMatching(/^'status' must be/) as string },
    { line: 9, reason: expect.stringMatching(/^After a closing quotation mark/) as string },
  ]

  test('end an import that refuses them, with nothing added, and are all reported', async () => {
    const shop = await platform.owner()
    const id = await queue(shop, [table])
    const result = await workOff(shop, id)
    expect(result).toMatchObject({ state: 'failed', lines: 8, added: 0, bad: 6, badLines })
    expect(result.reason).toMatch(/Nothing was added/)
    expect([await animalsOf(shop), await partsLeft(shop, id)]).toEqual([[], 0])
  })

  test('are left out by an import that skips them, and reported', async () => {
    const shop = await platform.owner()
    const result = await importTable(shop, [table], 'skip')
    expect(result).toMatchObject({ state: 'succeeded', lines: 8, added: 2, bad: 6, badLines, reason: null })
    expect(await animalsOf(shop)).toEqual(['Good,1,available', 'Fine,2,sold'])
  })

  test('are listed up to the hundredth and counted to the last, even behind animals that were sent before', async () => {
    const shop = await platform.owner()
    const good = 'Good,1\n'.repeat(2000)
    const result = await importTable(shop, [`name,categoryId\n${good}${',1\n'.repeat(150)}${good}`])
    expect(result).toMatchObject({ state: 'failed', lines: 4150, added: 0, bad: 150 })
    expect(result.badLines.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, index) => 2002 + index))
    expect(await animalsOf(shop)).toEqual([])
  })
})

describe('a file that cannot be read', () => {
  const good = 'name,categoryId\nRex,1\n'
  test.each<[string, Table, RegExp]>([
    ['without categoryId', 'name,status\nRex,sold', /lacks the column\(s\) categoryId/],
    ['with an unknown column', 'name,categoryId,colour\nRex,1,red', /Known: .*; got 'colour'/],
    ['separated by semicolons', 'name;categoryId\nRex;1', /separated by commas/],
    ['with a column named twice', 'name,categoryId,Name\nRex,1,Max', /the column 'name' twice/],
    ['that is blank', '\r\n\r\n', /empty/],
    ['not in UTF-8', Buffer.from(`${good}Größe,1\n`, 'latin1'), /not in UTF-8/],
    ['that ends in the middle of a character', Buffer.from(`${good}Gr\u00f6`).subarray(0, -1), /not in UTF-8/],
    ['with a quotation mark that swallows the rest', `${good}"${'x'.repeat(100_000)}`, /row in line 3 has more than/],
  ])('%s fails with a reason, whatever the option for invalid rows, and adds nothing', async (_, bytes, reason) => {
    const shop = await platform.owner()
    for (const onBadLine of ['refuse', 'skip']) {
      const result = await importTable(shop, [bytes], onBadLine)
      expect([result.state, result.added]).toEqual(['failed', 0])
      expect(result.reason).toMatch(reason)
    }
    expect(await animalsOf(shop)).toEqual([])
  })
})

describe('a worker', () => {
  // Of several chunks, which are what a worker reads at once.
  const table = `name,categoryId\n${`${'A long name '.repeat(6)},1\n`.repeat(5000)}`
  const claimed = async (id: string): Promise<Timer> => {
    const [due] = await database.run<Timer, [string]>(
      {
        name: '',
        text: `update due_directory set fence = fence + 1, attempts = attempts + 1, claimed_until = now() + interval '1 minute'
          where id = $1 returning kind, project_id as project, id, fence, attempts`,
      },
      id,
    )
    if (!due) throw new Error('there is no timer')
    return due
  }

  test('reports its progress while it works, and nothing is added before the end', async () => {
    const shop = await platform.owner()
    const id = await queue(shop, [table])
    const seen: Import[] = []
    const watched: InProject = async (project, work) => {
      const result = await inProject(project, work)
      seen.push(await show(shop, id))
      return result
    }
    let time = 0
    await importWork({ database, inProject: watched, now: () => (time += 400), plans: defaultRules }).work(
      await claimed(id),
    )
    const running = seen.filter(({ state }) => state === 'running')
    expect(running.map(({ lines }) => lines)).toEqual(running.map(({ lines }) => lines).toSorted((a, b) => a - b))
    expect(new Set(running.map(({ lines }) => lines)).size).toBeGreaterThanOrEqual(3)
    expect(new Set(running.map(({ added }) => added))).toEqual(new Set([0]))
    expect(await show(shop, id)).toMatchObject({ state: 'succeeded', added: 5000 })
  })

  test('that fails in the middle leaves nothing behind, and the next one adds everything once', async () => {
    const shop = await platform.owner()
    const id = await queue(shop, [table])
    const failing: InProject = (project, work) =>
      inProject(project, (db) => {
        let batches = 0
        const run: Db = (statement, ...values) => {
          if (statement.name === 'add-imported-pets' && (batches += 1) > 3) throw new Error('the power went out')
          return db(statement, ...values)
        }
        return work(run)
      })
    const work = importWork({ database, inProject: failing, now: Date.now, plans: defaultRules })
    await expect(work.work(await claimed(id))).rejects.toThrow('the power went out')
    expect([(await show(shop, id)).state, await animalsOf(shop)]).toEqual(['running', []])
    await importWork({ database, inProject, now: Date.now, plans: defaultRules }).work(await claimed(id))
    expect(await show(shop, id)).toMatchObject({ state: 'succeeded', lines: 5000, added: 5000 })
    expect(await animalsOf(shop)).toHaveLength(5000)
  })

  test('that lost its import to another worker cannot commit it, at whatever moment it is taken', async () => {
    for (const moment of ['write-import', 'add-imported-pets', 'read-import-part']) {
      const shop = await platform.owner()
      const id = await queue(shop, [table])
      let isTaken = false
      const slow: InProject = (project, work) =>
        inProject(project, (db) =>
          work(async (statement, ...values) => {
            const result = await db(statement, ...values)
            if (statement.name === moment && !isTaken) {
              isTaken = true
              // Soon gives up where it has to wait for the other worker's rows.
              await importWork({ database: hasty, inProject: inProjectOf(hasty), now: Date.now, plans: defaultRules })
                .work(await claimed(id))
                .catch(() => {})
            }
            return result
          }),
        )
      await expect(
        importWork({ database, inProject: slow, now: Date.now, plans: defaultRules }).work(await claimed(id)),
      ).rejects.toThrow(
        // It finds out by its claim, or because the other worker has finished and deleted the parts.
        /another worker has taken|is gone/,
      )
      expect([moment, isTaken]).toEqual([moment, true])
      // In either case the animals are there once or can still be added once.
      await importWork({ database, inProject, now: Date.now, plans: defaultRules }).work(await claimed(id))
      expect([moment, (await show(shop, id)).added, (await animalsOf(shop)).length]).toEqual([moment, 5000, 5000])
    }
  })

  test('does nothing twice: a finished import stays as it is', async () => {
    const shop = await platform.owner()
    const id = await queue(shop, ['name,categoryId\nRex,1'])
    const due = await claimed(id)
    const work = importWork({ database, inProject, now: Date.now, plans: defaultRules })
    await work.work(due)
    const ended = await show(shop, id)
    await work.work(due)
    expect([await show(shop, id), await animalsOf(shop)]).toEqual([ended, ['Rex,1,available']])
  })

  test('gives up an import that was never started, and one that fails repeatedly', async () => {
    const shop = await platform.owner()
    const work = importWork({ database, inProject, now: Date.now, plans: defaultRules })
    const never = await begin(shop)
    await put(shop, never, 7, 'name')
    await work.work(await claimed(never))
    expect(await show(shop, never)).toMatchObject({
      state: 'failed',
      reason: 'The import was not started within a day.',
    })
    expect(await partsLeft(shop, never)).toBe(0)
    const cursed = await queue(shop, ['name,categoryId\nRex,1'])
    await work.work({ ...(await claimed(cursed)), attempts: 11 })
    expect(await show(shop, cursed)).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/on our side/) as string,
    })
    expect(await animalsOf(shop)).toEqual([])
  })
})

describe('an import refuses', () => {
  test('to start while parts are missing, which are named, and while there are more than announced', async () => {
    const shop = await platform.owner()
    const id = await begin(shop)
    const start = (parts: unknown) => shop.send('POST', at(`/imports/${id}/start`, shop), { parts })
    await put(shop, id, 2, 'x')
    await put(shop, id, 4, 'x')
    const missing = await start(5)
    expect([missing.status, codeOf(missing)]).toEqual([409, 'wrong_state'])
    expect(messageOf(missing)).toBe('Missing parts (of 5): 1, 3, 5.')
    expect(messageOf(await start(100_000))).toMatch(/: 1, 3, 5, .*, 22 and more\.$/)
    await put(shop, id, 1, 'x')
    const excess = await start(2)
    expect([excess.status, codeOf(excess), messageOf(excess)]).toEqual([
      409,
      'wrong_state',
      'Part 4 was sent, but only 2 were announced.',
    ])
    for (const parts of [0, 100_001, 1.5, '1']) expect((await start(parts)).status).toBe(400)
    expect((await show(shop, id)).state).toBe('uploading')
  })

  test('changes after it was started', async () => {
    const shop = await platform.owner()
    const id = await queue(shop, ['name,categoryId\nRex,1'])
    const again = await shop.send('POST', at(`/imports/${id}/start`, shop), { parts: 1 })
    expect([again.status, codeOf(again)]).toEqual([409, 'wrong_state'])
    const part = await put(shop, id, 1, 'other')
    expect([part.status, codeOf(part)]).toEqual([409, 'wrong_state'])
    await workOff(shop, id)
    expect(codeOf(await put(shop, id, 1, 'other'))).toBe('wrong_state')
    expect(await animalsOf(shop)).toEqual(['Rex,1,available'])
  })

  test('a part that is too large, empty, of another type or without a number', async () => {
    const id = await begin()
    expect((await put(owner, id, 1, Buffer.alloc(1_048_576, 'x'))).status).toBe(204)
    const large = await put(owner, id, 1, Buffer.alloc(1_048_577, 'x'))
    expect([large.status, codeOf(large)]).toEqual([413, 'body_too_large'])
    expect(codeOf(await put(owner, id, 1, ''))).toBe('missing_body')
    const json = await owner.send('PUT', at(`/imports/${id}/parts/1`), { a: 1 })
    expect([json.status, codeOf(json)]).toEqual([415, 'unsupported_media_type'])
    for (const number of ['0', '01', '100001', 'x', '-1', '1.0'])
      expect((await put(owner, id, number, 'x')).status).toBe(404)
    expect((await put(owner, id, 100_000, 'x')).status).toBe(204)
  })

  test('another option for invalid rows', async () => {
    for (const body of [{}, { onBadLine: 'ask' }, { onBadLine: 'skip', more: 1 }]) {
      expect((await owner.send('POST', at('/imports'), body)).status).toBe(400)
    }
  })

  test('to be created as one more than the plan allows to be unfinished', async () => {
    const shop = await platform.owner()
    for (let count = 0; count < 2; count++) await begin(shop)
    const answer = await shop.send('POST', at('/imports', shop), { onBadLine: 'skip' })
    expect([answer.status, codeOf(answer)]).toEqual([409, 'limit_reached'])
  })

  test('a viewer, except for reading', async () => {
    const id = await begin()
    expect((await viewer.send('GET', at(`/imports/${id}`))).status).toBe(200)
    expect((await viewer.send('GET', at('/imports'))).status).toBe(200)
    const answers = [
      await viewer.send('POST', at('/imports'), { onBadLine: 'skip' }),
      await viewer.send('PUT', at(`/imports/${id}/parts/1`), 'x', csv),
      await viewer.send('POST', at(`/imports/${id}/start`), { parts: 1 }),
    ]
    expect(answers.map((answer) => [answer.status, codeOf(answer)])).toEqual(
      answers.map(() => [403, 'insufficient_role']),
    )
  })

  test('access from another project, exactly as if it did not exist', async () => {
    const foreign = await begin(stranger)
    for (const [method, path, body, headers] of [
      ['GET', '', undefined, {}],
      ['PUT', '/parts/1', 'x', csv],
      ['POST', '/start', { parts: 1 }, {}],
    ] as const) {
      const seen = await owner.send(method, at(`/imports/${foreign}${path}`), body, headers)
      const missing = await owner.send(method, at(`/imports/imp_000000000000000000000000${path}`), body, headers)
      expect([method, seen.status, seen.text]).toEqual([method, 404, missing.text])
    }
    expect((await owner.send('GET', at('/imports'))).text).not.toContain(foreign)
    expect((await show(stranger, foreign)).state).toBe('uploading')
  })
})
