import { json, TEST_INTERNET, type About } from '../description.ts'

export const about = {
  head: 'Response time of Verify over the whole corpus, and time until a corrected record is seen on an open page',
  proves:
    'Verify answers within 3 s at the 95th percentile, dead nameservers included; a corrected domain is verified within 5 s at the median.',
  inCi: { by: 'e2e/timing/domains.test.ts', size: 'the whole corpus; 20 corrected domains' },
  needs: TEST_INTERNET,
  options: {
    domains: { type: 'string', value: 'N', default: '24', help: 'corrected domains' },
    control: { type: 'boolean', default: false, help: 'negative control: no time budget, and no open page; must fail' },
    json,
  },
} as const satisfies About
