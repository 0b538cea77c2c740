import { expect, test } from 'vitest'
import { hostQueues } from './host-queues.ts'

const until = new AbortController().signal

/** Ten pieces of work for each host, that end when they are let go; returns the most that were in progress at once. */
async function most(atOnce: number, hosts: readonly string[]): Promise<number[]> {
  const queue = hostQueues(atOnce)
  const running = new Map<string, number>()
  const peaks = new Map<string, number>()
  const work = async (host: string) => {
    const now = (running.get(host) ?? 0) + 1
    running.set(host, now)
    peaks.set(host, Math.max(peaks.get(host) ?? 0, now))
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
    running.set(host, (running.get(host) ?? 0) - 1)
    if (now === 1) throw new Error('some fail')
  }
  const all = Array.from({ length: 10 }, (_, number) =>
    hosts.map((host) => queue({ host, project: BigInt(number % 3), until }, () => work(host))),
  ).flat()
  await Promise.allSettled(all)
  return hosts.map((host) => peaks.get(host) ?? 0)
}

test('at most two at a time for each host, and hosts do not wait for each other', async () => {
  expect(await most(2, ['a', 'b', 'c'])).toEqual([2, 2, 2])
})

test('all at once without a limit (negative control)', async () => {
  expect(await most(Infinity, ['a'])).toEqual([10])
})

test('projects take turns at a host, and what waits too long is not done', async () => {
  const queue = hostQueues(1)
  const done: string[] = []
  const patience = new AbortController()
  const ask = (project: bigint, name: string, waits = until) =>
    queue({ host: 'a', project, until: waits }, () => Promise.resolve(done.push(name)))
  const first = Promise.withResolvers<void>()
  const all = [queue({ host: 'a', project: 1n, until }, () => first.promise)]
  for (const name of ['one', 'two', 'three']) all.push(ask(1n, name).then(() => undefined))
  const late = ask(2n, 'late', patience.signal)
  all.push(ask(2n, 'of another').then(() => undefined))
  patience.abort()
  expect(await late).toBeUndefined()
  expect(await ask(2n, 'later', patience.signal)).toBeUndefined()
  first.resolve()
  await Promise.all(all)
  expect(done).toEqual(['one', 'of another', 'two', 'three'])
})
