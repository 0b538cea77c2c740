// Fuzzes `/v1`: sends cases over a few connections at once.

import { createChecker } from '../../harness/response-checker.ts'
import type { OpenApi } from '../../harness/openapi.ts'
import { casesOf, type Case, type Kinds } from './cases.ts'
import { Connection } from './connection.ts'
import type { RequestDraft } from './draft.ts'
import { createTally, type FuzzReport } from './findings.ts'
import { LATE_MS } from './lateness.ts'
import { runningClock } from './running-clock.ts'
import type { SeededData } from './valid.ts'

export type FuzzOptions = {
  origin: string
  document: OpenApi
  ground: SeededData
  requests: number
  seed: number
  kinds?: Kinds
  concurrency?: number
}

export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { origin, document, ground: seeded, requests, seed, kinds = 'all', concurrency = 16 } = options
  const checker = createChecker(document)
  const cases = casesOf(checker.operations, seeded, seed, kinds)
  const tally = createTally(checker, { seed, lateMs: LATE_MS })
  const now = runningClock()

  const work = async () => {
    const connection = new Connection(new URL(origin), now)
    let before: RequestDraft | undefined
    while (tally.sent() < requests) {
      const one: Case = cases.next().value
      const { troubles } = await tally.exchange(connection, one)
      await tally.add(connection, { ...one, before }, troubles)
      before = one.draft
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return tally.report()
}
