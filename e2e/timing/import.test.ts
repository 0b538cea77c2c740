// Imports in separate processes: the service receives the CSV file, the worker adds its rows,
// and the memory of neither grows with the file. A worker that is killed halfway leaves no
// rows behind, so that the next one adds everything exactly once.

import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../server/src/foundation/postgres/postgres.io.ts'
import { createProject } from '../../server/src/projects/projects.io.ts'
import { inProjectOf } from '../../server/src/projects/scope.io.ts'
import { advance, hold } from '../../server/src/imports/advance.io.ts'
import { insert, putPart } from '../../server/src/imports/import-queries.ts'
import { cloneDatabase } from '../../testbed/harness/database.ts'
import { runProgram } from '../../testbed/harness/process.ts'
import { printFigures } from '../../testbed/experiments/outcome.ts'
import { GROWTH_MAX_MB, faultsOf, measureImport, type ImportFigures } from '../../testbed/experiments/import/main.ts'

const ANIMALS = 50_000

test('a CSV file of any size is imported in constant memory, with visible progress', async () => {
  const { appUrl } = await cloneDatabase()
  const figures = await measureImport(appUrl, ANIMALS)
  printFigures(figures)
  expect(faultsOf(figures)).toEqual([])
})

describe('the measurement (negative control) reports', () => {
  const memory = { beforeMb: 100, peakMb: 150, growthMb: 50 }
  const samples = [1, 2, 3].map((seconds) => ({ seconds, state: 'running', lines: seconds, workerMb: 100 }))
  const counts = { animals: 9, bytes: 9, parts: 1, uploadSeconds: 1, importSeconds: 3, rowsPerSecond: 3, added: 9 }
  const good: ImportFigures = { ...counts, state: 'succeeded', samples, worker: memory, service: memory }

  test.each<[string, Partial<ImportFigures>]>([
    ['an import that failed', { state: 'failed', added: 0 }],
    ['animals that are missing', { added: 8 }],
    ['progress that is not visible', { samples: [] }],
    ['a worker that keeps the file in memory', { worker: { ...memory, growthMb: GROWTH_MAX_MB + 1 } }],
    ['a service that keeps the file in memory', { service: { ...memory, growthMb: GROWTH_MAX_MB + 1 } }],
  ])('%s', (_, change) => {
    expect(faultsOf(good)).toEqual([])
    expect(faultsOf({ ...good, ...change })).toHaveLength(1)
  })
})

test('a worker that is killed halfway leaves no rows behind, and the next one adds everything exactly once', async () => {
  const { appUrl } = await cloneDatabase()
  const database = openDatabase({ url: appUrl, poolMax: 2, onError: () => {} })
  const inProject = inProjectOf(database)
  const project = await createProject(database, { slug: 'killed', name: 'Killed' })
  const id = 'imp_0123456789abcdef01234567'
  const count = ANIMALS * 2
  const table = Buffer.from(`name,categoryId\n${Array.from({ length: count }, (_, at) => `A${at},1\n`).join('')}`)
  await inProject(project, async (db) => {
    const operator = { createdBy: 'operator', isReviewed: false, fileName: undefined }
    await insert(db, project, { id, onBadLine: 'refuse', ...operator })
    await putPart(db, project, id, 1, table.subarray(0, 500_000))
    await putPart(db, project, id, 2, table.subarray(500_000))
    await advance(db, project, await hold(db, project, id, 'started'), { kind: 'started', parts: 2 })
  })
  type Seen = { state: string; lines: bigint; animals: bigint }
  const readImport = async (): Promise<Seen> => {
    const text = `select state, lines, (select count(*) from pets where project_id = $1) as animals from imports where project_id = $1`
    const [seen] = await inProject(project, (db) => db<Seen, [bigint]>({ name: 'look', text }, project))
    if (!seen) throw new Error('the import is gone')
    return seen
  }
  const until = async (isReached: (seen: Seen) => boolean): Promise<Seen> => {
    const deadline = Date.now() + 120_000
    for (;;) {
      const seen = await readImport()
      if (isReached(seen)) return seen
      if (Date.now() > deadline) throw new Error(`it is still ${seen.state} with ${seen.lines} lines`)
    }
  }
  const env = { DATABASE_URL: appUrl, LOG_LEVEL: 'error' }

  const first = runProgram(['work'], env)
  await until(({ lines }) => lines > 5000n)
  first.end('SIGKILL')
  await first.ended
  expect(await readImport()).toMatchObject({ state: 'running', animals: 0n })

  // The lease of a dead worker lasts a minute; the test ends it instead of waiting.
  await database.run(
    { name: 'forget', text: 'update due_directory set due_at = now(), claimed_until = now() where id = $1' },
    id,
  )
  const second = runProgram(['work'], env)
  const ended = await until(({ state }) => state !== 'running')
  expect(ended).toEqual({ state: 'succeeded', lines: BigInt(count), animals: BigInt(count) })
  second.end('SIGTERM')
  expect((await second.ended).code).toBe(0)
  await database.close()
})
