import { json, type About } from '../description.ts'

export const about = {
  head: 'Scheduling of domain checks: cost of claiming, killed workers, workers stopped beyond their lease',
  proves:
    'Claiming costs the same among a million timers as among ten thousand; every due domain is checked and none twice at once; a worker without a claim writes nothing.',
  inCi: { by: 'e2e/timing/domains.test.ts', size: '200,000 timers, 60 domains for 10 s' },
  options: {
    seconds: { type: 'string', value: 'N', default: '180', help: 'duration of the killing' },
    timers: { type: 'string', value: 'N', default: '1000000', help: 'timers in the large table' },
    domains: { type: 'string', value: 'N', default: '200', help: 'domains while workers are killed' },
    broken: {
      type: 'boolean',
      default: false,
      help: 'negative control: no index, no lease, no fencing token; must fail',
    },
    json,
  },
} as const satisfies About
