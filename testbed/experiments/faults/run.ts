// Applies each fault to a domain of its own, many at once, and records what its owner was shown,
// what the authority received, and the outcome. Nothing is judged here. Rows that need a later
// time come at the end, when all others are done: then the clock of the service is moved, since
// it is one clock for all.

import type { Domain } from '@petstore-platform/contract/platform/domain-shapes'
import { setTimer } from '../../../server/src/foundation/postgres/timer-leases.io.ts'
import type { FaultAction, AcmeFault } from '../../internet/acme-fault-rules.ts'
import { visit } from '../../harness/visitor.ts'
import { ownerOf, type FaultsOwner } from './owner.ts'
import { earlierOf, hostnameOf, type FaultsEnvironment } from './environment.ts'
import { momentOf, offer } from './renewals.ts'
import type { RenewalMoment, Row } from './row.ts'
import { isStored } from './stored.ts'

export type Shown = { status: string; code: string; advice: string; until: string | null }

export type Result = {
  row: Row
  /** The first trouble that was shown, and the codes of all. */
  shown: Shown | null
  codes: string[]
  /** From the response that requested a wait to the next request, and to the time that the owner was shown. */
  waitedMs: number | null
  untilMs: number | null
  /** A certificate was stored while the fault was shown. */
  isStoredEarly: boolean
  /** How often Re-verify was chosen. */
  pressed: number
  /** Live after the trouble was shown; after the name was added, if none was. Null: never. */
  liveMs: number | null
  /** What a visitor got over HTTPS. */
  visited: number
  renewal: { asked: number; moment: RenewalMoment | null; replaced: boolean } | null
}

/** Requests to the authority about the domain. */
type Trace = { hits: number[]; asked: number[] }
type Watch = { row: Row; owner: FaultsOwner; hostname: string; trace: Trace; addedAt: number; result: Result }

const LATER_MS = 11 * 60_000
const PATIENCE_MS = 60_000
/** Polling more often with fifty owners would keep the machine busy, and delay the results. */
const LOOK_MS = 800
const PRESS_MS = 3000
/** In production fifty domains are not added at the same moment. */
const ADDING_AT_ONCE = 4

export async function runRows(environment: FaultsEnvironment, rows: readonly Row[]): Promise<Result[]> {
  const adding = openTurns(ADDING_AT_ONCE)
  const beginAll = (some: readonly Row[]) => some.map((row) => begin(environment, row, adding))
  const [measured, others] = [rows.filter(isMeasured), rows.filter((row) => !isMeasured(row))]
  const [patient, busy] = [others.filter(isPatient), others.filter((row) => !isPatient(row))]
  const resting = beginAll(patient)
  const done = await Promise.all(beginAll(busy))
  const watches = [...done, ...(await Promise.all([...resting, ...beginAll(measured)]))]
  await environment.moveClock(LATER_MS)
  await Promise.all(watches.map((watch) => end(environment, watch)))
  const results = new Map(watches.map(({ row, result }) => [row, result]))
  return rows.flatMap((row) => results.get(row) ?? [])
}

/** A wait is measured when the machine has little else to do; otherwise the load would be measured. */
const isMeasured = ({ askedMs }: Row): boolean => askedMs !== undefined
/** An authority that is paused for all projects stays so for a quarter of a minute. */
const isPatient = ({ at, code }: Row): boolean => at === 'alone' && code === 'ca.outage'

async function begin(environment: FaultsEnvironment, row: Row, adding: Turns): Promise<Watch> {
  const owner = ownerOf(environment.stage, row.name)
  const hostname = hostnameOf(row)
  if (row.isForgetful) await forget(environment, row, owner)
  const trace: Trace = { hits: [], asked: [] }
  arrange(environment, row, trace)
  const result = { ...nothing, row, codes: [] }
  const watch: Watch = { row, owner, hostname, trace, addedAt: Date.now(), result }
  await adding(() => {
    watch.addedAt = Date.now()
    return owner.add(hostname)
  })
  if (row.isStuck) await pollUntil(watch, ({ rootCause }) => rootCause?.code === 'step.certificate_validating')
  else await follow(environment, watch)
  return watch
}

const nothing: Omit<Result, 'row' | 'codes'> = {
  shown: null,
  waitedMs: null,
  untilMs: null,
  isStoredEarly: false,
  pressed: 0,
  liveMs: null,
  visited: 0,
  renewal: null,
}

async function end(environment: FaultsEnvironment, watch: Watch): Promise<void> {
  const { row, hostname, result } = watch
  const wake = () =>
    setTimer(environment.stage.service.database.run, { kind: 'certificate', project: 0n, id: hostname })
  if (row.isStuck) {
    await pollUntil(watch, ({ nextCheckAt }) => Date.parse(nextCheckAt ?? '') > Date.now() + LATER_MS)
    await wake()
    await follow(environment, watch)
  }
  if (row.renewal?.moment === 'early' && result.renewal) {
    const before = (await watch.owner.show(hostname)).certificate?.serial
    await wake()
    const after = await pollUntil(watch, ({ certificate }) => certificate !== null && certificate.serial !== before)
    const order = environment.authorityOf(row).faults.orders().at(-1)
    result.renewal.replaced = after !== null && order?.replaces !== null
  }
}

/** An account that was known, and no longer is. */
async function forget(environment: FaultsEnvironment, row: Row, owner: FaultsOwner): Promise<void> {
  const earlier = earlierOf(row)
  await owner.add(earlier)
  await until(async () => (await owner.show(earlier)).status === 'live')
  await environment.authorityOf(row).pebble.restart()
}

/** The faults apply first; all further requests are only recorded. */
function arrange(environment: FaultsEnvironment, row: Row, trace: Trace): void {
  const { faults } = environment.authorityOf(row)
  const about = row.at === 'shared' ? { hostname: hostnameOf(row) } : {}
  const note: FaultAction = {
    does: 'bend',
    bend: (reply) => {
      trace.asked.push(Date.now())
      return reply
    },
  }
  if (row.renewal) offer(faults, row.renewal)
  faults.next(
    ...(row.faults?.() ?? []).map((fault) => marked({ ...fault, ...about }, () => trace.hits.push(Date.now()))),
    ...(row.renewal ? [] : [{ on: 'any', times: Infinity, action: note, ...about } as const]),
  )
}

/** Reports when it was applied. */
function marked(fault: AcmeFault, onHit: () => void): AcmeFault {
  const { action } = fault
  if (action.does === 'answer') {
    const answer: FaultAction = {
      does: 'answer',
      get reply() {
        onHit()
        return action.reply
      },
    }
    return { ...fault, action: answer }
  }
  if (action.does !== 'bend') return fault
  const bend: typeof action.bend = (...args) => {
    onHit()
    return action.bend(...args)
  }
  return { ...fault, action: { does: 'bend', bend } }
}

/** Until the domain is live, automatically or by Re-verify. */
async function follow(environment: FaultsEnvironment, watch: Watch): Promise<void> {
  const { row, owner, hostname, trace, result } = watch
  const first = await pollUntil(watch, (domain) => shownOf(domain) !== null || domain.status === 'live')
  result.shown = first && shownOf(first)
  const since = result.shown ? Date.now() : watch.addedAt
  if (result.shown) {
    result.isStoredEarly = await isStored(environment.stage.service.database.run, hostname)
    if (row.at === 'alone' && row.askedMs === undefined) environment.authorityOf(row).faults.clear()
  }
  const giveUpAt = Date.now() + PATIENCE_MS
  let live = first?.status === 'live' ? first : null
  while (!live && Date.now() < giveUpAt) {
    const isPressed = row.goesOn === 'Re-verify' && result.shown !== null
    if (isPressed) {
      await owner.reverify(hostname)
      result.pressed += 1
    }
    live = await pollUntil(watch, ({ status }) => status === 'live', isPressed ? PRESS_MS : PATIENCE_MS)
  }
  result.liveMs = live && Date.now() - since
  measure(result, trace)
  if (live) await meet(environment, watch)
}

function measure(result: Result, { hits, asked }: Trace): void {
  const [hit] = hits
  const next = hit === undefined ? undefined : asked.find((at) => at > hit)
  if (hit === undefined) return
  result.waitedMs = next === undefined ? null : next - hit
  result.untilMs = result.shown?.until ? Date.parse(result.shown.until) - hit : null
}

/** Requests the page as a visitor, and reads the renewal time if the row is about it. */
async function meet(environment: FaultsEnvironment, { row, owner, hostname, result }: Watch): Promise<void> {
  const { faults, pebble } = environment.authorityOf(row)
  const { httpsPort: port, edges } = environment.stage
  const at = { address: edges[0]?.address ?? '', port, ca: await pebble.rootPem() }
  result.visited = (await visit(at, hostname)).status
  const { renewal } = row
  if (!renewal) return
  const isRequested = () => Promise.resolve(faults.asked('renewalInfo') > 0)
  const isMeant = async () => momentOf(await owner.show(hostname), renewal) === renewal.moment
  await until(async () => (await isRequested()) && isMeant())
  const moment = momentOf(await owner.show(hostname), renewal)
  result.renewal = { asked: faults.asked('renewalInfo'), moment, replaced: false }
}

/** With fifty domains on a busy machine a nameserver can be silent for seconds: shown rightly, but not about the fault. */
const SILENCE = 'zone.ns_unreachable'

const isAboutFault = (code: string): boolean => !code.startsWith('step.') && code !== SILENCE

const shownOf = ({ status, rootCause, until: end }: Domain): Shown | null =>
  rootCause && status !== 'live' && isAboutFault(rootCause.code)
    ? { status, code: rootCause.code, advice: rootCause.advice, until: end }
    : null

/** Polls what is shown; null if the condition is not met in time. */
async function pollUntil(
  watch: Watch,
  isSo: (domain: Domain) => boolean,
  withinMs = PATIENCE_MS,
): Promise<Domain | null> {
  const { owner, hostname, result } = watch
  const found: { domain: Domain | null } = { domain: null }
  await until(async () => {
    const domain = await owner.show(hostname)
    const shown = shownOf(domain)
    if (shown && !result.codes.includes(shown.code)) result.codes.push(shown.code)
    if (isSo(domain)) found.domain = domain
    return found.domain !== null
  }, withinMs)
  return found.domain
}

/** Continues after the timeout; the missing result shows it. */
async function until(isSo: () => Promise<boolean>, withinMs = PATIENCE_MS): Promise<void> {
  const giveUpAt = Date.now() + withinMs
  while (!(await isSo()) && Date.now() < giveUpAt) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
}

type Turns = <T>(work: () => Promise<T>) => Promise<T>

/** Limits concurrency: at most `count` at once, the others queue. */
function openTurns(count: number): Turns {
  const lines: Promise<unknown>[] = Array.from({ length: count }, () => Promise.resolve())
  let next = 0
  return (work) => {
    const line = next++ % count
    const done = (lines[line] ?? Promise.resolve()).then(work)
    lines[line] = done.catch(() => {})
    return done
  }
}
