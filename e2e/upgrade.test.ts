// Upgrades at small scale: the next release and this one serve side by side, with no request failed.
// `npm run ship -- --only versions,locks,respawn` runs them at full size. That processes are replaced without a failed
// request is the line `rolling-restart` of `npm run safety`; its negative control is here.

import { expect, test } from 'vitest'
import { cloneDatabase } from '../testbed/harness/database.ts'
import { restartInTurn } from '../testbed/upgrades/restarts.ts'
import { contractFault, dropColumn, upgradeAndReturn, upgradeFault } from '../testbed/upgrades/versions.ts'

test('no request fails while the next release migrates and starts, and this one is started again', async () => {
  expect(upgradeFault(await upgradeAndReturn(await cloneDatabase(), { requests: 400, perSecond: 100 }))).toBeUndefined()
})

test('a column is not dropped under a release that uses it, which is locked out afterwards (negative control)', async () => {
  expect(contractFault(await dropColumn(await cloneDatabase()))).toBeUndefined()
})

test('requests fail if processes behind Caddy are killed instead of restarted in turn (negative control)', async () => {
  const figures = await restartInTurn(await cloneDatabase(), { restarts: 10, perSecond: 100, isDraining: false })
  expect(upgradeFault(figures)).toContain('requests failed')
})
