// Concurrent requests: of 50 visitors who ask for one animal in four processes, exactly 20 are
// queued, and one or none of them holds the animal, by the rule. An implementation with a race is
// detected (negative control).

import { expect, test } from 'vitest'
import { cloneDatabase } from '../testbed/harness/database.ts'
import { printFigures } from '../testbed/experiments/outcome.ts'
import {
  faultOf,
  measureReservations,
  type ReservationFigures,
  type ReservationOptions,
} from '../testbed/experiments/reservations/main.ts'

async function measure(options: ReservationOptions): Promise<ReservationFigures> {
  const figures = await measureReservations(await cloneDatabase(), options)
  printFigures(figures)
  return figures
}

const faultsOf = (figures: ReservationFigures) =>
  figures.rounds.map((round) => faultOf(round, figures)).filter((fault) => fault !== undefined)

test.each(['on_approval', 'on_first_request'] as const)(
  'of 50 visitors who ask at once in four processes exactly 20 are queued, and held %s',
  async (rule) => {
    const figures = await measure({ rounds: 6, concurrent: 50, rule })
    expect(figures.rounds).toHaveLength(6)
    expect(faultsOf(figures)).toEqual([])
  },
)

test('asking without a lock and a transaction accepts too many, and holds for several (negative control)', async () => {
  const figures = await measure({ rounds: 5, concurrent: 50, rule: 'on_first_request', isBroken: true })
  expect(faultsOf(figures).length).toBeGreaterThan(0)
  expect(Math.max(...figures.rounds.map(({ holding }) => holding))).toBeGreaterThan(1)
})
