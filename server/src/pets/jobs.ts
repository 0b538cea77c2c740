// Background work of animals: answers kept for Idempotency-Keys are forgotten
// once they are a day old. Any number of processes may sweep at once; each takes
// rows that no other holds.

import { statement, type Db } from '../foundation/postgres.ts'

const sweepRows = statement<{ swept: number }, [atMost: number]>(
  'sweep-idempotency',
  `select sweep_idempotency($1) as swept`,
)

const ROWS_AT_ONCE = 1000

/** Sweeps until nothing expired is left, a bounded number of rows at a time. */
export async function sweepAnswers(inDirectory: <T>(work: (db: Db) => Promise<T>) => Promise<T>): Promise<number> {
  let swept = 0
  for (;;) {
    const [row] = await inDirectory((db) => db(sweepRows, ROWS_AT_ONCE))
    swept += row?.swept ?? 0
    if ((row?.swept ?? 0) < ROWS_AT_ONCE) return swept
  }
}
