// Concurrent reservations: of 200 visitors who reserve one animal in three processes, exactly
// one gets it, every time. An implementation with a race is detected (negative control).

import { expect, test } from 'vitest'
import { cloneDatabase } from '../testbed/harness/database.ts'
import {
  faultOf,
  lineOf,
  measureReservations,
  type ReservationFigures,
  type ReservationOptions,
} from '../testbed/experiments/reservations/main.ts'

async function measure(options: ReservationOptions): Promise<ReservationFigures> {
  const figures = await measureReservations(await cloneDatabase(), options)
  process.stdout.write(`${lineOf(figures)}\n`)
  return figures
}

const faultsOf = ({ rounds, concurrent }: ReservationFigures) =>
  rounds.map((round) => faultOf(round, concurrent)).filter((fault) => fault !== undefined)

test('exactly one of 200 visitors who reserve an animal at once in three processes gets it', async () => {
  const figures = await measure({ rounds: 50, concurrent: 200 })
  expect(figures.rounds).toHaveLength(50)
  expect(faultsOf(figures)).toEqual([])
})

test('reserving without a lock and a transaction accepts several orders for one animal (negative control)', async () => {
  const faults = faultsOf(await measure({ rounds: 5, concurrent: 200, isBroken: true }))
  expect(faults.length).toBeGreaterThan(0)
  expect(faults[0]).toMatch(/^([2-9]|\d{2,}) orders, 1 pending animals; /)
})
