// Processes are replaced without a failed request: two of them behind Caddy are restarted in turn, under a steady load of
// reads and writes that repeats nothing.

import { restartInTurn } from '../../upgrades/restarts.ts'
import { failuresOf } from '../../upgrades/steady-load.ts'
import { must, type SafetyLine } from '../line.ts'

const tiers = {
  small: { restarts: 2, perSecond: 200, requests: 1_000 },
  large: { restarts: 20, perSecond: 1_000, requests: 100_000 },
}

export const safetyLine: SafetyLine = {
  title: 'No request fails while processes are restarted in turn',
  sizes: { small: '2 restarts, 1,000 requests', large: '20 restarts, 100,000 requests' },
  guards: [{ name: 'draining', instead: 'processes that end at once', isQuick: false }],
  async run({ tier, without, createDatabase, report }) {
    const isDraining = without !== 'draining'
    const figures = await restartInTurn(await createDatabase(), { ...tiers[tier], isDraining })
    const failed = failuresOf(figures)
    report({
      restarts: figures.restarts,
      requests: figures.sent,
      seconds: figures.seconds,
      failed,
      'slowest (ms)': figures.slowest,
    })
    must(failed === 0, `${failed} of ${figures.sent} requests failed: ${JSON.stringify(figures.failed)}`)
    must(figures.sent >= tiers[tier].requests, `only ${figures.sent} requests were sent`)
  },
}
