// Years of renewals on a virtual clock. The decisions are the real ones (retry schedule, budget,
// renewal, lifecycle); only the authority, the clock and the store are models. The authority is
// down for days at random, rejects clients above its limits, and counts requests independently.
// Other projects order new certificates all the time, as many as they can get, so that renewals
// depend on what is reserved for them.

import { DAY, HOUR } from '../../../server/src/foundation/time.ts'
import { randomBytes } from 'node:crypto'
import {
  firstSlot,
  laterBy,
  shortageOf,
  shortWindow,
  slotOf,
  type Allowance,
} from '../../../server/src/certificates/budget.ts'
import { afterPause, isNearEnd, pauseOf } from '../../../server/src/certificates/retry-schedule.ts'
import {
  firstOrder,
  next,
  stepOf,
  type Fact,
  type CertificateOrder,
} from '../../../server/src/certificates/lifecycle.ts'
import { problemOf } from '../../../server/src/certificates/problems.ts'
import { renewAt, shareOf } from '../../../server/src/certificates/renewal.ts'
import { mulberry32 } from '../../harness/mulberry32.ts'

export type RenewalControl = 'none' | 'last-day' | 'no-reserve'

export type Fleet = {
  /** Validity of the certificates. */
  days: number
  domains: number
  years: number
  /** Orders that the authority grants per three hours. */
  limit: number
  outageMax: number
  control: RenewalControl
  seed: number
}

export type RenewalFigures = Fleet & {
  renewals: number
  fresh: number
  failures: number
  outages: { count: number; longestDays: number; share: number }
  expiries: number
  /** The shortest remaining validity of a certificate when its successor was issued, in hours. */
  leastLeftHours: number
  busiestWindow: number
}

type Name = {
  hostname: string
  serial: number
  notBefore: number
  notAfter: number
  renewAt: number
  order: CertificateOrder | null
  failedAt: readonly number[]
}

const START = Date.UTC(2027, 0, 1)
const AUTHORITY = 'authority'
/** The percentage of validations that fail because of the name or the network. */
const FLAKY = 2

export function simulate(fleet: Fleet): RenewalFigures {
  const random = mulberry32(fleet.seed)
  const end = START + fleet.years * 365 * DAY
  const outages = outagesOf(fleet, random, end)
  const allowance: Allowance = {
    perWindow: Math.floor(fleet.limit * 0.8),
    forRenewals: fleet.control === 'no-reserve' ? 0 : Math.floor(fleet.limit * 0.4),
    perRegisteredDomain: Number.POSITIVE_INFINITY,
    perName: Number.POSITIVE_INFINITY,
  }
  const ledger = ledgerOf()
  const authority = countingAuthority(outages)
  const queue = queueOf()
  const names = Array.from({ length: fleet.domains }, (_, index) => firstName(fleet, index, random))
  for (const [index, { renewAt: at }] of names.entries()) queue.push(at, index)
  const pause = { until: 0, outages: 0 }
  const counted = { renewals: 0, failures: 0, expiries: 0, leastLeft: Number.POSITIVE_INFINITY }

  const attempt = (name: Name, now: number): Fact[] => {
    const served = name.notAfter > now ? name : null
    if (pause.until > now) {
      const share = shareOf(`${name.hostname} ${pause.outages}`)
      return [{ kind: 'deferred', until: afterPause(pause, { share, served }, now) }]
    }
    const shortage = shortageOf(allowance, ledger.used(now, ''), true)
    if (shortage !== null)
      return [{ kind: 'deferred', until: now + laterBy(shortage, random(), !isNearEnd(name, now)) }]
    const intent: Fact = { kind: 'intent_stored', authority: AUTHORITY, sealedKey: sealed }
    if (authority.isDown(now)) {
      const problem = problemOf('unreachable', '')
      pause.outages++
      pause.until = now + pauseOf(problem, pause.outages)
      counted.failures++
      return [intent, { kind: 'attempt_failed', problem, isCounted: false }]
    }
    pause.outages = 0
    ledger.take(now, null)
    authority.order(now)
    const placed: Fact[] = [intent, { kind: 'order_placed', url: 'order' }, { kind: 'validation_asked' }]
    if (random() * 100 < FLAKY) {
      counted.failures++
      return [...placed, { kind: 'attempt_failed', problem: problemOf('connection', ''), isCounted: true }]
    }
    return [...placed, { kind: 'authorization_valid' }, { kind: 'certificate_stored' }]
  }

  const visit = (name: Name, now: number): number => {
    let order = name.order ?? renewalOf(name, now)
    for (;;) {
      const doing = stepOf(order, now)
      if ('restUntil' in doing) {
        name.order = order
        return doing.restUntil ?? now + DAY
      }
      const facts: Fact[] = doing.step === 'try_again' ? [{ kind: 'wait_ended' }] : attempt(name, now)
      const served = name.notAfter > now ? name : null
      for (const fact of facts) {
        const around = { authorities: [AUTHORITY], failedAt: name.failedAt, served, evidence: '' }
        ;({ order, failedAt: name.failedAt } = next(order, fact, around, now))
      }
      if (order.state === 'issued') return renewed(fleet, name, now, counted)
    }
  }

  const expired = new Set<Name>()
  let strangersAt = START
  for (;;) {
    const first = queue.pop()
    if (first === undefined || first.at >= end) break
    const now = Math.max(first.at, START)
    for (; strangersAt <= now; strangersAt += shortWindow.slot) {
      if (!authority.isDown(strangersAt)) strangers(ledger, authority, allowance, strangersAt)
    }
    const name = names[first.index]
    if (!name) continue
    if (name.notAfter <= now && !expired.has(name)) {
      expired.add(name)
      // Enough violations; more of them would only take time.
      if (++counted.expiries >= fleet.domains * ENOUGH) break
    }
    queue.push(visit(name, now), first.index)
  }
  const { renewals, failures, expiries, leastLeft } = counted
  return {
    ...fleet,
    renewals,
    fresh: authority.counts.orders - authority.counts.renewals,
    failures,
    outages: summaryOf(outages, end),
    expiries,
    leastLeftHours: Math.round((leastLeft / HOUR) * 10) / 10,
    busiestWindow: authority.counts.busiest,
  }
}

const sealed = randomBytes(1)

/** At the start of the simulation certificates are of all ages. */
function firstName({ days, control }: Fleet, index: number, random: () => number): Name {
  const hostname = `shop-${index}.example`
  const notBefore = START - random() * days * DAY * 0.5
  return {
    hostname,
    serial: 0,
    notBefore,
    notAfter: notBefore + days * DAY,
    renewAt: renewalAt(control, hostname, 0, notBefore, days),
    order: null,
    failedAt: [],
  }
}

function renewalAt(control: RenewalControl, hostname: string, serial: number, notBefore: number, days: number): number {
  const notAfter = notBefore + days * DAY
  if (control === 'last-day') return notAfter - DAY
  const life = { hostname, serial: String(serial), notBefore, notAfter }
  // Every other time the authority suggests a window of its own, close to what we would have chosen.
  const middle = notBefore + days * DAY * 0.63
  return renewAt(life, serial % 2 === 0 ? null : { start: middle - HOUR * days * 0.2, end: middle + HOUR * days * 0.2 })
}

const renewalOf = ({ hostname }: Name, now: number): CertificateOrder =>
  firstOrder({ id: 'cor', hostname, generation: 1n, isRenewal: true, replaces: null, evidence: '' }, now, now)

function renewed(
  { days, control }: Fleet,
  name: Name,
  now: number,
  counted: { renewals: number; leastLeft: number },
): number {
  counted.renewals++
  const left = name.notAfter - now
  counted.leastLeft = Math.min(counted.leastLeft, left)
  name.serial++
  name.notBefore = now
  name.notAfter = now + days * DAY
  name.renewAt = renewalAt(control, name.hostname, name.serial, now, days)
  name.order = null
  return name.renewAt
}

const STRANGERS = 12
/** Share of the names. */
const ENOUGH = 1 / 20

/** They come at the first moment of every slot, before any renewal, and take whatever is granted. */
function strangers(ledger: Ledger, authority: CountingAuthority, allowance: Allowance, now: number): void {
  for (let client = 0; client < STRANGERS; client++) {
    while (shortageOf(allowance, ledger.used(now, String(client)), false) === null) {
      ledger.take(now, String(client))
      authority.order(now, false)
    }
  }
}

type Ledger = ReturnType<typeof ledgerOf>

/** Counts in slots, as the store does. */
function ledgerOf() {
  const slots: { slot: number; all: number; clients: Map<string, number> }[] = []
  const sums = { all: 0, fresh: 0, clients: new Map<string, number>() }
  const forget = (now: number) => {
    const first = firstSlot(shortWindow, now)
    for (let oldest = slots[0]; oldest && oldest.slot < first; oldest = slots[0]) {
      slots.shift()
      sums.all -= oldest.all
      for (const [client, count] of oldest.clients) {
        sums.fresh -= count
        sums.clients.set(client, (sums.clients.get(client) ?? 0) - count)
      }
    }
  }
  return {
    used(now: number, client: string) {
      forget(now)
      return { all: sums.all, fresh: sums.fresh, client: sums.clients.get(client) ?? 0, registered: 0, name: 0 }
    },
    take(now: number, client: string | null) {
      const slot = slotOf(shortWindow, now)
      let last = slots.at(-1)
      if (last?.slot !== slot) slots.push((last = { slot, all: 0, clients: new Map() }))
      last.all++
      sums.all++
      if (client === null) return
      last.clients.set(client, (last.clients.get(client) ?? 0) + 1)
      sums.clients.set(client, (sums.clients.get(client) ?? 0) + 1)
      sums.fresh++
    },
  }
}

type CountingAuthority = ReturnType<typeof countingAuthority>
type Outage = { from: number; to: number }

/** Counts by the moment, not by slots: it is independent of our own accounting. */
function countingAuthority(outages: readonly Outage[]) {
  const counts = { orders: 0, renewals: 0, busiest: 0 }
  let recent: number[] = []
  let oldest = 0
  let index = 0
  return {
    counts,
    isDown(now: number): boolean {
      while ((outages[index]?.to ?? Number.POSITIVE_INFINITY) <= now) index++
      return (outages[index]?.from ?? Number.POSITIVE_INFINITY) <= now
    },
    order(now: number, isRenewal = true) {
      recent.push(now)
      while ((recent[oldest] ?? now) <= now - shortWindow.length) oldest++
      if (oldest > 10_000) {
        recent = recent.slice(oldest)
        oldest = 0
      }
      counts.orders++
      if (isRenewal) counts.renewals++
      counts.busiest = Math.max(counts.busiest, recent.length - oldest)
    },
  }
}

/** Down for up to the maximum time, at random, and up for about ten times as long. */
function outagesOf({ outageMax }: Fleet, random: () => number, end: number): Outage[] {
  const list: Outage[] = []
  for (let at = START; ;) {
    at += outageMax * (1.5 - 5 * Math.log(1 - random()))
    if (at >= end) return list
    // Often the maximum: the longest outages are the critical ones.
    const length = outageMax * (random() < 0.25 ? 1 : random())
    list.push({ from: at, to: at + length })
    at += length
  }
}

function summaryOf(outages: readonly Outage[], end: number): RenewalFigures['outages'] {
  const lengths = outages.map(({ from, to }) => to - from)
  const sum = lengths.reduce((total, length) => total + length, 0)
  return { count: lengths.length, longestDays: round(Math.max(0, ...lengths) / DAY), share: round(sum / (end - START)) }
}

const round = (value: number) => Math.round(value * 100) / 100

/** A binary heap, the earliest first. */
function queueOf() {
  const heap: { at: number; index: number }[] = []
  const swap = (one: number, other: number) => {
    const [first, second] = [heap[one], heap[other]]
    if (first && second) [heap[one], heap[other]] = [second, first]
  }
  const at = (index: number) => heap[index]?.at ?? Number.POSITIVE_INFINITY
  return {
    push(when: number, index: number) {
      heap.push({ at: when, index })
      for (let child = heap.length - 1; child > 0;) {
        const parent = (child - 1) >> 1
        if (at(parent) <= at(child)) break
        swap(parent, child)
        child = parent
      }
    },
    pop() {
      const first = heap[0]
      const last = heap.pop()
      if (heap.length === 0 || last === undefined) return first
      heap[0] = last
      for (let parent = 0; ;) {
        const left = 2 * parent + 1
        const child = at(left) <= at(left + 1) ? left : left + 1
        if (at(parent) <= at(child)) return first
        swap(parent, child)
        parent = child
      }
    },
  }
}
