import { json, type About } from '../description.ts'

export const about = {
  head: 'Many visitors reserve the same animal at once, over three processes',
  proves: 'Exactly one visitor gets the animal, and every other one is answered not_available.',
  inCi: { by: 'e2e/reservation.test.ts', size: '50 rounds of 200 visitors' },
  options: {
    rounds: { type: 'string', value: 'N', default: '50', help: 'rounds' },
    concurrent: { type: 'string', value: 'N', default: '200', help: 'visitors in each' },
    broken: {
      type: 'boolean',
      default: false,
      help: 'negative control: no lock, transaction or unique index; must fail',
    },
    json,
  },
} as const satisfies About
