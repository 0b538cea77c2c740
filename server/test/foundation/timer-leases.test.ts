// Timers in the database: claimed by one worker at a time, claimed again when a worker died,
// delayed when the work failed, and never lost when set again in the meantime.

import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  clearTimer,
  lockTimer,
  setTimer,
  runTimers,
  type Timer,
  type TimerWork,
  type Worker,
} from '../../src/foundation/postgres/timer-leases.io.ts'
import { openDatabase, statement, type Database, type Db } from '../../src/foundation/postgres/postgres.io.ts'
import { cloneDatabase } from '../../../testbed/harness/database.ts'

let database: Database
const opened: Database[] = []
const workers: Worker[] = []

beforeEach(async () => {
  database = openDatabase({ url: (await cloneDatabase()).appUrl, poolMax: 8, onError: () => {} })
  opened.push(database)
})
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  await Promise.all(opened.map((one) => one.close()))
})

const timer = (id: string, kind = 'test') => ({ kind, project: 1n, id })

type Row = { id: string; attempts: number; isClaimed: boolean; seconds: number }
const readRows = statement<Row, []>(
  'test-due',
  `select id, attempts, coalesce(claimed_until > now(), false) as "isClaimed",
     extract(epoch from due_at - now())::float8 as seconds
   from due_directory
   order by id`,
)
const rows = () => database.run(readRows)

function start(work: TimerWork['work'], { claimSeconds = 60, errors = [] as Error[], kind = 'test' } = {}): Worker {
  const worker = runTimers({
    run: database.run,
    kinds: { [kind]: { work, claimSeconds } },
    atOnce: 4,
    pauseMs: 10,
    onError: (error) => void errors.push(error),
  })
  workers.push(worker)
  return worker
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('it did not happen in time')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe('a due timer', () => {
  test('is worked once, by one of several workers, and is gone', async () => {
    const done: string[] = []
    for (let id = 0; id < 40; id += 1) await setTimer(database.run, timer(`t${id}`))
    const three = [1, 2, 3].map(() => start(async ({ id }) => void done.push(id)))
    await until(async () => (await rows()).length === 0)
    await Promise.all(three.map((worker) => worker.stop()))
    expect(done.toSorted()).toEqual(Array.from({ length: 40 }, (_, id) => `t${id}`).toSorted())
  })

  test('is not claimed before its time, and neither is a cleared one or one of another kind', async () => {
    const done: string[] = []
    await setTimer(database.run, timer('later'), 3600)
    await setTimer(database.run, timer('cleared'))
    await clearTimer(database.run, timer('cleared'))
    await setTimer(database.run, timer('foreign', 'other'))
    await setTimer(database.run, timer('now'))
    const worker = start(async ({ id }) => void done.push(id))
    await until(() => done.length > 0)
    await worker.stop()
    expect(done).toEqual(['now'])
    expect((await rows()).map(({ id }) => id)).toEqual(['foreign', 'later'])
  })

  test('comes again when the work returns a time', async () => {
    await setTimer(database.run, timer('again'))
    const worker = start(async () => 600)
    await until(async () => ((await rows())[0]?.seconds ?? 0) > 500)
    await worker.stop()
    expect(await rows()).toMatchObject([{ id: 'again', isClaimed: false }])
  })

  test('is retried later when the work failed, and the failure is logged', async () => {
    const errors: Error[] = []
    await setTimer(database.run, timer('fails'))
    const worker = start(async () => Promise.reject(new Error('no luck')), { errors })
    await until(async () => errors.length > 0 && (await rows())[0]?.isClaimed === false)
    await worker.stop()
    expect(errors.map(({ message }) => message)).toEqual(['no luck'])
    const [row] = await rows()
    expect(row).toMatchObject({ attempts: 1 })
    expect(row?.seconds).toBeGreaterThan(0)
  })

  test('is claimed again when the lease of its worker has expired', async () => {
    const claims: Timer[] = []
    await setTimer(database.run, timer('lost'))
    const hangs = Promise.withResolvers<void>()
    const dead = start(
      async (due) => {
        claims.push(due)
        if (claims.length === 1) await hangs.promise
      },
      { claimSeconds: 0.05 },
    )
    await until(() => claims.length > 1)
    expect(claims[1]?.fence).toBeGreaterThan(claims[0]?.fence ?? 0n)
    // The first worker continues and finds that its claim has ended.
    const [first] = claims
    expect(first && (await lockTimer(database.run, first, 60))).toBe(false)
    hangs.resolve()
    await dead.stop()
  })

  test('of a project with a backlog comes after those of other projects', async () => {
    const begun: bigint[] = []
    for (let id = 0; id < 200; id += 1) await setTimer(database.run, timer(`t${id}`))
    const worker = start(async ({ project }) => {
      begun.push(project)
      if (begun.length === 20) await setTimer(database.run, { ...timer('of another'), project: 2n })
      await new Promise((resolve) => setTimeout(resolve, 5))
    })
    await until(() => begun.includes(2n))
    await worker.stop()
    // Those that were claimed already, and no more.
    expect(begun.indexOf(2n)).toBeLessThan(20 + 2 * 4)
  })

  test('that is set again during its work outlives that work', async () => {
    await setTimer(database.run, timer('set-anew'))
    const begun = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<void>()
    const worker = start(async () => {
      begun.resolve()
      await finish.promise
    })
    await begun.promise
    await setTimer(database.run, timer('set-anew'), 3600)
    finish.resolve()
    await worker.stop()
    expect(await rows()).toMatchObject([{ id: 'set-anew', attempts: 0, isClaimed: false }])
  })
})

test('a worker that is stopped finishes the work in progress', async () => {
  await setTimer(database.run, timer('last'))
  const begun = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const worker = start(async () => {
    begun.resolve()
    await finish.promise
  })
  await begun.promise
  let isStopped = false
  const stopping = worker.stop().then(() => (isStopped = true))
  await new Promise((resolve) => setImmediate(resolve))
  expect(isStopped).toBe(false)
  finish.resolve()
  await stopping
  expect(await rows()).toEqual([])
})

test('a worker of several kinds asks for all of them at once, and claims only those that are due', async () => {
  const asked: string[] = []
  const done: string[] = []
  const run: Db = (statement, ...values) => {
    asked.push(`${statement.name} ${String(values[0])}`)
    return database.run(statement, ...values)
  }
  const work: TimerWork = { work: async ({ kind, id }) => void done.push(`${kind} ${id}`), claimSeconds: 60 }
  const kinds = { one: work, two: work, three: work }
  const errors: Error[] = []
  const worker = runTimers({ run, kinds, atOnce: 4, pauseMs: 10, onError: (error) => void errors.push(error) })
  workers.push(worker)
  await until(() => asked.length >= 5)
  expect(new Set(asked)).toEqual(new Set(['ready-kinds one,two,three']))
  await setTimer(database.run, timer('first', 'two'))
  await until(() => done.length === 1)
  await setTimer(database.run, timer('second', 'three'))
  await until(() => done.length === 2)
  await worker.stop()
  expect(done).toEqual(['two first', 'three second'])
  expect(asked).not.toContain('claim-timers one')
  expect(errors).toEqual([])
})
