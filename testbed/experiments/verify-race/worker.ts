// Concurrent calls of Verify, in a process of their own: its parent sends the domain and the
// projects, and it verifies for all of them at once and reports the result of each.
//
// `broken` (negative control) verifies as a programmer would who ignores races: read the holder
// of the domain, then take it, without locking its row in between.

import { lockHostname, take } from '../../../server/src/domains/store/directory.io.ts'
import { verifyDomain } from '../../../server/src/domains/domains.io.ts'
import type { DomainDeps } from '../../../server/src/domains/check.io.ts'
import { openDatabase } from '../../../server/src/foundation/postgres/postgres.io.ts'
import type { Member } from '../../../server/src/projects/membership.io.ts'
import type { ProjectId } from '../../../server/src/projects/scope.io.ts'
import { domainDepsOf } from '../ownership-walk/world.ts'

export type RaceJob = {
  hostname: string
  /** For the projects in turn; ids as text, because JSON messages cannot contain bigints. */
  shops: readonly { slug: string; project: string; domain: string }[]
  records: readonly string[]
  calls: number
  isBroken: boolean
}
export type RaceOutcome = {
  /** By slug: how many calls returned that the domain is theirs. */
  won: Record<string, number>
  /** How many returned that it is not, and why. */
  diagnosed: number
  troubles: string[]
}

const POOL_MAX = 20

const database = openDatabase({ url: process.argv[2] ?? '', poolMax: POOL_MAX, onError: () => {} })

process.on('message', (job: RaceJob) => void carryOut(job).then((outcome) => process.send?.(outcome)))
process.on('disconnect', () => void database.close().then(() => process.exit(0)))
process.send?.('ready')

async function carryOut(job: RaceJob): Promise<RaceOutcome> {
  const outcome: RaceOutcome = { won: {}, diagnosed: 0, troubles: [] }
  const deps = domainDepsOf(database, () => job.records)
  const verifyAll = async (_: unknown, number: number) => {
    const shop = job.shops[number % job.shops.length]
    if (!shop) return
    try {
      const result = job.isBroken ? await takeBroken(job.hostname, shop) : await verify(deps, job.hostname, shop)
      if (result === 'won') outcome.won[shop.slug] = (outcome.won[shop.slug] ?? 0) + 1
      else if (result === 'diagnosed') outcome.diagnosed++
      else outcome.troubles.push('neither the name nor a reason')
    } catch (error) {
      const { message, cause } = error as Error
      outcome.troubles.push(cause instanceof Error ? `${message}: ${cause.message}` : message)
    }
  }
  await Promise.all(Array.from({ length: job.calls }, verifyAll))
  return outcome
}

type Competitor = RaceJob['shops'][number]
type VerifyResult = 'won' | 'diagnosed' | 'nothing'

async function verify(deps: DomainDeps, hostname: string, { slug, project }: Competitor): Promise<VerifyResult> {
  const account = 'acc_of_a_race' as Member['account']
  const member: Member = { slug, project: BigInt(project) as ProjectId, account, role: 'owner' }
  const { row, judgement } = await verifyDomain(deps, member, hostname)
  if (row.ownership === 'proven') return 'won'
  return row.cause !== null && judgement !== null ? 'diagnosed' : 'nothing'
}

/** The row is locked only while it is read. */
async function takeBroken(hostname: string, { project, domain }: Competitor): Promise<VerifyResult> {
  const { holder } = await database.transaction({}, (db) => lockHostname(db, hostname))
  if (holder !== null) return 'diagnosed'
  await database.transaction({}, (db) => take(db, hostname, BigInt(project) as ProjectId, domain))
  return 'won'
}
