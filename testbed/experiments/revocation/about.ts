import { json, type About } from '../description.ts'

export const about = {
  head: 'Time for which a revoked key, session or token is still accepted by any of three processes',
  proves: 'At most one second, even if notifications are off or lost; credentials cached for longer are detected.',
  inCi: { by: 'e2e/timing/revocation.test.ts', size: '3 rounds' },
  options: {
    rounds: { type: 'string', value: 'N', default: '10', help: 'rounds of each variant' },
    json,
  },
} as const satisfies About
