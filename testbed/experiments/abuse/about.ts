import { json, TEST_INTERNET_AND_EDGES, type About } from '../description.ts'

export const about = {
  head: 'How much longer an owner waits for a certificate while another project retries thousands of broken domains',
  proves:
    'No good domain waits more than 60 s longer than on a quiet system; at most four authorizations per domain and hour fail; at most 80 % of the orders that the authority grants are used.',
  inCi: { by: 'e2e/timing/abuse.test.ts', size: '200 broken domains, 3 good ones' },
  needs: TEST_INTERNET_AND_EDGES,
  options: {
    domains: { type: 'string', value: 'N', default: '5000', help: 'broken domains of the noisy project' },
    good: {
      type: 'string',
      value: 'N',
      default: '15',
      help: 'domains that go live, once in quiet and once under load',
    },
    every: { type: 'string', value: 'SECONDS', default: '3', help: 'time between two of them' },
    silent: {
      type: 'string',
      value: 'SHARE',
      default: '0',
      help: 'part of the broken domains whose nameservers never answer',
    },
    forgetful: {
      type: 'boolean',
      default: false,
      help: 'negative control: used orders and failures are forgotten; must fail',
    },
    json,
  },
} as const satisfies About
