import { expect, test } from 'vitest'
import { createCapacityGrants } from './capacity-grants.ts'

const taken = (free: number): number => {
  const grants = createCapacityGrants()
  grants.learn(1n, free)
  let count = 0
  while (grants.take(1n)) count += 1
  return count
}

test('an unknown project is looked up first', () => {
  expect(createCapacityGrants().take(1n)).toBe(false)
})

test('a sixteenth of the room is granted, and close to the limit nothing', () => {
  expect([100_000, 160, 16, 15, 0, -3].map(taken)).toEqual([6250, 10, 1, 0, 0, 0])
})

test('sixteen processes that learn of the same room grant no more than it', () => {
  expect(16 * taken(1000)).toBeLessThanOrEqual(1000)
})

test('projects have room of their own', () => {
  const grants = createCapacityGrants()
  grants.learn(1n, 1600)
  expect(grants.take(2n)).toBe(false)
})
