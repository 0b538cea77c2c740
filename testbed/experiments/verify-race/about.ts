import { json, type About } from '../description.ts'

export const about = {
  head: 'Two projects choose Verify for the same domain at once, over three processes',
  proves:
    'Exactly one project gets the domain, it is taken exactly once, and every other call is answered with the reason.',
  inCi: { by: 'e2e/verify-race.test.ts', size: '10 rounds of 50 calls' },
  options: {
    rounds: { type: 'string', value: 'N', default: '200', help: 'rounds' },
    concurrent: { type: 'string', value: 'N', default: '50', help: 'calls in each' },
    broken: { type: 'boolean', default: false, help: 'negative control: the row is not locked; must fail' },
    json,
  },
} as const satisfies About
