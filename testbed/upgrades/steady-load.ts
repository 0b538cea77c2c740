// Requests at a steady rate: two reads of animals for each one that adds an animal. Counts those that failed, by status or
// error. No request is repeated by this client.

import { Agent } from 'node:http'
import { exchange } from '../harness/http.ts'

export type LoadTally = {
  sent: number
  /** Status or error, and how often. */
  failed: Record<string, number>
  /** Milliseconds. */
  slowest: number
}

export type SteadyLoad = {
  tally: LoadTally
  /** Resolves when this many have been answered. */
  answered(count: number): Promise<void>
  stop(): Promise<LoadTally>
}

export const failuresOf = ({ failed }: Pick<LoadTally, 'failed'>): number =>
  Object.values(failed).reduce((sum, count) => sum + count, 0)

/**
 * A client that is behind sends fewer requests, instead of more and more at once. At a small rate there are fewer in flight
 * than admission control ever rejects: a slow machine delays them.
 */
const OPEN_MAX = { least: 12, most: 64 }
const TICK_MS = 5

/** `origins` are those to send to at this moment, in turn. */
export function startLoad(perSecond: number, key: string, origins: () => readonly string[]): SteadyLoad {
  const openMax = Math.min(OPEN_MAX.most, Math.max(OPEN_MAX.least, perSecond / 10))
  const agent = new Agent({ keepAlive: true, maxSockets: OPEN_MAX.most })
  const tally: LoadTally = { sent: 0, failed: {}, slowest: 0 }
  const open = new Set<Promise<void>>()
  const waiting: { count: number; resolve: () => void }[] = []
  let begun = 0
  let answers = 0

  const send = async (turn: number): Promise<void> => {
    const at = origins()
    const origin = at[turn % at.length]
    if (origin === undefined) return
    const isPost = turn % 3 === 0
    const headers = { Authorization: `Bearer ${key}`, ...(isPost && { 'Content-Type': 'application/json' }) }
    const startedAt = performance.now()
    tally.sent += 1
    const request = isPost
      ? { method: 'POST', path: '/v1/pets', body: '{"name":"Rex","categoryId":1}', headers }
      : { path: '/v1/pets?limit=5', headers }
    const outcome = await exchange(origin, request, agent).then(
      ({ status }) => (status < 300 ? undefined : String(status)),
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    )
    if (outcome !== undefined) tally.failed[outcome] = (tally.failed[outcome] ?? 0) + 1
    tally.slowest = Math.max(tally.slowest, Math.round(performance.now() - startedAt))
    answers += 1
    for (const { count, resolve } of waiting) if (answers >= count) resolve()
  }

  let last = performance.now()
  let due = 0
  const timer = setInterval(() => {
    const now = performance.now()
    due = Math.min(due + ((now - last) / 1000) * perSecond, openMax)
    last = now
    for (; due >= 1 && open.size < openMax; due -= 1) {
      begun += 1
      const sending = send(begun).finally(() => open.delete(sending))
      open.add(sending)
    }
  }, TICK_MS)

  return {
    tally,
    answered: (count) => new Promise((resolve) => (answers >= count ? resolve() : waiting.push({ count, resolve }))),
    async stop() {
      clearInterval(timer)
      await Promise.all(open)
      agent.destroy()
      return tally
    },
  }
}
