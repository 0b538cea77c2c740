// `openObjects` opens the store of files that an installation has chosen. `checkStore` tries it once when a process
// starts, and reports what is wrong. A process starts all the same: the store may be back in a minute, and everything
// that does not need it works.

import type { Objects } from '../../foundation/objects.ts'
import type { InProject } from '../../projects/scope.io.ts'
import { databaseObjects } from './database-objects.io.ts'
import { checkS3, s3Objects } from './s3-objects.io.ts'
import type { MediaConfig } from '../settings.ts'

export const openObjects = ({ s3 }: Pick<MediaConfig, 's3'>, inProject: InProject): Objects =>
  s3 ? s3Objects(s3) : databaseObjects(inProject)

/** PostgreSQL has been checked by then. */
export async function checkStore({ s3 }: Pick<MediaConfig, 's3'>, report: (error: Error) => void): Promise<void> {
  if (s3) await checkS3(s3).catch(report)
}
