import { expect, test } from 'vitest'
import { demoAnimals } from './demo-animals.ts'
import { demoRequests, nextSaturday } from './demo-requests.ts'

test('every request of the demo is for an animal that is there, of a person that does not exist', () => {
  const names = new Set(demoAnimals.map(({ name }) => name))
  for (const { animal, contact } of demoRequests) {
    expect(names).toContain(animal)
    // Numbers that the regulator has set aside for drama.
    expect(contact).toMatch(/@visitor\.example$|^\+44 20 7946 0\d{3}$/)
  }
})

test('the requests of the demo are listed from the oldest to the newest, and no hold or expiry has passed', () => {
  const hours = demoRequests.map(({ hoursAgo }) => hoursAgo)
  expect(hours).toEqual(hours.toSorted((one, other) => other - one))
  const isOpen = (moves: readonly string[]) => !['handed_over', 'declined'].includes(moves.at(-1) ?? '')
  const open = demoRequests.filter(({ moves = [] }) => isOpen(moves))
  expect(Math.max(...open.map(({ hoursAgo }) => hoursAgo))).toBeLessThan(30 * 24)
})

test('the demo has a queue, a visit, a hold, notes, and requests that have ended', () => {
  const asked = Map.groupBy(demoRequests, ({ animal }) => animal)
  expect(Math.max(...[...asked.values()].map(({ length }) => length))).toBeGreaterThan(2)
  const last = demoRequests.map(({ moves = [] }) => moves.at(-1))
  for (const move of [undefined, 'contacted', 'visit_set', 'approved', 'handed_over', 'declined'])
    expect(last).toContain(move)
  expect(demoRequests.some(({ isHeld }) => isHeld)).toBe(true)
})

test.each([
  ['2026-11-16T09:00:00', '2026-11-21T11:00:00'],
  ['2026-11-20T23:59:00', '2026-11-21T11:00:00'],
  ['2026-11-21T00:01:00', '2026-11-28T11:00:00'],
  ['2026-11-22T12:00:00', '2026-11-28T11:00:00'],
])('the Saturday after %s is %s', (now, saturday) => {
  expect(nextSaturday(new Date(now))).toEqual(new Date(saturday))
})
