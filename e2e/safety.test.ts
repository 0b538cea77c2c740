// The lines of `npm run safety` in the small tier, and the negative controls that are quick.

import { expect, test } from 'vitest'
import { cloneDatabase } from '../testbed/harness/database.ts'
import { outcomeOf, safetyLines } from '../testbed/safety/lines.ts'

/** Lines about other accounts play whole imports, several at a time, on a busy machine. */
const patience = { timeout: 600_000 }
const run = { tier: 'small', createDatabase: () => cloneDatabase() } as const

for (const one of await safetyLines()) {
  test(`${one.name}: ${one.title}`, patience, async () => {
    expect(await outcomeOf(one, { ...run, without: undefined })).toMatchObject({ passed: true })
  })

  for (const { name, instead } of one.guards.filter(({ isQuick }) => isQuick)) {
    test(`${one.name}: with ${instead} instead of ${name} it fails (negative control)`, async () => {
      expect(await outcomeOf(one, { ...run, without: name })).toMatchObject({ passed: true })
    })
  }
}
