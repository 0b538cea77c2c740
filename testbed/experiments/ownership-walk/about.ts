import { json, type About } from '../description.ts'

export const about = {
  head: 'Random walks over domain ownership, the real SQL next to a reference model',
  proves: 'After every step the database holds what the reference holds.',
  inCi: { by: 'server/test/domains/model.test.ts', size: '2,000 steps' },
  options: {
    steps: { type: 'string', value: 'N', default: '100000', help: 'steps, shared by the walks' },
    seed: { type: 'string', value: 'N', default: '1', help: 'seed of the first walk' },
    walks: { type: 'string', value: 'N', default: '4', help: 'walks in parallel' },
    json,
  },
} as const satisfies About
