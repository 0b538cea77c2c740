// How long an animal has been in the store. Pure.

import type { Animal } from './rows.ts'

const DAY_MS = 86_400_000

type Here = Pick<Animal, 'createdAt' | 'status'> & { profile: Pick<Animal['profile'], 'inCareSince'> }

/**
 * Full days since it came as its profile says, otherwise since it was added; undefined for one that has left. A clock
 * that is slow counts as today.
 */
export function daysHere({ createdAt, status, profile: { inCareSince } }: Here, now: number): number | undefined {
  if (status === 'sold') return undefined
  const passed = inCareSince ? dayOf(new Date(now)) - Date.parse(inCareSince) : now - Date.parse(createdAt)
  return Math.max(0, Math.floor(passed / DAY_MS))
}

/** Of the person who looks: they know the day that is written as a day of their own. */
const dayOf = (time: Date) => Date.UTC(time.getFullYear(), time.getMonth(), time.getDate())
