// An account that fills every pool which projects share does not stop another account. `pools.ts` finds the pools in the source
// and names the filling of each; a pool without one fails the line.

import { besideAttack, eventLoop, together, type Attack } from '../beside-attack.ts'
import { fillings } from '../fill-pools.ts'
import { must, type SafetyLine } from '../line.ts'
import { poolsOf, unknownPools } from '../pools.ts'

export const safetyLine: SafetyLine = {
  line: 20,
  title: 'One account that fills every shared pool does not stop another',
  guards: [{ name: 'named-pools', instead: 'a pool that no filling covers', isQuick: true }, eventLoop],
  async run(run) {
    const pools = poolsOf()
    const unknown = unknownPools(run.without === 'named-pools' ? [...pools, 'work.ts: forgotten'] : pools)
    run.report({ pools: pools.length })
    must(unknown.length === 0, `these pools have no filling, or no longer exist: ${unknown.join(', ')}`)
    await besideAttack(run, {
      wanted: ['edge', 'stream', 'sign-in', 'photo', 'publish', 'import', 'mail'],
      async attack(scene) {
        const attacks: Attack[] = []
        // One after another: connections that one takes must not prevent the next from beginning.
        for (const fill of Object.values(fillings)) attacks.push(await fill(scene))
        return together(attacks)
      },
    })
  },
}
