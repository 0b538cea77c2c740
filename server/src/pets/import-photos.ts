// The timer that fetches the photos of an import, and the keys of its photos: those that begin with the identifier of an
// import belong to it. Pure.

import type { Timer } from '../foundation/postgres/timers.io.ts'

export const photoFetchTimer = (project: bigint, id: string): Pick<Timer, 'kind' | 'project' | 'id'> => ({
  kind: 'import_photos',
  project,
  id,
})

export const photoKey = (id: string, row: number, number: number): string => `${id}/${row}/${number}`
