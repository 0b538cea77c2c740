// How long an animal has been in the store. Pure.

import type { Animal } from './rows.ts'

const DAY_MS = 86_400_000

/** Full days; undefined for one that has left. A clock that is slow counts as today. */
export const daysHere = ({ createdAt, status }: Pick<Animal, 'createdAt' | 'status'>, now: number) =>
  status === 'sold' ? undefined : Math.max(0, Math.floor((now - Date.parse(createdAt)) / DAY_MS))
