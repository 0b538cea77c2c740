// Both projects have a proof in DNS when it begins. In the end exactly one of them has the domain, it was taken exactly once,
// and every other call returned the reason.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { addDomain } from '../../../server/src/domains/domains.io.ts'
import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { openDatabase, statement, type Database } from '../../../server/src/foundation/postgres/postgres.io.ts'
import type { Member } from '../../../server/src/projects/membership.io.ts'
import { inProjectsOf, type ProjectId } from '../../../server/src/projects/scope.io.ts'
import { domainDepsOf, hostOf, openShop } from '../ownership-walk/world.ts'
import type { RaceJob, RaceOutcome } from './worker.ts'
import { startWorkerProcess, type WorkerProcess } from '../../harness/worker-process.ts'
import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'

const PROCESSES = 3

type Worker = WorkerProcess<RaceJob, RaceOutcome>

export type RaceOptions = { rounds: number; concurrent: number; isBroken?: boolean }

/** The result of one round. */
export type Round = {
  /** Projects for which any call returned that the domain is theirs. */
  winners: number
  /** Calls that returned that the domain is theirs, and calls that returned why it is not. */
  won: number
  diagnosed: number
  troubles: string[]
  /**
   * As stored afterwards: how often the domain was taken, its holder, and how many domains are
   * marked as verified.
   */
  taken: number
  holders: number
  proven: number
  ms: number
}
export type RaceFigures = { processes: number; concurrent: number; rounds: Round[] }

/** The fault of a round; undefined if one project has the domain, and all calls returned. */
export function faultOf(round: Round, concurrent: number): string | undefined {
  const { winners, won, diagnosed, troubles, taken, holders, proven } = round
  const isOne = taken === 1 && holders === 1 && proven === 1 && winners === 1
  if (isOne && troubles.length === 0 && won + diagnosed === concurrent) return undefined
  const stored = `taken ${taken} times, ${holders} holders, ${proven} domains proven`
  const outcomeText = `${winners} winners, ${won} won, ${diagnosed} diagnosed, ${troubles.length} troubles`
  return `${stored}; ${outcomeText}${troubles[0] === undefined ? '' : ` (${troubles[0]})`}`
}

export async function raceVerify(
  appUrl: string,
  { rounds, concurrent, isBroken = false }: RaceOptions,
): Promise<RaceFigures> {
  const database = openDatabase({ url: appUrl, poolMax: 2, onError: () => {} })
  const workers = await Promise.all(Array.from({ length: PROCESSES }, () => startWorker(appUrl)))
  const mark = `race-${randomBytes(5).toString('hex')}`
  try {
    const shops = [await openShop(database, `${mark}-a`), await openShop(database, `${mark}-b`)]
    const done: Round[] = []
    for (let number = 0; number < rounds; number++) {
      const hostname = `www.${mark}-${number}.com`
      done.push(await runRound(database, workers, { hostname, shops, concurrent, isBroken }))
    }
    return { processes: PROCESSES, concurrent, rounds: done }
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
    await database.close()
  }
}

type Start = { hostname: string; shops: readonly Member[]; concurrent: number; isBroken: boolean }

async function runRound(database: Database, workers: readonly Worker[], start: Start): Promise<Round> {
  const { hostname, shops, concurrent, isBroken } = start
  const deps = domainDepsOf(database, () => [])
  const added = []
  for (const shop of shops) added.push({ shop, row: (await addDomain(deps, shop, hostname)).row })
  // Both have a token that was never used, and the first has a CNAME as well.
  const records = [
    ...added.map(({ row }) => `_petstore.${hostname} TXT ${row.token}`),
    `${hostname} CNAME ${hostOf(shops[0]?.slug ?? '')}`,
  ]
  const competitors = added.map(({ shop: { slug, project }, row: { id } }) => ({
    slug,
    project: String(project),
    domain: id,
  }))
  const started = performance.now()
  const outcomes = await Promise.all(
    workers.map((worker, n) => {
      const calls = Math.floor((concurrent + n) / workers.length)
      return worker.send({ hostname, shops: competitors, records, calls, isBroken })
    }),
  )
  const ms = Math.round(performance.now() - started)
  const projects = shops.map(({ project }) => project)
  const [stored] = await inProjectsOf(database)(projects, (db) => db(countStored, projects, hostname))
  const won = outcomes.flatMap((outcome) => Object.entries(outcome.won))
  return {
    winners: new Set(won.map(([slug]) => slug)).size,
    won: won.map(([, times]) => times).reduce((a, b) => a + b, 0),
    diagnosed: outcomes.map(({ diagnosed }) => diagnosed).reduce((a, b) => a + b, 0),
    troubles: outcomes.flatMap(({ troubles }) => troubles),
    taken: stored?.taken ?? 0,
    holders: stored?.holders ?? 0,
    proven: stored?.proven ?? 0,
    ms,
  }
}

type StoredCounts = { taken: number; holders: number; proven: number }

const countStored = statement<StoredCounts, [projects: ProjectId[], hostname: string]>(
  'count-raced',
  `select
     (select count(*)::integer from holder_directory where hostname = $2) as taken,
     (select count(*)::integer from holder_directory where hostname = $2 and released_at is null) as holders,
     (select count(*)::integer from domains
      where project_id = any ($1::bigint[]) and hostname = $2 and ownership = 'proven') as proven`,
)

const startWorker = (appUrl: string): Promise<Worker> =>
  startWorkerProcess(join(import.meta.dirname, 'worker.ts'), [appUrl])

if (import.meta.main) {
  const flags = readFlags('verify-race')
  await using postgres = await startTemporaryPostgres()
  const { appUrl } = await postgres.createDatabase()
  const options = { rounds: Number(flags.rounds), concurrent: Number(flags.concurrent), isBroken: flags.broken }
  const figures = await raceVerify(appUrl, options)
  conclude(flags, figures, ...figures.rounds.map((round) => faultOf(round, options.concurrent)))
}
