import { expect, test } from 'vitest'
import { afterDeath, calm } from './respawn.ts'

/** The delays after these deaths, each given by how long the process had served. */
function delays(served: readonly (number | undefined)[]): (number | undefined)[] {
  let state = calm
  return served.map((servedMs) => {
    const next = afterDeath(state, servedMs)
    state = next.state
    return next.delayMs
  })
}

test('each process that dies soon is replaced later than the one before, after half a minute at most', () => {
  expect(delays(Array.from({ length: 10 }, () => 1000))).toEqual([
    250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
  ])
})

test('a minute of service makes the next delay short again; less does not (negative control)', () => {
  expect(delays([0, 0, 0, 60_000, 0])).toEqual([250, 500, 1000, 250, 500])
  expect(delays([0, 0, 0, 59_999, 0])).toEqual([250, 500, 1000, 2000, 4000])
})

test('the fifth process in a row that cannot start is the last', () => {
  const not = undefined
  expect(delays([not, not, not, not, not])).toEqual([250, 500, 1000, 2000, undefined])
})

test('one that served in between begins a new row (negative control)', () => {
  const not = undefined
  expect(delays([not, not, not, not, 10, not])).toEqual([250, 500, 1000, 2000, 4000, 8000])
})
