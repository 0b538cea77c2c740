// Turns of projects in one kind of timers, with timers in memory: a claim takes the oldest that it may.

import { expect, test } from 'vitest'
import { TimerTurns } from './timer-turns.ts'

/** The projects of the timers that are due, oldest first; each is claimed and, later, done. */
function worker(due: bigint[], ...places: ConstructorParameters<typeof TimerTurns>) {
  const turns = new TimerTurns(...places)
  const claim = (): bigint[] => {
    for (const except of turns.exceptions()) {
      const claimed = due.filter((project) => !except.includes(project)).slice(0, turns.claimable)
      for (const project of claimed) {
        due.splice(due.indexOf(project), 1)
        turns.begin(project)
      }
      if (claimed.length > 0) return claimed
    }
    return []
  }
  const fill = (): bigint[] => {
    const begun: bigint[] = []
    while (turns.claimable > 0) {
      const claimed = claim()
      if (claimed.length === 0) break
      begun.push(...claimed)
    }
    return begun
  }
  return { turns, fill }
}

const times = (project: bigint, count: number): bigint[] => Array.from({ length: count }, () => project)

test('each project has its turn before one has its next, however many of its timers are older', () => {
  const due = [...times(1n, 50), ...times(2n, 50), ...times(3n, 50), 4n]
  const { turns, fill } = worker(due, 2)
  expect(fill()).toEqual([1n, 2n])
  turns.end(1n)
  expect(fill()).toEqual([3n])
  turns.end(2n)
  expect(fill()).toEqual([4n])
})

test('five projects whose work never ends leave a place, if each holds one at most', () => {
  const due = [1n, 2n, 3n, 4n, 5n].flatMap((project) => times(project, 40))
  const { turns, fill } = worker(due, 6, 1)
  expect(fill()).toEqual([1n, 2n, 3n, 4n, 5n])
  expect(turns.claimable).toBe(1)
  due.push(6n)
  expect(fill()).toEqual([6n])
})

test('a project alone uses all places, and no claim gives it more than its share', () => {
  const { turns, fill } = worker(times(1n, 50), 32)
  expect(turns.claimable).toBe(4)
  expect(fill()).toHaveLength(32)
})

test('timers without a project wait for no turn', () => {
  expect(worker(times(0n, 5), 6, 1).fill()).toHaveLength(5)
})

test('of projects that had their turn a bounded number is remembered', () => {
  const { turns } = worker([], 1)
  for (let project = 1n; project <= 5000n; project += 1n) {
    turns.begin(project)
    turns.end(project)
  }
  const [first] = turns.exceptions()
  expect(first).toHaveLength(1000)
  expect(first?.at(-1)).toBe(5000n)
})
