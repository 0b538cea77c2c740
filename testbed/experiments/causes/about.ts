import { json, TEST_INTERNET, type About } from '../description.ts'

export const about = {
  head: 'Which causes of trouble are recognised, each produced on real nameservers',
  proves: 'At least 98 % of the fixtures have their root cause named first, and none is reported as unknown.',
  inCi: { by: 'e2e/causes.test.ts', size: 'every fixture' },
  needs: TEST_INTERNET,
  options: {
    only: { type: 'string', value: 'TOPICS', help: 'topics of the corpus, separated by commas (default: all)' },
    write: { type: 'boolean', default: false, help: 'write docs/domain-causes.md and testbed/zones/advice.txt' },
    check: { type: 'boolean', default: false, help: 'fail if either file differs from what would be written' },
    verbose: { type: 'boolean', default: false, help: 'print every result, on stderr if --json is given' },
    json,
  },
} as const satisfies About
