import { json, TEST_INTERNET_AND_EDGES, type About } from '../description.ts'

export const about = {
  head: 'Time until a removed domain is no longer served: to new connections, open ones and resumed TLS sessions',
  proves: 'No request that begins after the response to Remove is served, at any edge.',
  inCi: { by: 'e2e/timing/go-live.test.ts', size: '10 removals at 2 edges' },
  needs: TEST_INTERNET_AND_EDGES,
  options: {
    removals: { type: 'string', value: 'N', default: '200', help: 'removals' },
    edges: { type: 'string', value: 'N', default: '3', help: 'edges' },
    sabotage: { type: 'boolean', default: false, help: 'negative control: one edge receives no removals; must fail' },
    json,
  },
} as const satisfies About
