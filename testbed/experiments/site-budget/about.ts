import { json, type About } from '../description.ts'

export const about = {
  head: 'Size of the home page of a site with 100 animals, and requests per second next to a bare Fastify route',
  proves:
    'The page has at most 30,000 bytes compressed and loads nothing from elsewhere; the edge reaches half the rate of the bare route.',
  inCi: null,
  options: {
    seconds: { type: 'string', value: 'N', default: '3', help: 'duration of a round' },
    json,
  },
} as const satisfies About
