// claims   how many claims of 32 rows a second succeed: among many timers, while many are claimed, and after an outage
// chaos    two workers are killed and restarted at random: every due domain must be checked, and none by two at once
// stopped  a worker that was stopped beyond its lease and continues must not write anything

import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'
import { measureChaos, type Chaos } from './chaos.ts'
import { measureClaims, type ClaimGuard, type ClaimOptions, type ClaimRate } from './claims.ts'
import { measureStop, type Stopped } from './stop.ts'

export type SweeperFigures = { claims: Readonly<Record<string, ClaimRate>>; chaos: Chaos; stopped: Stopped }

const CLAIMS_MIN = 500

/** One sentence per broken guarantee. */
export function faultsOf({ claims, chaos, stopped }: SweeperFigures): string[] {
  const slow = Object.entries(claims).filter(([, { perSecond }]) => perSecond < CLAIMS_MIN)
  return [
    ...slow.map(([which, { perSecond }]) => `only ${perSecond} claims a second (${which})`),
    ...(chaos.unseen === 0 ? [] : [`${chaos.unseen} domains were due and not looked at`]),
    ...(chaos.atOnce === 0 ? [] : [`${chaos.atOnce} looks were under way while another one was`]),
    ...(chaos.looks > 0 ? [] : ['no domain was looked at']),
    ...(stopped.hasWritten ? ['a worker that was stopped beyond its lease wrote'] : []),
  ]
}

if (import.meta.main) {
  const flags = readFlags('sweeper')
  await using postgres = await startTemporaryPostgres()
  const isBroken = flags.broken
  const [timers, claimed] = [Number(flags.timers), Number(flags.claimed)]
  const claimsOf = async (name: string, options: Omit<ClaimOptions, 'claims'>, guard: ClaimGuard) =>
    measureClaims(await postgres.createDatabase(name), {
      ...options,
      claims: 1000,
      without: isBroken ? guard : undefined,
    })
  const claims = {
    many: await claimsOf('many', { timers }, 'index'),
    claimed: await claimsOf('claimed', { timers: 2 * timers, claimed }, 'move'),
    outage: await claimsOf('outage', { timers: 40_000, due: 34_000 }, 'limit'),
  }
  const options = { seconds: Number(flags.seconds), domains: Number(flags.domains), isBroken }
  const chaos = await measureChaos(await postgres.createDatabase('chaos'), options)
  const stopped = await measureStop(await postgres.createDatabase('stop'), { isBroken })
  const figures = { claims, chaos, stopped }
  conclude(flags, figures, ...faultsOf(figures))
}
