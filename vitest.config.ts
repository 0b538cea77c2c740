// Two rings of tests. `pure` touches nothing and runs in seconds; `slice` runs
// on a real PostgreSQL. What starts whole processes or a browser is in `e2e`.

import { defineConfig } from 'vitest/config'

const slow = ['server/test/**/*.test.ts', 'devserver/**/*.test.ts', 'testbed/{harness,internet}/**/*.test.ts']

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'pure',
          include: [
            'contract/**/*.test.ts',
            'server/src/**/*.test.ts',
            'dashboard/src/**/*.test.ts',
            'testbed/experiments/**/*.test.ts',
            'tools/**/*.test.ts',
          ],
          // Properties are tried hundreds of times; a machine that does other things as well must not fail them.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'slice',
          include: slow,
          globalSetup: ['testbed/harness/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // They wait for servers more than they compute; by default two cores would run one file at a time.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['testbed/harness/global-setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
