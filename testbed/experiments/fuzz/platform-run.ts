// Fuzzes `/platform/v1` with a few workers, each with actors and a connection of its own, so
// that one does not change what another expects. Every response is judged as for `/v1`; a
// response that only contradicts the expectation is forgiven if the actors turn out to have lost
// what they need.

import type { OpenApi, Operation } from '../../harness/openapi.ts'
import { platformInterface } from '../../harness/platform-headers.ts'
import { createChecker, type ResponseChecker } from '../../harness/response-checker.ts'
import type { Kinds } from './cases.ts'
import { Connection } from './connection.ts'
import type { RequestDraft } from './draft.ts'
import { PLATFORM_LATE_MS } from './lateness.ts'
import { isWhole, createActors, remember, type Actors } from './platform-actors.ts'
import { isEnding, plansOf, type Plan } from './platform-cases.ts'
import { runningClock } from './running-clock.ts'
import { createTally, type FuzzReport, type FuzzTrouble } from './findings.ts'

export type PlatformFuzzOptions = {
  origin: string
  document: OpenApi
  requests: number
  seed: number
  kinds?: Kinds
  workers?: number
  /** Where the links of people who sign up arrive. */
  inbox?: string
  /** Given where no actors can sign up, as in the negative control. */
  cast?: Actors
}

export type PlatformReport = FuzzReport & { casts: number }

export async function fuzzPlatform(options: PlatformFuzzOptions): Promise<PlatformReport> {
  const { origin, inbox = '', document, requests, seed, kinds = 'all', workers = 8 } = options
  const checker = createChecker(document, platformInterface)
  const collections = collectionsOf(checker)
  const plans = plansOf(checker.operations, seed, kinds)
  const tally = createTally(checker, { seed, lateMs: PLATFORM_LATE_MS })
  const now = runningClock()
  let casts = 0
  const nextActors = async () => {
    casts += 1
    return options.cast ?? (await createActors(origin, inbox))
  }

  const work = async () => {
    const connection = new Connection(new URL(origin), now)
    let actors = await nextActors()
    let before: RequestDraft | undefined
    while (tally.sent() < requests) {
      const plan: Plan = plans.next().value
      const one = plan.fill(actors)
      const { answer, troubles } = await tally.exchange(connection, one)
      const operation = checker.operationOf(one.draft.method, one.draft.path)
      const isDoubtful = !options.cast && isSuspicious(troubles, answer.status, operation)
      const isLost = isDoubtful && !(await isWhole(origin, actors))
      const counted = isLost ? troubles.filter(({ kind }) => kind !== 'prediction') : troubles
      await tally.add(connection, { ...one, before }, counted)
      if (isLost) actors = await nextActors()
      const parameter = collections.get(operation?.path ?? '')
      if (parameter !== undefined && answer.status < 300) remember(actors, parameter, answer.text)
      before = one.draft
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: workers }, work))
  return { ...tally.report(), casts }
}

/** An unpredicted response, or a success that may have revoked permissions of an actor. */
function isSuspicious(troubles: readonly FuzzTrouble[], status: number, operation: Operation | undefined): boolean {
  const isUnpredicted = troubles.some(({ kind }) => kind === 'prediction')
  return isUnpredicted || (status < 300 && operation !== undefined && isEnding(operation))
}

/** The path of each collection whose items a path parameter addresses. */
function collectionsOf({ operations }: ResponseChecker): Map<string, string> {
  const found = new Map<string, string>()
  for (const { path } of operations) {
    for (const [start, collection = '', parameter = ''] of path.matchAll(/^(.*)\/\{(\w+)\}/g)) {
      if (start !== '' && parameter !== 'project') found.set(collection, parameter)
    }
  }
  return found
}
