// Random kills: two workers are killed and restarted at random. Afterwards every due domain has
// been checked, and no two checks of one were under way at once: one begins only after the one
// before it ended, its worker was killed, or its lease expired.

import { seedDomains, startWorker, withClient, type SweeperUrls } from './environment.ts'

export type Chaos = {
  seconds: number
  domains: number
  kills: number
  looks: number
  /** Checks whose worker was killed under way. */
  cutOff: number
  /** Due, and not checked since. */
  unseen: number
  /** Checks that began while another one of the same domain was under way, within its lease. */
  atOnce: number
  /**
   * Checks that began while a slow one continued beyond its lease; the fencing token lets only
   * one of these write.
   */
  afterLease: number
  /** The longest time between two checks of one domain; the interval itself is up to 15 s. */
  longestMs: number
}

const WORKERS = 2
const LEASE_SECONDS = 2
/** The time a worker may take to begin, besides the lease of a dead one. */
const PATIENCE_SECONDS = 8
/** The address of another host: nothing that would end the checks. */
const records = ['HOST A 203.0.113.9']

export async function measureChaos(
  urls: SweeperUrls,
  { seconds, domains, isBroken }: { seconds: number; domains: number; isBroken: boolean },
): Promise<Chaos> {
  await seedDomains(urls, domains)
  const orders = { url: urls.appUrl, records, isHanging: false, isBroken, leaseSeconds: LEASE_SECONDS }
  const killed = new Map<number, number>()
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => startWorker(orders)))
  const end = Date.now() + seconds * 1000
  let kills = 0
  while (Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 200 + Math.random() * 1800))
    const index = Math.floor(Math.random() * WORKERS)
    const victim = workers[index]
    if (!victim) continue
    await victim.kill()
    killed.set(victim.pid, Date.now())
    kills += 1
    workers[index] = await startWorker(orders)
  }
  // A check cut off at the very end is due again when its lease expires.
  await new Promise((resolve) => setTimeout(resolve, (LEASE_SECONDS + 1) * 1000))
  await Promise.all(workers.map((worker) => worker.stop()))
  return { seconds, domains, kills, ...(await readChecks(urls, killed)) }
}

type CheckRow = { id: string; worker: number; began: number; leased: number | null; ended: number | null }

async function readChecks({ ownerUrl }: SweeperUrls, killed: ReadonlyMap<number, number>) {
  return withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<CheckRow>(
      `select id, worker, extract(epoch from began_at)::float8 * 1000 as began,
         extract(epoch from leased_until)::float8 * 1000 as leased,
         extract(epoch from ended_at)::float8 * 1000 as ended
       from sweeper_looks
       order by id, fence, began_at`,
    )
    const { rows: late } = await client.query<{ id: string; seconds: number }>(
      `select id, extract(epoch from now() - due_at)::float8 as seconds
       from due_directory
       where kind = 'domain' and due_at < now() - make_interval(secs => $1)`,
      [PATIENCE_SECONDS],
    )
    const byDomain = Map.groupBy(rows, ({ id }) => id)
    const overlaps = (isLeased: boolean) =>
      [...byDomain.values()].reduce((sum, looks) => sum + overlapsIn(looks, killed, isLeased), 0)
    const atOnce = overlaps(true)
    const { rows: all } = await client.query<{ id: string }>(`select id from due_directory where kind = 'domain'`)
    return {
      looks: rows.filter(({ ended }) => ended !== null).length,
      cutOff: rows.filter(({ ended }) => ended === null).length,
      unseen: late.length + all.filter(({ id }) => !byDomain.has(id)).length,
      atOnce,
      afterLease: overlaps(false) - atOnce,
      longestMs: Math.max(0, ...[...byDomain.values()].flatMap(pausesIn)),
    }
  })
}

/** A check is under way until it ended or its worker was killed; and, within a lease, until that expired. */
function overlapsIn(looks: readonly CheckRow[], killed: ReadonlyMap<number, number>, isLeased: boolean): number {
  const ends = looks.map(({ began, leased, ended, worker }) =>
    Math.min(
      ended ?? Number.POSITIVE_INFINITY,
      killed.get(worker) ?? Number.POSITIVE_INFINITY,
      // Without a lease it lost its claim before it began.
      isLeased ? (leased ?? began) : Number.POSITIVE_INFINITY,
    ),
  )
  return looks.filter(({ began }, index) => ends.slice(0, index).some((end) => end > began)).length
}

function pausesIn(looks: readonly CheckRow[]): number[] {
  return looks.slice(1).map(({ began }, index) => began - (looks[index]?.began ?? began))
}
