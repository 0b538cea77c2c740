import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inTurns } from './turns.ts'

/** What was begun, and the function that begins it; the name says who sends. */
function recorded() {
  const begun: string[] = []
  const begin = inTurns((name: string) => void begun.push(name))
  return { begun, arrive: (name: string) => begin(name.replace(/\d+$/, ''), name) }
}

test('what arrives together is begun eight at a time, in its order', async () => {
  const { begun, arrive } = recorded()
  for (let number = 10; number < 30; number += 1) arrive(`shop${number}`)
  const counts = [begun.length]
  while (begun.length < 20) {
    await turn()
    counts.push(begun.length)
  }
  expect(counts).toEqual([8, 16, 20])
  expect(begun).toEqual(begun.toSorted())
})

test('what arrives alone is begun at once, and does not overtake what waits', async () => {
  const { begun, arrive } = recorded()
  arrive('shop1')
  expect(begun).toEqual(['shop1'])
  await turn()
  for (let number = 2; number < 11; number += 1) arrive(`shop${number}`)
  arrive('shop11')
  await turn()
  expect(begun.slice(-2)).toEqual(['shop10', 'shop11'])
})

test('senders take turns: one that sends much delays itself', async () => {
  const { begun, arrive } = recorded()
  for (let number = 10; number < 40; number += 1) arrive(`noisy${number}`)
  for (const name of ['quiet1', 'quiet2', 'other1']) arrive(name)
  await turn()
  expect(begun.slice(8, 13)).toEqual(['noisy18', 'quiet1', 'other1', 'noisy19', 'quiet2'])
  while (begun.length < 33) await turn()
  expect(begun.filter((name) => name.startsWith('noisy'))).toHaveLength(30)
})
