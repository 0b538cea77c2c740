import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BoundedMap, RecentKeys } from './bounded-map.ts'

test('the entry that was set longest ago is evicted first', () => {
  const map = new BoundedMap<string, number>({ countMax: 2 })
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  map.set('c', 4)
  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([3, undefined, 4])
  map.clear()
  expect([map.size, map.has('a')]).toEqual([0, false])
})

test('neither number nor weight exceed their bounds, and the weight is that of what is there', () => {
  const steps = fc.array(fc.record({ key: fc.nat(20).map(String), weight: fc.nat(60), isDeleted: fc.boolean() }))
  fc.assert(
    fc.property(steps, (taken) => {
      const map = new BoundedMap<string, number>({ countMax: 5, weightMax: 100, weightOf: (weight) => weight })
      for (const { key, weight, isDeleted } of taken) {
        if (isDeleted) map.delete(key)
        else map.set(key, weight)
        expect(map.get(key)).toBe(isDeleted ? undefined : weight)
        const weights = Array.from({ length: 21 }, (_, index) => map.get(String(index))).filter(
          (one) => one !== undefined,
        )
        expect(weights).toHaveLength(map.size)
        expect(map.size).toBeLessThanOrEqual(5)
        expect(map.weight).toBe(weights.reduce((sum, one) => sum + one, 0))
        expect(map.weight).toBeLessThanOrEqual(100)
      }
    }),
  )
})

test('what is heavier than all together may be is not kept, and evicts nothing but what it replaces', () => {
  const map = new BoundedMap<string, number>({ countMax: 5, weightMax: 10, weightOf: (weight) => weight })
  map.set('a', 5)
  map.set('b', 5)
  map.set('b', 11)
  expect([map.get('a'), map.get('b'), map.weight]).toEqual([5, undefined, 5])
})

test('a key is recent for its time after it was last added, and until it is deleted', () => {
  let now = 0
  const keys = new RecentKeys({ holdMs: 10, countMax: 2, now: () => now })
  keys.add('a')
  now = 5
  keys.add('a')
  now = 14
  expect(keys.has('a')).toBe(true)
  now = 15
  expect(keys.has('a')).toBe(false)
  for (const key of ['a', 'b', 'c']) keys.add(key)
  expect(['a', 'b', 'c'].map((key) => keys.has(key))).toEqual([false, true, true])
  keys.delete('b')
  expect([keys.has('b'), keys.has('c')]).toEqual([false, true])
  keys.clear()
  expect(keys.has('c')).toBe(false)
})
