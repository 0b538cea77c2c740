import { json, TEST_INTERNET_AND_AUTHORITY, type About } from '../description.ts'

export const about = {
  head: 'Workers killed with SIGKILL at every step of issuing a certificate, and at random',
  proves:
    'The certificate is issued, with at most two orders and never two open at once, and no certificate of an earlier owner is stored.',
  inCi: { by: 'server/test/certificates/kill.test.ts', size: 'every step, then 15 domains for 3 s' },
  needs: TEST_INTERNET_AND_AUTHORITY,
  options: {
    domains: { type: 'string', value: 'N', default: '200', help: 'domains while workers are killed at random' },
    seconds: { type: 'string', value: 'S', default: '300', help: 'duration of that part; 0 leaves it out' },
    sabotage: { type: 'string', value: 'HOW', help: 'negative control: forgetful or unfenced workers; must fail' },
    json,
  },
} as const satisfies About
