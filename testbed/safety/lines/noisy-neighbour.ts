// A project that sends as much as its connections carry does not slow others down, and costs none of them a request. It runs
// in simulated time, so that the figures are those of the rules and not of the machine; e2e/timing/fairness.test.ts measures a
// neighbour beside the service.

import { admissionRules } from '../../../server/src/foundation/load/admission.ts'
import { quantile } from '../../harness/quantile.ts'
import { must, type SafetyLine } from '../line.ts'
import { simulateNeighbour } from '../neighbour-simulation.ts'

const OTHERS = 9
const PER_SECOND_EACH = 20
const SECONDS = 30
const CONNECTIONS = 256
const bars = { p99Ms: 250, success: 0.999 }

export const safetyLine: SafetyLine = {
  title: 'A noisy neighbour costs other projects neither requests nor time',
  sizes: { small: '256 connections, in simulated time', large: 'the same' },
  guards: [{ name: 'shares', instead: 'places for the project that asks first', isQuick: true }],
  async run({ without, report }) {
    const rules = { ...admissionRules, hasShares: without !== 'shares' }
    const shape = { seconds: SECONDS, connections: CONNECTIONS, others: OTHERS, everyMs: 1000 / PER_SECOND_EACH }
    const { waitedMs, served, rejected, servedToNeighbour } = simulateNeighbour(rules, shape)
    const success = served / (served + rejected)
    const p99Ms = quantile(waitedMs, 0.99)
    report({
      'requests of others': served + rejected,
      'served, %': Math.round(success * 10_000) / 100,
      'p99, ms': p99Ms,
      'served to the neighbour': servedToNeighbour,
    })
    must(success >= bars.success, `${rejected} of ${served + rejected} requests of others were rejected`)
    must(p99Ms <= bars.p99Ms, `the p99 of others is ${p99Ms} ms`)
    must(servedToNeighbour > 0, 'the neighbour was not served at all')
  },
}
