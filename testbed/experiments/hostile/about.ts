import { json, TEST_INTERNET, type About } from '../description.ts'

export const about = {
  head: 'Domain checks against hostile nameservers',
  proves:
    'No answer crashes the process, takes more than 5 s, verifies a domain falsely, is shown unescaped, reaches a reserved address, or takes too much memory or event-loop time.',
  inCi: { by: 'e2e/hostile.test.ts', size: '60 classes of answers, 10 mutations each' },
  needs: TEST_INTERNET,
  options: {
    mutations: { type: 'string', value: 'N', default: '1000', help: 'mutations of each class' },
    classes: { type: 'string', value: 'N', help: 'draw this many classes (default: all)' },
    only: { type: 'string', value: 'CLASSES', help: 'these classes, separated by commas' },
    seed: { type: 'string', value: 'N', help: 'repeat a run (default: random)' },
    'at-once': { type: 'string', value: 'N', default: '64', help: 'checks in parallel' },
    control: {
      type: 'boolean',
      default: false,
      help: 'negative control: break each promise on purpose; every one must be noticed',
    },
    json,
  },
} as const satisfies About
