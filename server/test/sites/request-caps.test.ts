// A form cannot empty the shop window: what one internet connection can do in an hour, through four processes.

import { expect, test } from 'vitest'
import { cloneDatabase } from '../../../testbed/harness/database.ts'
import { faultOf, measureRequestCaps } from '../../../testbed/experiments/request-caps/main.ts'

test('one address, one /64 and one /48 get 5, 5 and 20 confirmations in an hour, and hold nothing', async () => {
  const figures = await measureRequestCaps(await cloneDatabase(), { rounds: 3 })
  expect(figures).toMatchObject({ mailed: { address: 5, group: 5, network: 20 }, held: 0, shown: 9 })
  expect(faultOf(figures)).toBeUndefined()
})

test('counters in the memory of each process admit four times as many (negative control)', async () => {
  const figures = await measureRequestCaps(await cloneDatabase(), { rounds: 3, senders: ['address'], isBroken: true })
  expect(figures.mailed.address).toBe(20)
  expect(faultOf(figures)).toBe('20 confirmations for one address')
})
