// The limit of requests in flight, and which requests are rejected first.

import { describe, expect, test } from 'vitest'
import { Admission, admissionRules, type InFlight, type RequestKind } from './admission.ts'

const rules = { ...admissionRules, start: 100 }

/** Begins requests of one sender until one is rejected. */
function fillWith(admission: Admission, sender: string, kind: RequestKind = 'read'): InFlight[] {
  const begun: InFlight[] = []
  while (begun.length < 10_000 && admission.admits(kind, sender)) {
    const one = admission.begin(kind, sender)
    if (one) begun.push(one)
  }
  return begun
}

/** One interval in which the limit is reached, with these durations of responses. */
function interval(admission: Admission, tookMs: number, lateMs = 0): void {
  for (const one of fillWith(admission, 'north')) admission.end(one, tookMs)
  admission.adjust(lateMs)
}

describe('the limit of requests in flight', () => {
  test('grows by one when it was reached and responses are fast', () => {
    const admission = new Admission(rules)
    interval(admission, 5)
    expect(admission.limit).toBe(101)
  })

  test('shrinks by a tenth when more than a tenth of the responses is slow', () => {
    const admission = new Admission(rules)
    const [first, ...others] = fillWith(admission, 'north').toReversed()
    for (const [index, one] of others.entries()) admission.end(one, index % 5 === 0 ? 101 : 5)
    if (first) admission.end(first, 5)
    admission.adjust(0)
    expect(admission.limit).toBe(90)
  })

  test('does not shrink because of a tenth of the responses (negative control)', () => {
    const admission = new Admission(rules)
    for (const [index, one] of fillWith(admission, 'north').entries()) admission.end(one, index % 10 === 0 ? 101 : 5)
    admission.adjust(0)
    expect(admission.limit).toBe(101)
  })

  test('has room for as many more requests as are missing to its half, and for none after it was reached', () => {
    const admission = new Admission(rules)
    expect(admission.adjust(0)).toBe(50)
    admission.begin('read', 'north')
    expect(admission.adjust(0)).toBe(49)
    expect(admission.adjust(51)).toBe(0)
    for (const one of fillWith(admission, 'north')) admission.end(one, 5)
    expect(admission.adjust(0)).toBe(0)
    expect(admission.adjust(0)).toBe(49)
  })

  test('grows when senders above their share were rejected, although the limit itself was not reached', () => {
    const admission = new Admission(rules)
    admission.admits('read', 'south')
    for (const one of fillWith(admission, 'north')) admission.end(one, 5)
    admission.adjust(0)
    expect(admission.limit).toBe(101)
  })

  test('shrinks when the event loop is late', () => {
    const admission = new Admission(rules)
    interval(admission, 5, 51)
    expect(admission.limit).toBe(90)
  })

  test('shrinks when it is reached and nothing is answered', () => {
    const admission = new Admission(rules)
    fillWith(admission, 'north')
    admission.adjust(0)
    expect(admission.limit).toBe(90)
  })

  test('stays when few requests are slow: a lower one would help none of them', () => {
    const admission = new Admission(rules)
    const one = admission.begin('read', 'north')
    if (one) admission.end(one, 5000)
    admission.adjust(500)
    expect(admission.limit).toBe(100)
  })

  test('stays between its bounds', () => {
    const admission = new Admission(rules)
    for (let count = 0; count < 100; count += 1) interval(admission, 500)
    expect(admission.limit).toBe(16)
    for (let count = 0; count < 2000; count += 1) interval(admission, 5)
    expect(admission.limit).toBe(1024)
  })

  test('leaves every active sender a request, to a bound that a crowd of addresses cannot raise', () => {
    for (const [senders, least] of [
      [10, 16],
      [50, 50],
      [500, 64],
    ] as const) {
      const admission = new Admission(rules)
      const names = Array.from({ length: senders }, (_, n) => `sender ${n}`)
      for (let count = 0; count < 100; count += 1) {
        for (const name of names) admission.admits('read', name)
        for (const one of names.flatMap((name) => fillWith(admission, name, 'write'))) admission.end(one, 500)
        admission.adjust(0)
      }
      expect(admission.limit).toBe(least)
    }
  })

  test('does not depend on requests that wait for a queue of their own, nor on streams', () => {
    const admission = new Admission(rules)
    for (const kind of ['sign-in', 'trace', 'export', 'import', 'stream'] as const) {
      const one = admission.begin(kind, 'north')
      if (one) admission.end(one, 5000)
    }
    fillWith(admission, 'north', 'sign-in')
    for (const one of fillWith(admission, 'north')) admission.end(one, 5)
    admission.adjust(0)
    expect(admission.limit).toBe(101)
  })
})

describe('the order of rejection', () => {
  test('is exports and imports, then reads, then writes', () => {
    const admission = new Admission({ ...rules, mostOfOwnQueues: 100 })
    expect(fillWith(admission, 'north', 'export')).toHaveLength(75)
    expect(admission.admits('import', 'north')).toBe(false)
    expect(fillWith(admission, 'north', 'read')).toHaveLength(90)
    expect(admission.admits('stream', 'north')).toBe(false)
    expect(fillWith(admission, 'north', 'write')).toHaveLength(10)
    expect(admission.admits('write', 'north')).toBe(false)
    expect(admission.admits('sign-in', 'north')).toBe(true)
  })

  test('never includes health checks', () => {
    const admission = new Admission(rules)
    fillWith(admission, 'north', 'write')
    expect([admission.admits('health', 'north'), admission.begin('health', 'north')]).toEqual([true, undefined])
  })

  test('begins with senders above their share, once half of the limit is used', () => {
    const admission = new Admission(rules)
    const south = admission.begin('read', 'south')
    expect(fillWith(admission, 'north')).toHaveLength(50)
    // Its share is a half of the limit, and it has that much. South has not.
    expect(admission.admits('read', 'north')).toBe(false)
    expect(admission.admits('read', 'south')).toBe(true)
    if (south) admission.end(south, 5)
  })

  test('leaves a crowd of senders a few requests each', () => {
    const admission = new Admission({ ...rules, start: 40 })
    for (let n = 0; n < 100; n += 1) admission.admits('read', `sender ${n}`)
    expect(fillWith(admission, 'north')).toHaveLength(20)
    expect(fillWith(admission, 'sender 1')).toHaveLength(4)
    expect(admission.admits('read', 'sender 2')).toBe(true)
  })

  test('lets a sender alone use all of it, once the others have been idle for a second', () => {
    const admission = new Admission(rules)
    admission.admits('read', 'south')
    const half = fillWith(admission, 'north')
    expect(half).toHaveLength(50)
    for (const one of half) admission.end(one, 5)
    for (let count = 0; count < 12; count += 1) admission.adjust(0)
    expect([admission.limit, fillWith(admission, 'north').length]).toEqual([101, 91])
  })

  test('without shares a neighbour takes all of it (negative control)', () => {
    const admission = new Admission({ ...rules, hasShares: false })
    admission.begin('read', 'south')
    fillWith(admission, 'north')
    expect(admission.admits('read', 'south')).toBe(false)
  })
})
