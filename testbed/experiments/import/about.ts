import { json, type About } from '../description.ts'

export const about = {
  head: 'Speed and memory of a large CSV import',
  proves:
    'Every animal is added, progress is visible, and neither the service nor the worker grows by more than 150 MB.',
  inCi: { by: 'e2e/timing/import.test.ts', size: '50,000 animals' },
  options: {
    animals: { type: 'string', value: 'N', default: '1000000', help: 'rows of the file' },
    json,
  },
} as const satisfies About
