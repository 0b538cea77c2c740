import { json, type About } from '../description.ts'

export const about = {
  head: 'Years of certificate renewals on a virtual clock, with an authority that is down for days',
  proves: 'No certificate expires, and in no three hours is more than 80 % of the granted orders used.',
  inCi: { by: 'testbed/experiments/renewal/main.test.ts', size: '200 domains, 1 year' },
  options: {
    domains: { type: 'string', value: 'N', default: '10000', help: 'domains' },
    years: { type: 'string', value: 'N', default: '5', help: 'simulated years' },
    seed: { type: 'string', value: 'N', help: 'repeat a run (default: random)' },
    control: {
      type: 'string',
      value: 'HOW',
      default: 'none',
      help: 'negative control: last-day or no-reserve; must fail',
    },
    json,
  },
} as const satisfies About
