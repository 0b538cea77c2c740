import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inTurns } from './turns.ts'

test('what arrives together is begun eight at a time, in its order', async () => {
  const begun: number[] = []
  const begin = inTurns((number: number) => void begun.push(number))
  for (let number = 0; number < 20; number += 1) begin(number)
  const counts = [begun.length]
  while (begun.length < 20) {
    await turn()
    counts.push(begun.length)
  }
  expect(counts).toEqual([8, 16, 20])
  expect(begun).toEqual(begun.toSorted((one, other) => one - other))
})

test('what arrives alone is begun at once, and does not overtake what waits', async () => {
  const begun: string[] = []
  const begin = inTurns((name: string) => void begun.push(name))
  begin('alone')
  expect(begun).toEqual(['alone'])
  await turn()
  for (let number = 0; number < 9; number += 1) begin(`waits ${number}`)
  begin('later')
  await turn()
  expect(begun.slice(-2)).toEqual(['waits 8', 'later'])
})
