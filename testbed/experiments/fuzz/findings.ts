// Judges responses, counts them and collects the findings, each of which is minimised before it is
// reported.

import { METHODS } from 'node:http'
import type { ResponseChecker } from '../../harness/response-checker.ts'
import { integerOf } from '../../harness/schema-samples.ts'
import type { Case } from './cases.ts'
import type { Connection, ConnectionReply } from './connection.ts'
import { bodyOf, bytesOf, shown, targetOf, type RequestDraft } from './draft.ts'
import { addAnswer, noLateness, type Lateness } from './lateness.ts'

type Shown = ReturnType<typeof shown>
export type FuzzTrouble = { kind: string; detail: string }
type FuzzFinding = FuzzTrouble & {
  case: string
  times: number
  request: Shown
  before: Shown | undefined
  answer: string
}
export type FuzzReport = Lateness & {
  seed: number
  requests: number
  seconds: number
  perSecond: number
  byStatus: Record<string, number>
  byCode: Record<string, number>
  byOperation: Record<string, number>
  /** Responses that were predicted, and came as predicted. */
  foretold: number
  serverErrors: number
  mismatches: number
  byKind: Record<string, number>
  findings: FuzzFinding[]
}

/** The maximum number of different findings that are reported in full; all are counted. */
const REPORTED_MAX = 20

type Judged = { answer: Given; troubles: FuzzTrouble[] }

export function createTally(checker: ResponseChecker, { seed, lateMs }: { seed: number; lateMs: number }) {
  const byStatus: Record<string, number> = {}
  const byCode: Record<string, number> = {}
  const byOperation: Record<string, number> = {}
  const byKind: Record<string, number> = {}
  const findings = new Map<string, FuzzFinding>()
  const lateness = noLateness(lateMs)
  const startedAt = performance.now()
  let [sent, foretold] = [0, 0]
  return {
    sent: () => sent,
    /** Sends a case, and judges and counts the response. */
    async exchange(connection: Connection, one: Case): Promise<Judged> {
      sent += 1
      const answer = await answerOf(connection, one.draft)
      const troubles = [...judge(checker, one.draft, one.expected, answer), ...addAnswer(lateness, one, answer)]
      increase(byStatus, String(answer.status || 'none'))
      const code = codeOf(answer.text)
      if (code !== '') increase(byCode, code)
      increase(byOperation, nameOf(checker, one.draft))
      if (troubles.length === 0 && one.expected) foretold += 1
      return { answer, troubles }
    },
    /** `before` was sent before on the same connection. */
    async add(
      connection: Connection,
      one: Case & { before: RequestDraft | undefined },
      troubles: readonly FuzzTrouble[],
    ): Promise<void> {
      for (const trouble of troubles) {
        increase(byKind, trouble.kind)
        const key = `${trouble.kind} ${trouble.detail} ${nameOf(checker, one.draft)}`
        const known = findings.get(key)
        if (known) known.times += 1
        else if (findings.size < REPORTED_MAX) findings.set(key, await report(connection, checker, one, trouble))
      }
    },
    report(): FuzzReport {
      const seconds = (performance.now() - startedAt) / 1000
      const { '5xx': serverErrors = 0, ...mismatches } = byKind
      return {
        seed,
        requests: sent,
        seconds,
        perSecond: Math.round(sent / seconds),
        byStatus,
        byCode,
        byOperation,
        byKind,
        ...lateness,
        foretold,
        serverErrors,
        mismatches: Object.values(mismatches).reduce((sum, count) => sum + count, 0),
        findings: [...findings.values()],
      }
    },
  }
}

function increase(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}

const nameOf = (checker: ResponseChecker, { method, path }: RequestDraft): string =>
  checker.operationOf(method, path)?.operationId ?? (method === 'OPTIONS' ? 'OPTIONS' : 'none')

type Given = ConnectionReply & { trouble?: string }

async function answerOf(connection: Connection, draft: RequestDraft): Promise<Given> {
  try {
    return await connection.exchange(bytesOf(draft), draft.method)
  } catch (error) {
    return { status: 0, headers: {}, text: '', ms: 0, trouble: (error as Error).message }
  }
}

function judge(
  checker: ResponseChecker,
  draft: RequestDraft,
  expected: Case['expected'],
  answer: Given,
): FuzzTrouble[] {
  const { status, headers, text, trouble } = answer
  if (trouble !== undefined) return [{ kind: 'no answer', detail: trouble }]
  const isUnknownMethod = status === 501 && !METHODS.includes(draft.method)
  if (status >= 500 && !isUnknownMethod) return [{ kind: '5xx', detail: `${status}` }]
  const troubles: FuzzTrouble[] = checker.check({
    method: draft.method,
    target: targetOf(draft),
    status,
    headers,
    text,
  })
  const changed = expected?.isEchoed && status === 201 && !headers['idempotent-replayed'] ? changedIn(draft, text) : []
  troubles.push(...changed.map((name) => ({ kind: 'echo', detail: `${name} is not what was sent` })))
  if (expected && !isPredicted(draft, expected, answer)) {
    const wanted = `${expected.statuses.join(' or ')} ${expected.code ?? ''}`
    troubles.push({ kind: 'prediction', detail: `${status} ${codeOf(text)} instead of ${wanted}` })
  }
  return troubles
}

function isPredicted(
  { method }: RequestDraft,
  { statuses, code }: NonNullable<Case['expected']>,
  { status, text }: ConnectionReply,
): boolean {
  return statuses.includes(status) && (code === undefined || method === 'HEAD' || codeOf(text) === code)
}

/** The names of the members that were returned with another value, compared digit by digit. */
function changedIn({ fields = [] }: RequestDraft, text: string): string[] {
  const exact = (_: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? integerOf(context?.source ?? '') : value
  const answer = JSON.parse(text, exact) as Record<string, unknown>
  return fields
    .filter(([name, json]) => JSON.parse(json, exact) !== answer[JSON.parse(name) as string])
    .map(([name]) => name.trim())
}

const codeOf = (text: string): string => /^\{"code":"(\w+)"/.exec(text)?.[1] ?? ''

/** The finding with the smallest request that still reproduces it. */
async function report(
  connection: Connection,
  checker: ResponseChecker,
  one: Case & { before: RequestDraft | undefined },
  trouble: FuzzTrouble,
): Promise<FuzzFinding> {
  const isFound = async (draft: RequestDraft) => {
    const troubles = judge(checker, draft, one.expected, await answerOf(connection, draft))
    return troubles.some(({ kind, detail }) => kind === trouble.kind && detail === trouble.detail)
  }
  let smallest = one.draft
  if (trouble.kind === 'prediction') {
    const plain = one.plain?.()
    if (plain && (await isFound(plain))) smallest = plain
  } else {
    smallest = await smaller(one.draft, isFound)
  }
  const { status, text, trouble: silence } = await answerOf(connection, smallest)
  return {
    ...trouble,
    case: one.name,
    times: 1,
    request: shown(smallest),
    // The request sent before on the same connection may be the reason.
    before: one.before && shown(one.before),
    answer: silence ?? `${status} ${text.slice(0, 500)}`,
  }
}

/** Leaves out one part after the other, as long as the finding remains. */
async function smaller(draft: RequestDraft, isFound: (draft: RequestDraft) => Promise<boolean>): Promise<RequestDraft> {
  let best = draft
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false
    for (const candidate of reductions(best)) {
      if (!(await isFound(candidate))) continue
      best = candidate
      isSmaller = true
      break
    }
  }
  return best
}

function reductions(draft: RequestDraft): RequestDraft[] {
  const { headers, query, path } = draft
  const body = bodyOf(draft)
  const half = (body?.length ?? 0) >> 1
  return [
    ...(body ? [{ ...draft, body: undefined, fields: undefined }] : []),
    ...headers.map((_, index) => ({ ...draft, headers: headers.toSpliced(index, 1) })),
    ...query.map((_, index) => ({ ...draft, query: query.toSpliced(index, 1) })),
    ...(body && half > 0
      ? [body.subarray(0, half), body.subarray(half)].map((part) => ({ ...draft, body: part }))
      : []),
    ...(path.length > 24 ? [{ ...draft, path: path.slice(0, path.length >> 1) }] : []),
  ]
}
