// The password queue: every short sequence of events keeps its promises, and an attack in simulated time does not keep
// people out.

import { describe, expect, test } from 'vitest'
import {
  ArrivalQueue,
  attackInSimulatedTime,
  type PasswordAttack,
} from '../../../../testbed/harness/password-attack.ts'
import { quantile } from '../../../../testbed/harness/quantile.ts'
import { PasswordQueue, queueRules, type QueueRules, type Turn, type WorkQueue } from './password-queue.ts'

const person: Turn = { isKnown: true, group: 'acc_1' }
const one: Turn = { isKnown: false, group: '192.0.2.1' }
const other: Turn = { isKnown: false, group: '2001:db8:1:2::/64' }

describe('the order of the password queue', () => {
  const slow: QueueRules = { ...queueRules, atOnce: 1, workMs: 1 }
  /** In the order in which they begin, after the first, which begins at once. */
  const orderOf = (turns: readonly (readonly [string, Turn])[]): string[] => {
    const queue = new PasswordQueue<string>(slow)
    queue.arrive('first', { isKnown: false, group: '203.0.113.9' }, 0)
    for (const [work, turn] of turns) queue.arrive(work, turn, 0)
    return turns.flatMap(() => queue.end(1, 0).begin)
  }

  test('is that of arrival for different groups', () => {
    expect(orderOf([['a', one], ['b', other]])).toEqual(['a', 'b']) // prettier-ignore
  })

  test('puts signed-in people and known devices first', () => {
    expect(orderOf([['a', one], ['b', other], ['c', person]])).toEqual(['c', 'a', 'b']) // prettier-ignore
  })

  test('puts the first attempt of each group before the second of any', () => {
    expect(
      orderOf([
        ['a1', one],
        ['a2', one],
        ['a3', one],
        ['b1', other],
        ['b2', other],
      ]),
    ).toEqual(
      ['a1', 'b1', 'a2', 'b2', 'a3'], // prettier-ignore
    )
  })

  test('counts rejected attempts as well, so that trying more often gains nothing', () => {
    const queue = new PasswordQueue<string>(slow)
    queue.arrive('first', person, 0)
    for (let count = 0; count < 20; count += 1) queue.arrive(`a${count}`, one, 0)
    queue.arrive('b', other, 0)
    expect(Array.from({ length: 5 }, () => queue.end(1, 0).begin[0])).toEqual(['a0', 'b', 'a1', 'a2', 'a3'])
  })

  test('counts ten groups of one network as one', () => {
    const queue = new PasswordQueue<string>(slow)
    queue.arrive('first', person, 0)
    const same = Array.from({ length: 12 }, (_, index) => `2001:db8:7:${index}::/64`)
    for (const group of same) queue.arrive(group, { isKnown: false, group }, 0)
    queue.arrive('elsewhere', one, 0)
    const order = Array.from({ length: 13 }, () => queue.end(1, 0).begin[0])
    expect(order).toEqual([...same.slice(0, 10), 'elsewhere', ...same.slice(10)])
  })

  test('forgets attempts after two minutes', () => {
    const queue = new PasswordQueue<string>(slow)
    for (let count = 0; count < 4; count += 1) queue.arrive(`a${count}`, one, 0)
    for (let count = 0; count < 4; count += 1) queue.end(1, 0)
    queue.arrive('running', person, 120_000)
    queue.arrive('a', one, 120_000)
    queue.arrive('b', other, 120_000)
    expect(queue.end(1, 120_000).begin).toEqual(['a'])
  })
})

describe('the bounds of the password queue', () => {
  const busy = (rules: Partial<QueueRules> = {}) => {
    const queue = new PasswordQueue<string>({ ...queueRules, ...rules })
    queue.arrive('running', person, 0)
    queue.arrive('running too', person, 0)
    return queue
  }

  test('are four waiting of one group', () => {
    const queue = busy()
    const steps = Array.from({ length: 5 }, (_, index) => queue.arrive(String(index), one, 0).reject)
    expect(steps).toEqual([[], [], [], [], ['4']])
  })

  test('are 64 waiting in all; the one whose turn is last makes room', () => {
    const queue = busy({ workMs: 1 })
    const fill = (from: number) => {
      for (let index = 0; index < 32; index += 1)
        queue.arrive(`${from + index}`, { isKnown: false, group: `10.${index}.0.1` }, 0)
    }
    fill(0)
    fill(32)
    expect(queue.arrive('new', one, 0)).toEqual({ begin: [], reject: ['63'] })
  })

  test('are those that can start within 2 s, by how long the last ones took', () => {
    const queue = busy({ workMs: 500 })
    const rejected = Array.from({ length: 9 }, (_, index) =>
      queue.arrive(String(index), { isKnown: false, group: `10.${index}.0.1` }, 0),
    ).flatMap(({ reject }) => reject)
    // Two at once, half a second each.
    expect(rejected).toEqual(['8'])
  })

  test('reject what has waited for more than 2 s as soon as a slot is free', () => {
    const queue = busy()
    queue.arrive('late', one, 0)
    expect(queue.end(2001, 2001)).toEqual({ begin: [], reject: ['late'] })
    expect(queue.arrive('next', other, 2001)).toEqual({ begin: ['next'], reject: [] })
  })

  test('let two wait however slow the machine is', () => {
    const queue = busy()
    for (let count = 0; count < 20; count += 1) {
      queue.end(60_000, 0)
      queue.arrive(`running ${count}`, person, 0)
    }
    expect(queue.arrive('a', one, 0).reject).toEqual([])
    expect(queue.arrive('b', other, 0).reject).toEqual([])
  })
})

test('every sequence of eight events keeps every promise', () => {
  const rules = { atOnce: 1, waitingMax: 3, waitingPerGroupMax: 2, startWithinMs: 25, workMs: 10 }
  const events = [person, one, other, 'end'] as const
  const stepMs = 7
  let sequences = 0
  for (let number = 0; number < events.length ** 8; number += 1) {
    const queue = new PasswordQueue<number>(rules)
    const waiting = new Map<number, { turn: Turn; attempt: number; sinceMs: number }>()
    const attempts = new Map<string, number>()
    let running = 0
    for (let index = 0, rest = number; index < 8; index += 1, rest = Math.floor(rest / events.length)) {
      const event = events[rest % events.length] ?? 'end'
      const atMs = index * stepMs
      if (event === 'end' && running === 0) continue
      if (event === 'end') running -= 1
      else {
        const attempt = attempts.get(event.group) ?? 0
        attempts.set(event.group, attempt + 1)
        waiting.set(index, { turn: event, attempt, sinceMs: atMs })
      }
      const step = event === 'end' ? queue.end(10, atMs) : queue.arrive(index, event, atMs)
      for (const work of step.begin) {
        const begun = waiting.get(work)
        waiting.delete(work)
        running += 1
        if (begun === undefined) throw new Error(`${number}: begun twice`)
        if (atMs - begun.sinceMs > rules.startWithinMs) throw new Error(`${number}: begun too late`)
        for (const left of waiting.values()) {
          const isRejected = atMs - left.sinceMs > rules.startWithinMs
          const isSooner = left.turn.isKnown === begun.turn.isKnown ? left.attempt < begun.attempt : left.turn.isKnown
          if (isSooner && !isRejected) throw new Error(`${number}: out of turn`)
        }
      }
      for (const work of step.reject) if (!waiting.delete(work)) throw new Error(`${number}: rejected twice`)
      const ofOne = [...waiting.values()].filter(({ turn }) => turn === one)
      if (running > rules.atOnce || waiting.size > rules.waitingMax || ofOne.length > rules.waitingPerGroupMax)
        throw new Error(`${number}: beyond its bounds`)
      if (running === 0 && waiting.size > 0) throw new Error(`${number}: idle while one waits`)
    }
    sequences += 1
  }
  expect(sequences).toBe(65_536)
})

describe('an attack of 200 attempts a second from 100 groups', () => {
  const attack: PasswordAttack = {
    perSecond: 200,
    groups: Array.from({ length: 100 }, (_, index) => `10.0.${index}.1`),
    seconds: 40,
    workMs: 154,
    afterSeconds: 2,
    people: 50,
    everyMs: 500,
  }
  const shown = (queue: WorkQueue<never>, change: Partial<PasswordAttack> = {}) => {
    const outcomes = attackInSimulatedTime(queue, { ...attack, ...change })
    const served = outcomes.filter(({ isServed }) => isServed)
    return {
      served: served.length,
      p99Ms: quantile(
        served.map(({ waitedMs }) => waitedMs),
        0.99,
      ),
    }
  }

  test('keeps none of 50 people on new devices from signing in, within 3 s', () => {
    const { served, p99Ms } = shown(new PasswordQueue())
    expect(served).toBe(50)
    expect(p99Ms).toBeLessThanOrEqual(3000)
  })

  test('does not either if its groups share few networks', () => {
    const groups = Array.from({ length: 100 }, (_, index) => `2001:db8:${index % 4}:${index}::/64`)
    expect(shown(new PasswordQueue(), { groups }).served).toBe(50)
  })

  test('keeps most of them out if passwords are checked in the order of arrival (negative control)', () => {
    expect(shown(new ArrivalQueue({ ...queueRules, workMs: attack.workMs })).served).toBeLessThan(49)
  })
})
