// The timers of photos: one processes a photo, one removes the files of a digest that no photo has any more, and one
// sweeps what was left behind in a project. Pure.

import type { Timer } from '../foundation/postgres/timer-leases.io.ts'

type PhotoTimer = Pick<Timer, 'kind' | 'project' | 'id'>

export const DAY_SECONDS = 24 * 3600
/** A database that is restored from that time finds its photos. */
export const REMOVAL_SECONDS = 7 * DAY_SECONDS
export const SWEEP_SECONDS = 7 * DAY_SECONDS

export const photoTimer = (project: bigint, pet: bigint, photo: string): PhotoTimer => ({
  kind: 'photo',
  project,
  id: `${pet}/${photo}`,
})
export const removalTimer = (project: bigint, digest: string): PhotoTimer => ({
  kind: 'photo_removal',
  project,
  id: digest,
})
export const sweepTimer = (project: bigint): PhotoTimer => ({ kind: 'photo_sweep', project, id: 'photos' })

/** The animal and the photo that a timer names. */
export function photoOfTimer(id: string): { pet: bigint; photo: string } {
  const [pet = '', photo = ''] = id.split('/')
  return { pet: BigInt(pet), photo }
}
