import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inTurns, workInTurns } from './fair-queue.ts'

/** What was begun, and the function that begins it; the name says who sends. */
function recorded() {
  const begun: string[] = []
  const begin = inTurns((name: string) => void begun.push(name), { now: () => 0 })
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

/** Work in simulated time: a piece of a sender takes what its shape says, and nothing else takes any. */
function processor(costs: Readonly<Record<string, number>>) {
  let now = 0
  const done: string[] = []
  const work = workInTurns(() => now)
  const send = (sender: string) =>
    work(sender, () => {
      now += costs[sender] ?? 0
      done.push(sender)
    })
  return { done, send, spent: (sender: string) => done.filter((one) => one === sender).length * (costs[sender] ?? 0) }
}

test('a page of another site is rendered before the second expensive one, however many of these wait', async () => {
  const { done, send } = processor({ expensive: 34, other: 2 })
  for (let page = 0; page < 9; page += 1) void send('expensive')
  await send('other')
  expect(done).toEqual(['expensive', 'other'])
})

test('while they wait for each other, sites get the same time, not the same number of pages', async () => {
  const { done, send, spent } = processor({ expensive: 34, cheap: 2, other: 5 })
  for (let page = 0; page < 400; page += 1) for (const sender of ['expensive', 'cheap', 'other']) void send(sender)
  while (done.length < 250) await turn()
  for (const sender of ['cheap', 'other']) expect(Math.abs(spent(sender) - spent('expensive'))).toBeLessThanOrEqual(34)
})

test('a site that was away has neither saved up time nor lost any', async () => {
  const { done, send } = processor({ steady: 10, back: 10 })
  await send('back')
  for (let page = 0; page < 20; page += 1) await send('steady')
  for (let page = 0; page < 3; page += 1) for (const sender of ['steady', 'back']) void send(sender)
  while (done.length < 27) await turn()
  expect(done.slice(21)).toEqual(['back', 'steady', 'back', 'steady', 'back', 'steady'])
})

test('among thousands of senders, one that sends much is still behind all others', async () => {
  const { done, send } = processor({ noisy: 5 })
  for (let page = 0; page < 10; page += 1) void send('noisy')
  for (let sender = 0; sender < 3000; sender += 1) void send(`site ${sender}`)
  while (done.length < 3010) await turn()
  expect([done.indexOf('noisy'), done.lastIndexOf('noisy')]).toEqual([0, 3009])
  expect(done.indexOf('noisy', 1)).toBeGreaterThan(3000)
})

test('what cannot be rendered fails alone', async () => {
  const work = workInTurns(() => 0)
  const failing = work('one', () => {
    throw new Error('broken')
  })
  const next = work('one', () => 'fine')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('fine')
})
