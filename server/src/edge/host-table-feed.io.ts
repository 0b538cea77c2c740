// Follows the host table of the control plane, by number: asks for what comes after the
// newest change that the table has, takes it in, writes it down, and asks again, which
// tells the control plane that this edge has it. One question at a time; the control
// plane keeps it open until there is something to say, at most for a second. Whatever
// goes wrong, the edge keeps what it knows and asks again soon.

import { setTimeout as sleep } from 'node:timers/promises'
import { CONNECTED_MS, WAIT_MAX_MS, type Changes, type Route } from '../fleet/protocol.ts'
import type { ControlClient } from './control-client.io.ts'
import type { Disk } from './host-table-disk.io.ts'
import type { Table } from './host-table.ts'

export type FeedDeps = {
  control: Pick<ControlClient, 'changes'>
  table: Table
  disk: Pick<Disk, 'keep' | 'reset' | 'contacted'>
  monotonic: () => number
  random: () => number
  /** The table has just taken this in. */
  onApplied: (route: Route) => void
  onReset: () => void
  /** After every answer, when the table has what it said. */
  onContact: () => void
  onError: (error: Error) => void
}

export type Feed = {
  /** Whether the control plane has answered within the last moments. */
  readonly isConnected: boolean
  stop(): Promise<void>
}

/** An answer without news that comes sooner than this would be asked for without end. */
const EMPTY_ANSWER_MS = 50

export function followFeed(deps: FeedDeps): Feed {
  const { control, table, monotonic } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  let answeredAt = Number.NEGATIVE_INFINITY
  let failures = 0
  let isReached = false
  /** The last number there was when this table was begun. */
  let begun = 0
  /** What the answer before this one called the last number, if it had no news. */
  let headBefore = 0

  const round = async () => {
    const [askedAt, after] = [monotonic(), table.seq]
    // The first answer is wanted at once: it says that the control plane is there.
    const waitMs = isReached ? WAIT_MAX_MS : 0
    const changes = await control.changes({ after, begun: begun > after ? begun : 0, waitMs }, signal)
    answeredAt = monotonic()
    isReached = true
    if (after === 0 || changes.isReset) begun = changes.head
    const isNews = changes.routes.length > 0 || changes.isReset
    // What was the last number before this question, and has not come with the answer, is of names long gone.
    const mark = isNews ? 0 : Math.min(headBefore, changes.head)
    headBefore = isNews ? 0 : changes.head
    await takeIn(deps, changes, mark)
    if (!isNews) await pauseOf(EMPTY_ANSWER_MS - (monotonic() - askedAt), signal)
  }
  const loop = async () => {
    while (!signal.aborted) {
      try {
        await round()
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        // Once for each outage: it may last for days.
        if (failures === 0) deps.onError(error as Error)
        failures += 1
        isReached = false
        await pauseOf(backOff(failures, deps.random()), signal)
      }
    }
  }
  const looping = loop()
  return {
    get isConnected() {
      return monotonic() - answeredAt <= CONNECTED_MS
    },
    async stop() {
      stopping.abort()
      await looping
    },
  }
}

async function takeIn(deps: FeedDeps, { isReset, routes }: Changes, mark: number): Promise<void> {
  const { table, disk } = deps
  if (isReset) {
    table.reset()
    deps.onReset()
  }
  for (const route of routes) if (table.apply(route)) deps.onApplied(route)
  const isMarked = mark > table.seq
  if (isMarked) table.advance(mark)
  // What is gone is out of the table by now; the rest is for the next start.
  if (isReset) await disk.reset()
  await disk.keep(isMarked ? [{ seq: mark }] : routes)
  await disk.contacted()
  deps.onContact()
}

/** 200 ms, 400 ms … to 2 s, and up to half of it less, so that many edges do not come at once. */
export const backOff = (failures: number, random: number): number =>
  Math.min(2000, 200 * 2 ** Math.min(failures - 1, 4)) * (1 - random / 2)

const pauseOf = (ms: number, signal: AbortSignal): Promise<unknown> | undefined =>
  ms > 0 ? sleep(ms, undefined, { signal }).catch(() => undefined) : undefined
