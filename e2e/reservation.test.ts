// One animal, 200 visitors, three processes: exactly one of them gets it, every
// time; and a way of reserving that knows nothing of races is found out.

import { expect, test } from 'vitest'
import { cloneDatabase } from '../testbed/harness/database.ts'
import {
  faultOf,
  lineOf,
  measureReservations,
  type ReservationFigures,
  type ReservationOptions,
} from '../testbed/experiments/reservations/main.ts'

async function measure(wish: ReservationOptions): Promise<ReservationFigures> {
  const figures = await measureReservations(await cloneDatabase(), wish)
  process.stdout.write(`${lineOf(figures)}\n`)
  return figures
}

const faultsOf = ({ rounds, concurrent }: ReservationFigures) =>
  rounds.map((round) => faultOf(round, concurrent)).filter((fault) => fault !== undefined)

test('of 200 visitors who reserve one animal at once in three processes exactly one gets it', async () => {
  const figures = await measure({ rounds: 50, concurrent: 200 })
  expect(figures.rounds).toHaveLength(50)
  expect(faultsOf(figures)).toEqual([])
})

test('reserving without a lock and a transaction is found out', async () => {
  const faults = faultsOf(await measure({ rounds: 5, concurrent: 200, isBroken: true }))
  expect(faults.length).toBeGreaterThan(0)
  expect(faults[0]).toMatch(/^([2-9]|\d{2,}) orders, 1 pending animals; /)
})
