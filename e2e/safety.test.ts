// The lines of `npm run safety` at the small scale, and the negative controls that are quick.

import { expect, test } from 'vitest'
import { cloneDatabase } from '../testbed/harness/database.ts'
import { outcomeOf, safetyLines } from '../testbed/safety/lines.ts'

const run = { scale: 'small', createDatabase: () => cloneDatabase() } as const

for (const one of await safetyLines()) {
  test(`${one.line}: ${one.title}`, async () => {
    expect(await outcomeOf(one, { ...run, without: undefined })).toMatchObject({ passed: true })
  })

  for (const { name, instead } of one.guards.filter(({ isQuick }) => isQuick)) {
    test(`${one.line}: with ${instead} instead of ${name} it fails (negative control)`, async () => {
      expect(await outcomeOf(one, { ...run, without: name })).toMatchObject({ passed: true })
    })
  }
}
