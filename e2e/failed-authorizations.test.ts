// How often an authority is asked for a name that cannot be verified, however often its owner chooses Re-verify. What that
// costs other projects is measured in e2e/timing/abuse.test.ts.

import { expect, onTestFinished, test } from 'vitest'
import { until } from '../testbed/internet/processes.ts'
import { addCrowd, forgetAlways, worstPerHour } from '../testbed/experiments/abuse/main.ts'
import { openEnvironment } from '../testbed/experiments/abuse/environment.ts'
import { startPressing } from '../testbed/experiments/abuse/reverify-load.ts'
import { cloneDatabase } from '../testbed/harness/database.ts'

const PATIENCE_MS = 90_000

test('at most four authorizations of a name fail per hour; without the counter the authority gets more (negative control)', async () => {
  const { appUrl } = await cloneDatabase()
  const environment = await openEnvironment(appUrl, { domains: 6, goodDomains: 0, silentShare: 0 })
  onTestFinished(() => environment.close())
  const [some, others] = [environment.brokenNames.slice(0, 3), environment.brokenNames.slice(3)].map((names) => ({
    ...environment,
    brokenNames: names,
  }))
  if (!some || !others) throw new Error('there are two parts')
  const worst = () => worstPerHour(environment.authority.failures())
  await addCrowd(some)
  const pressing = startPressing(some)
  await until('That names have failed again', async () => worst() >= 2, PATIENCE_MS)
  const pressed = pressing.pressed.past
  await until('That it is pressed twenty times more', async () => pressing.pressed.past >= pressed + 20, PATIENCE_MS)
  await pressing.stop()
  expect(worst()).toBeLessThanOrEqual(4)
  expect(environment.authority.orders().length).toBeLessThanOrEqual(3 * 4)

  const ending = new AbortController()
  const forgetting = forgetAlways(environment, ending.signal)
  await addCrowd(others)
  const pressingOn = startPressing(others)
  await until('That the authority sees more', async () => worst() > 4, PATIENCE_MS)
  ending.abort()
  await forgetting
  await pressingOn.stop()
})
