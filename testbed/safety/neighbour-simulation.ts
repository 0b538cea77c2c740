// A process of the service in simulated time, with its admission control: one processor, which serves one request after
// another. A neighbour sends as much as its connections carry; other projects send a request now and then.

import { ADJUST_MS, Admission, type AdmissionRules, type InFlight } from '../../server/src/foundation/load/admission.ts'

export type Neighbourhood = {
  seconds: number
  /** Of the neighbour; each sends its next request at once, and is not read for a second after a rejection. */
  connections: number
  /** Projects, each with a request in this interval. */
  others: number
  everyMs: number
}

export type NeighbourhoodOutcome = { served: number; rejected: number; waitedMs: number[]; servedToNeighbour: number }

const WORK_MS = 1
/** A 503 costs a fifth of a list request. */
const REJECT_MS = 0.2
const HELD_MS = 1000
const NEIGHBOUR = 'neighbour'

type Request = { inFlight: InFlight; at: number; isOfNeighbour: boolean }

export function simulateNeighbour(rules: AdmissionRules, shape: Neighbourhood): NeighbourhoodOutcome {
  const admission = new Admission(rules)
  const queue: Request[] = []
  const outcome: NeighbourhoodOutcome = { served: 0, rejected: 0, waitedMs: [], servedToNeighbour: 0 }
  /** When each connection of the neighbour sends next. */
  const sendsAt = Array.from({ length: shape.connections }, () => 0)
  let credit = 0

  const arrive = (sender: string, at: number, isOfNeighbour: boolean): boolean => {
    const inFlight = admission.admits('read', sender) ? admission.begin('read', sender) : undefined
    if (inFlight) queue.push({ inFlight, at, isOfNeighbour })
    else credit -= REJECT_MS
    return inFlight !== undefined
  }

  for (let at = 0; at < shape.seconds * 1000; at += 1) {
    for (let other = 0; other < shape.others; other += 1) {
      // Not all in the same millisecond.
      if ((at + other * 7) % shape.everyMs === 0 && !arrive(`shop ${other}`, at, false)) outcome.rejected += 1
    }
    for (let connection = 0; connection < sendsAt.length; connection += 1) {
      if ((sendsAt[connection] ?? 0) > at) continue
      sendsAt[connection] = arrive(NEIGHBOUR, at, true) ? Infinity : at + HELD_MS
    }
    for (credit = Math.min(credit + 1, 1); credit >= WORK_MS && queue.length > 0; credit -= WORK_MS) {
      const done = queue.shift()
      if (!done) break
      admission.end(done.inFlight, at - done.at)
      if (done.isOfNeighbour) {
        outcome.servedToNeighbour += 1
        const free = sendsAt.indexOf(Infinity)
        sendsAt[free] = at + 1
      } else {
        outcome.served += 1
        outcome.waitedMs.push(at - done.at)
      }
    }
    if (at % ADJUST_MS === 0) admission.adjust(0)
  }
  return outcome
}
