// When files are removed that no photo has any more. They stay for a week, so that a database that is restored from that
// time finds its photos; but no more of them in a week than the project may store, or a loop of uploads and deletions
// would fill the disk. The files beyond that are removed at once.

import { hash } from 'node:crypto'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { addRates } from '../foundation/load/rate-directory.io.ts'
import { setTimer } from '../foundation/postgres/timer-leases.io.ts'
import type { ProjectContext } from '../projects/project-context.ts'
import { findProject } from '../projects/project-queries.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { REMOVAL_SECONDS, removalTimer } from './photo-timers.ts'

/** What a photo had, in all its sizes. */
type UnusedFiles = { digest: string; bytes: number }

/** In the transaction in which the photos lose them, and which has locked the photos of the project. */
export async function removeFilesLater(
  { plans, now }: Pick<ProjectContext, 'plans' | 'now'>,
  db: Db,
  project: ProjectId,
  unused: readonly UnusedFiles[],
): Promise<void> {
  const plan = (await findProject(db, project))?.plan ?? 'free'
  const [most, photos] = [plans.most(plan, 'photoBytes'), plans.most(plan, 'photos')]
  // Each counts as the average at least: of many small ones, no more wait than the project may have photos.
  const least = most / Math.max(1, photos)
  const count = unused.reduce((sum, { bytes }) => sum + Math.ceil(Math.max(bytes, least) / KILOBYTE), 0)
  const key = hash('sha256', `${KIND} ${project}`, 'buffer')
  const endsAt = now() + REMOVAL_SECONDS * 1000
  const [sum] = await addRates(db, [{ kind: KIND, key, count, endsAt }], now())
  const seconds = (sum?.count ?? 0) * KILOBYTE > most ? 0 : REMOVAL_SECONDS
  for (const { digest } of unused) await setTimer(db, removalTimer(project, digest), seconds)
}

const KIND = 'photo_removal'
/** The directory counts up to two thousand million. */
const KILOBYTE = 1000
