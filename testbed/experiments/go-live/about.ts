import { json, TEST_INTERNET_AND_EDGES, type About } from '../description.ts'

export const about = {
  head: 'Time from corrected DNS until a visitor is served over HTTPS',
  proves:
    'Half of the domains are live within 3 s and 95 % within 10 s, with real nameservers, authority, edges and Caddy.',
  inCi: { by: 'e2e/timing/go-live.test.ts', size: '8 domains' },
  needs: TEST_INTERNET_AND_EDGES,
  options: {
    domains: {
      type: 'string',
      value: 'N',
      default: '50',
      help: 'domains, at most about a hundred: an authority with usual limits grants no more',
    },
    edges: { type: 'string', value: 'N', default: '2', help: 'edges' },
    spacing: { type: 'string', value: 'MS', default: '1000', help: 'mean time between two corrections' },
    pause: { type: 'string', value: 'MS', default: '100', help: 'time between two polls of the worker' },
    'at-once': { type: 'boolean', default: false, help: 'correct all domains at the same instant' },
    nuisances: {
      type: 'boolean',
      default: false,
      help: 'an authority that validates slowly, rejects half of the nonces and reuses authorizations',
    },
    json,
  },
} as const satisfies About
