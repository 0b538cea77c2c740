import { json, type About } from '../description.ts'

export const about = {
  head: 'Generated hostnames, valid and invalid, through the hostname parser',
  proves: 'No hostname is accepted that must be rejected, and parsing an accepted one again changes nothing.',
  inCi: { by: 'tools/ci.ts', size: '100,000 names' },
  options: {
    count: { type: 'string', value: 'N', default: '1000000', help: 'names' },
    seed: { type: 'string', value: 'N', help: 'repeat a run (default: random)' },
    json,
  },
} as const satisfies About
