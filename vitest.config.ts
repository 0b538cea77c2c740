// Rings of tests. `pure` touches nothing and runs in seconds; `slice` runs on a real PostgreSQL.
// Tests that start whole processes or a browser are in `e2e`; those among them that measure time
// are in `timing`, and run one at a time.

import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tools/test-order.ts'

/** What is waited for comes at last, even on a busy machine; by default a test would give it one second. */
const patient = { poll: { timeout: 60_000 } }
const slow = ['server/test/**/*.test.ts', 'devserver/**/*.test.ts', 'testbed/{harness,internet}/**/*.test.ts']

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'pure',
          include: [
            'contract/**/*.test.ts',
            'server/src/**/*.test.ts',
            'dashboard/src/**/*.test.ts',
            'testbed/{bench,experiments,safety}/**/*.test.ts',
            'tools/**/*.test.ts',
          ],
          // Properties are tried hundreds of times; a machine that does other things as well must not fail them.
          testTimeout: 30_000,
          // They share no state, and loading every module again for each file took longer than the tests.
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'slice',
          expect: patient,
          include: slow,
          globalSetup: ['testbed/harness/global-setup.ts'],
          // What hangs ends at some time; what is slow on a busy machine does not fail.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // They wait for servers more than they compute; by default two cores would run one file at a time.
          maxWorkers: 3,
          // Each file closes what it opens. Loading every module again for each took a sixth of the time.
          isolate: false,
        },
      },
      {
        test: {
          name: 'e2e',
          expect: patient,
          include: ['e2e/**/*.test.ts'],
          exclude: ['e2e/timing/**'],
          globalSetup: ['testbed/harness/global-setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // A browser waits for the page, and the page for the service.
          maxWorkers: 3,
          isolate: false,
        },
      },
      {
        test: {
          name: 'timing',
          expect: patient,
          include: ['e2e/timing/**/*.test.ts'],
          globalSetup: ['testbed/harness/global-setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
