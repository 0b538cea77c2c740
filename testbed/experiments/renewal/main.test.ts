// The renewal simulation in its small size, and its negative controls: a rule that is broken on purpose is detected.

import { expect, test } from 'vitest'
import { simulate, type RenewalControl } from './simulation.ts'
import { faultsOf, fleetsOf } from './main.ts'

const run = (control: RenewalControl, index: number) => {
  const fleet = fleetsOf({ domains: 200, years: 1, seed: 7, control })[index]
  if (!fleet) throw new Error('there is no such fleet')
  return faultsOf(simulate(fleet))
}

test.each([
  [90, 0],
  [45, 1],
  [6, 2],
])('no certificate of %i days expires, and the order limit of the authority is kept', (_, index) => {
  expect(run('none', index)).toEqual([])
})

test('renewing on the last day lets certificates expire (negative control)', () => {
  expect(run('last-day', 0).join()).toMatch(/certificates of 90 days expired/)
})

test('without a reserve other projects use up the orders that renewals need (negative control)', () => {
  expect(run('no-reserve', 0).join()).toMatch(/certificates of 90 days expired/)
})
