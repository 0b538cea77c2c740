// An account that fills every pool which projects share does not stop another account. `pools.ts` finds the pools in the source
// and names the filling of each; a pool without one fails the line.

import { besideAttack, eventLoop, together, type Attack } from '../beside-attack.ts'
import { fillings } from '../fill-pools.ts'
import type { Figures } from '../../experiments/claims.ts'
import { must, type SafetyLine, type SafetyRun } from '../line.ts'
import { poolsOf, unknownPools } from '../pools.ts'

/** This line has no limit of requests, and connections that are closed and opened again would be a flood of pages. */
const { responses: _, ...allAtOnce } = fillings
/** All at once are more than one attack, and share two cores with the neighbour: it may wait longer than for one. */
const allAtOnceBars = { homeMs: 1000, times: { publish: 4, import: 6, mail: 6 } }

/** Two hashes at a time occupy both of two cores (decision 7). */
const hashingBars = { homeMs: 500 }
const imports = ['import'] as const

export const safetyLine: SafetyLine = {
  title: 'One account that fills every shared pool does not stop another',
  sizes: {
    small: 'all pools at once, small fillings',
    large: 'all at once and one by one, full fillings, with limits of time',
  },
  guards: [{ name: 'named-pools', instead: 'a pool that no filling covers', isQuick: true }, eventLoop],
  async run(run) {
    const pools = poolsOf()
    const unknown = unknownPools(run.without === 'named-pools' ? [...pools, 'program/work.ts: forgotten'] : pools)
    run.report({ pools: pools.length })
    must(unknown.length === 0, `these pools have no filling, or no longer exist: ${unknown.join(', ')}`)
    if (run.tier === 'large' && run.without === undefined) await oneByOne(run)
    await besideAttack(run, {
      bars: allAtOnceBars,
      // In the small tier the line `hostile-content` imports; here it would take a third of the time.
      wanted: ['edge', 'stream', 'sign-in', 'photo', 'publish', 'mail', ...(run.tier === 'large' ? imports : [])],
      async attack(scene) {
        const attacks: Attack[] = []
        // One after another: connections that one takes must not prevent the next from beginning.
        for (const fill of Object.values(allAtOnce)) attacks.push(await fill(scene))
        return together(attacks)
      },
    })
  },
}

/** With the usual bars for each but one. */
async function oneByOne({ report, ...run }: SafetyRun): Promise<void> {
  for (const [name, attack] of Object.entries(fillings)) {
    const named = (figures: Figures) =>
      report(Object.fromEntries(Object.entries(figures).map(([figure, value]) => [`${name}: ${figure}`, value])))
    const bars = attack === fillings.passwords ? hashingBars : {}
    await besideAttack({ ...run, report: named }, { wanted: ['publish', 'mail'], attack, bars })
  }
}
