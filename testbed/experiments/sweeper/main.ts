// The sweeper of domains: its cost, and its behaviour under failures. Five parts:
//
//   claim    claiming 100 due rows must cost no more among a million timers than among
//            ten thousand
//   chaos    two workers are killed and restarted at random: every due domain must be
//            checked, and none by two workers at once
//   claimed  how many claims of 32 rows a second succeed while 64,000 timers are claimed
//   outage   the same when 34,000 of 40,000 timers are due, as after an outage
//   stop     a worker that was stopped beyond its lease and continues must not write
//            anything
//
//   npm run experiment -- sweeper --help
//
// `--broken` is the negative control: timers without the index, claims without a limit in numbers, workers that claim without a
// lease and write without checking their claim; each part must fail. It exits non-zero
// whenever a guarantee was broken.

import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { measureChaos, type Chaos } from './chaos.ts'
import { measureClaimed, measureOutage, type ClaimedRate, type OutageRate } from './claimed.ts'
import { measureClaims, type Claims } from './claims.ts'
import { measureStop, type Stopped } from './stop.ts'
import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'

export type SweeperFigures = {
  claims: Claims
  claimed: ClaimedRate
  outage: OutageRate
  chaos: Chaos
  stopped: Stopped
}

const RATIO_MAX = 1.5
const CLAIMS_MIN = 500

/** One sentence per broken guarantee. */
export function faultsOf({ claims, claimed, outage, chaos, stopped }: SweeperFigures): string[] {
  return [
    ...(claims.ratio <= RATIO_MAX ? [] : [`claiming costs ${claims.ratio.toFixed(2)} times as much among many timers`]),
    ...(claimed.perSecond >= CLAIMS_MIN ? [] : [`only ${claimed.perSecond} claims a second`]),
    ...(outage.perSecond >= CLAIMS_MIN ? [] : [`only ${outage.perSecond} claims a second after an outage`]),
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
  const size = { timers: Number(flags.timers), rounds: 200, isBroken }
  const claims = await measureClaims(await postgres.createDatabase('few'), await postgres.createDatabase('many'), size)
  const claimed = await measureClaimed(await postgres.createDatabase('claimed'), {
    timers: 2 * size.timers,
    claimed: Number(flags.claimed),
    claims: 1000,
    isBroken,
  })
  const outage = await measureOutage(await postgres.createDatabase('outage'), {
    timers: 40_000,
    due: 34_000,
    claims: 1000,
    isBroken,
  })
  const options = { seconds: Number(flags.seconds), domains: Number(flags.domains), isBroken }
  const chaos = await measureChaos(await postgres.createDatabase('chaos'), options)
  const stopped = await measureStop(await postgres.createDatabase('stop'), { isBroken })
  const figures = { claims, claimed, outage, chaos, stopped }
  conclude(flags, figures, ...faultsOf(figures))
}
