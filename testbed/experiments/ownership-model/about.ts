import { json, type About } from '../description.ts'

export const about = {
  head: 'Every order of events of the ownership model, by the model checker Spin',
  proves:
    'At most one project serves a domain whatever the order of events, and each bug seeded into the model is found.',
  inCi: { by: 'tools/ci.ts', size: 'everything but --full' },
  needs: 'spin, gcc',
  options: {
    full: { type: 'boolean', default: false, help: 'let DNS change three times instead of two; takes minutes' },
    json,
  },
} as const satisfies About
