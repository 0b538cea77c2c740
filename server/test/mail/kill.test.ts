// The experiment mail-kill at a size for CI, and its negative control.

import { expect, test } from 'vitest'
import { cloneDatabase } from '../../../testbed/harness/database.ts'
import { faultOf, killMailWorkers } from '../../../testbed/experiments/mail-kill/kill.ts'

const SENDING_AT_ONCE = 4

test('no mail is lost when workers are killed, and few arrive again', async () => {
  const { appUrl } = await cloneDatabase()
  const figures = await killMailWorkers(appUrl, { mails: 200, kills: 6, workers: 2, perSecond: 40 })
  expect(figures).toMatchObject({ mails: 200, lost: 0 })
  expect(figures.kills).toBeGreaterThan(0)
  expect(faultOf(figures, SENDING_AT_ONCE)).toBeUndefined()
})

test('a worker that counts a mail as sent before it is, loses some (negative control)', async () => {
  const { appUrl } = await cloneDatabase()
  const figures = await killMailWorkers(appUrl, {
    mails: 120,
    kills: 6,
    workers: 1,
    perSecond: 40,
    sabotage: 'forgetful',
  })
  expect(faultOf(figures, SENDING_AT_ONCE)).toContain('were lost')
})
