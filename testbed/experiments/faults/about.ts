import { json, TEST_INTERNET_AND_EDGES, type About } from '../description.ts'

export const about = {
  head: 'Every known fault of a certificate authority, injected while a domain waits for its certificate',
  proves:
    'The owner is shown the right cause, the requested wait is kept, nothing bad is stored, and the domain goes live once the fault is over.',
  inCi: { by: 'e2e/faults.test.ts', size: 'every fault' },
  needs: TEST_INTERNET_AND_EDGES,
  options: {
    only: { type: 'string', value: 'PART', help: 'faults whose name contains this (default: all)' },
    write: { type: 'boolean', default: false, help: 'write docs/certificate-troubles.md' },
    check: { type: 'boolean', default: false, help: 'fail if that file differs from what would be written' },
    json,
  },
} as const satisfies About
