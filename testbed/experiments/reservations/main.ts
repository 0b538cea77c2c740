// Processes ask for the same animal for all their visitors at once; afterwards as many requests wait as the queue has places,
// and every other visitor was answered that it is full.

import { defaultRequestSettings } from '@petstore-platform/contract/platform/order-holds'
import { QUEUE_MAX, holdRules, type HoldRule } from '@petstore-platform/contract/platform/orders'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { startWorkerProcess, type WorkerProcess } from '../../harness/worker-process.ts'
import { openDatabase, statement } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { setRequestSettings } from '../../../server/src/orders/settings-queries.ts'
import { createProject } from '../../../server/src/projects/projects.io.ts'
import { inProjectOf, type InProject, type ProjectId } from '../../../server/src/projects/scope.io.ts'
import type { ReservationJob, ReservationOutcome } from './worker.ts'
import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'

const PROCESSES = 4
const workerScript = join(import.meta.dirname, 'worker.ts')

type Worker = WorkerProcess<ReservationJob, ReservationOutcome>

export type ReservationUrls = { appUrl: string; ownerUrl: string }
export type ReservationOptions = { rounds: number; concurrent: number; rule: HoldRule; isBroken?: boolean }

/** The result of one round, or of all of them. */
export type Round = {
  /** How many requests were accepted. */
  placed: number
  /** How many were answered that the queue is full. */
  refused: number
  /** Requests that were retried because the service was unavailable at first. */
  retried: number
  troubles: string[]
  /** As stored afterwards. */
  orders: number
  holding: number
  pending: number
  ms: number
}
export type ReservationFigures = { processes: number; concurrent: number; rule: HoldRule; rounds: Round[] }

/** The fault of a round; undefined if the queue is full and no longer, and held by the rule. */
export function faultOf(round: Round, { concurrent, rule }: Pick<ReservationFigures, 'concurrent' | 'rule'>) {
  const { placed, refused, orders, holding, pending, troubles } = round
  const places = Math.min(concurrent, QUEUE_MAX)
  const held = rule === 'on_first_request' ? 1 : 0
  const isQueued = placed === places && orders === places && refused === concurrent - places
  if (isQueued && holding === held && pending === held && troubles.length === 0) return undefined
  const outcomeText = `${placed} accepted, ${refused} refused, ${troubles.length} troubles`
  const stored = `${orders} requests, ${holding} holding, ${pending} pending animals`
  return `${stored}; ${outcomeText}${troubles[0] === undefined ? '' : ` (${troubles[0]})`}`
}

export async function measureReservations(
  urls: ReservationUrls,
  { rounds, concurrent, rule, isBroken = false }: ReservationOptions,
): Promise<ReservationFigures> {
  if (isBroken) await dropIndex(urls.ownerUrl)
  const database = openDatabase({ url: urls.appUrl, poolMax: 2, onError: () => {} })
  const inProject = inProjectOf(database)
  const start = (): Promise<Worker> => startWorkerProcess(workerScript, [urls.appUrl])
  const workers = await Promise.all(Array.from({ length: PROCESSES }, start))
  try {
    const slug = `r${randomBytes(8).toString('hex')}`
    const project = await createProject(database, { slug, name: 'reservations' })
    await inProject(project, (db) => setRequestSettings(db, project, { ...defaultRequestSettings, holdRule: rule }))
    const done: Round[] = []
    for (let round = 0; round < rounds; round++) {
      done.push(await runRound(inProject, project, workers, { concurrent, isBroken }))
    }
    return { processes: PROCESSES, concurrent, rule, rounds: done }
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
    await database.close()
  }
}

async function runRound(
  inProject: InProject,
  project: ProjectId,
  workers: readonly Worker[],
  { concurrent, isBroken }: Pick<ReservationJob, 'isBroken'> & { concurrent: number },
): Promise<Round> {
  const [animal] = await inProject(project, (db) => db(addAnimal, project))
  if (!animal) throw new Error('an insert gave no row')
  const started = performance.now()
  const outcomes = await Promise.all(
    workers.map((worker, n) => {
      const visitors = Math.floor((concurrent + n) / workers.length)
      return worker.send({ project: String(project), petId: String(animal.id), visitors, isBroken })
    }),
  )
  const ms = Math.round(performance.now() - started)
  const [stored] = await inProject(project, (db) => db(countStored, project, animal.id))
  const sum = (pick: (outcome: ReservationOutcome) => number) => outcomes.map(pick).reduce((a, b) => a + b, 0)
  return {
    placed: sum(({ placed }) => placed),
    refused: sum(({ refused }) => refused),
    retried: sum(({ retried }) => retried),
    troubles: outcomes.flatMap(({ troubles }) => troubles),
    orders: stored?.orders ?? 0,
    holding: stored?.holding ?? 0,
    pending: stored?.pending ?? 0,
    ms,
  }
}

const addAnimal = statement<{ id: bigint }, [project: ProjectId]>(
  'add-wanted-animal',
  `insert into pets (project_id, name, category_id, status) values ($1, 'Rex', 1, 'available') returning id`,
)

const countStored = statement<
  { orders: number; holding: number; pending: number },
  [project: ProjectId, petId: bigint]
>(
  'count-reserved',
  `select
     (select count(*)::integer from orders where project_id = $1 and pet_id = $2) as orders,
     (select count(*)::integer from orders where project_id = $1 and pet_id = $2 and is_holding) as holding,
     (select count(*)::integer from pets where project_id = $1 and id = $2 and status = 'pending') as pending`,
)

async function dropIndex(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query('drop index if exists orders_one_holding')
  await client.end()
}

if (import.meta.main) {
  const flags = readFlags('reservations')
  await using postgres = await startTemporaryPostgres()
  const database = await postgres.createDatabase()
  const rule = holdRules.find((each) => each === flags.rule)
  if (rule === undefined) throw new Error(`--rule is one of ${holdRules.join(', ')}`)
  const options = { rounds: Number(flags.rounds), concurrent: Number(flags.concurrent), rule, isBroken: flags.broken }
  const figures = await measureReservations(database, options)
  conclude(flags, figures, ...figures.rounds.map((round) => faultOf(round, figures)))
}
