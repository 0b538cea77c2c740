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
import { PLATFORM_LATE_MS, addAnswer, noLateness } from './lateness.ts'
import { isWhole, createActors, remember, type Actors } from './platform-actors.ts'
import { isEnding, plansOf, type Plan } from './platform-cases.ts'
import { runningClock } from './running-clock.ts'
import {
  answerOf,
  codeOf,
  increase,
  judge,
  nameOf,
  report,
  TOLD_MAX,
  type FuzzReport,
  type FuzzProgress,
  type FuzzTrouble,
} from './run.ts'

export type PlatformFuzzOptions = {
  origin: string
  document: OpenApi
  requests: number
  seed: number
  kinds?: Kinds
  workers?: number
  /** Given where no actors can sign up, as in the negative control. */
  cast?: Actors
}

export type PlatformReport = FuzzReport & { casts: number }

export async function fuzzPlatform(options: PlatformFuzzOptions): Promise<PlatformReport> {
  const { origin, document, requests, seed, kinds = 'all', workers = 8 } = options
  const checker = createChecker(document, platformInterface)
  const collections = collectionsOf(checker)
  const plans = plansOf(checker.operations, seed, kinds)
  const counts = { byStatus: {}, byCode: {}, byOperation: {}, byKind: {} } as Pick<
    FuzzReport,
    'byStatus' | 'byCode' | 'byOperation' | 'byKind'
  >
  const progress = new Map<string, FuzzProgress>()
  let [sent, foretold, casts] = [0, 0, 0]
  const lateness = noLateness(PLATFORM_LATE_MS)
  const now = runningClock()
  const startedAt = performance.now()
  const nextActors = async () => {
    casts += 1
    return options.cast ?? (await createActors(origin))
  }

  const work = async () => {
    const connection = new Connection(new URL(origin), now)
    let actors = await nextActors()
    let before: RequestDraft | undefined
    while (sent < requests) {
      sent += 1
      const plan: Plan = plans.next().value
      const one = plan.fill(actors)
      const answer = await answerOf(connection, one.draft)
      const troubles = [...judge(checker, one.draft, one.expected, answer), ...addAnswer(lateness, one, answer)]
      const name = nameOf(checker, one.draft)
      increase(counts.byStatus, String(answer.status || 'none'))
      const code = codeOf(answer.text)
      if (code !== '') increase(counts.byCode, code)
      increase(counts.byOperation, name)
      if (troubles.length === 0 && one.expected) foretold += 1
      const operation = checker.operationOf(one.draft.method, one.draft.path)
      const isDoubtful = !options.cast && isSuspicious(troubles, answer.status, operation)
      const isLost = isDoubtful && !(await isWhole(origin, actors))
      for (const trouble of troubles) {
        if (isLost && trouble.kind === 'prediction') continue
        increase(counts.byKind, trouble.kind)
        const key = `${trouble.kind} ${trouble.detail} ${name}`
        const known = progress.get(key)
        if (known) known.times += 1
        else if (progress.size < TOLD_MAX)
          progress.set(key, await report(connection, checker, { ...one, before }, trouble))
      }
      if (isLost) actors = await nextActors()
      const parameter = collections.get(operation?.path ?? '')
      if (parameter !== undefined && answer.status < 300) remember(actors, parameter, answer.text)
      before = one.draft
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: workers }, work))

  const seconds = (performance.now() - startedAt) / 1000
  const { '5xx': serverErrors = 0, ...mismatches } = counts.byKind
  return {
    seed,
    requests: sent,
    seconds,
    perSecond: Math.round(sent / seconds),
    ...counts,
    ...lateness,
    foretold,
    casts,
    serverErrors,
    mismatches: Object.values(mismatches).reduce((sum, count) => sum + count, 0),
    findings: [...progress.values()],
  }
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
