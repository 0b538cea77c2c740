import { describe, expect, test } from 'vitest'
import { openPrefetch } from './prefetch.ts'

/** Fetches that end when the test ends them. */
function opened() {
  const begun: string[] = []
  const ends = new Map<string, (isHad: boolean) => void>()
  let at = 0
  const errors: Error[] = []
  const context = { monotonic: () => at, onError: (error: Error) => void errors.push(error) }
  const prefetch = openPrefetch(context, (hostname) => {
    begun.push(hostname)
    return new Promise((resolve) => ends.set(hostname, resolve))
  })
  return {
    prefetch,
    begun,
    pass: (ms: number) => void (at += ms),
    end: async (hostname: string, isHad: boolean) => {
      ends.get(hostname)?.(isHad)
      await Promise.resolve()
      await Promise.resolve()
    },
  }
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}.test`)

describe('a prefetch', () => {
  test('runs eight fetches at a time, each name once', async () => {
    const { prefetch, begun, end } = opened()
    for (const name of [...names(20), ...names(20)]) prefetch.want(name)
    expect(begun.slice(0, 8)).toEqual(names(8))
    await end('n3.test', true)
    expect(begun).toHaveLength(9)
  })

  test('is retried when the control plane responds, at growing intervals', async () => {
    const { prefetch, begun, end, pass } = opened()
    prefetch.want('a.test')
    await end('a.test', false)
    const tries = () => begun.length
    prefetch.retry()
    expect(tries()).toBe(2)
    await end('a.test', false)
    pass(1999)
    prefetch.retry()
    expect(tries()).toBe(2)
    pass(1)
    prefetch.retry()
    expect(tries()).toBe(3)
    await end('a.test', false)
    pass(3999)
    prefetch.retry()
    expect(tries()).toBe(3)
    pass(1)
    prefetch.retry()
    expect(tries()).toBe(4)
    await end('a.test', true)
    pass(1_000_000)
    prefetch.retry()
    expect(tries()).toBe(4)
  })

  test('is not brought forward by handshakes that lack it, but by a change of its route', async () => {
    const { prefetch, begun, end } = opened()
    prefetch.want('a.test')
    await end('a.test', false)
    prefetch.remind('a.test')
    expect(begun).toHaveLength(1)
    prefetch.want('a.test')
    expect(begun).toHaveLength(2)
  })

  test('stops after the fetches in progress', async () => {
    const { prefetch, begun, end } = opened()
    for (const name of names(20)) prefetch.want(name)
    const stopped = prefetch.stop()
    for (const name of names(8)) await end(name, true)
    await stopped
    expect(begun).toHaveLength(8)
  })
})
