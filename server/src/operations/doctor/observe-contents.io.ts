// Observes what the installation stores and sends, as far as an operator has to know.

import { listExpiring } from '../../certificates/stored-queries.ts'
import type { Observed } from '../../foundation/finding.ts'
import { databaseBytes } from '../../foundation/postgres/database-capacity.io.ts'
import { query, type Db } from '../../foundation/postgres/postgres.io.ts'
import { listRelayFailures } from '../../mail/outbox-queries.ts'
import { photoBytes } from '../../photos/photo-capacity.io.ts'
import type { ContentsFacts } from './judge-contents.ts'

export type ContentsSubject = Readonly<{
  databaseBytesMax: number | undefined
  mediaBytesMax: number | undefined
  sendsMail: boolean
  backup: Readonly<{ tombstones: string | undefined }>
}>

/** The age of the newest backup, or of the installation while there is none. */
const recovery = query<ContentsFacts['recovery'], [writesTombstones: boolean], ContentsFacts['recovery']>(
  'observe-recovery',
  `select extract(epoch from now() - coalesce((select taken_at from last_backup), min(applied_at)))::float8 / 3600 as "ageHours",
     (select coalesce(extract(epoch from now() - min(at)), 0)::float8 from tombstone_directory where $1) as "lagSeconds"
   from schema_migrations`,
  ([row]) => row ?? { ageHours: 0, lagSeconds: 0 },
)

export async function observeContents(run: Db, subject: ContentsSubject): Promise<Observed<ContentsFacts>> {
  try {
    const uploads = 'imports, uploads and sign-ups'
    return {
      value: {
        expiring: await listExpiring(run),
        rooms: [
          {
            setting: 'DATABASE_BYTES_MAX',
            bytes: await databaseBytes(run),
            bytesMax: subject.databaseBytesMax,
            refused: uploads,
          },
          {
            setting: 'MEDIA_BYTES_MAX',
            bytes: await photoBytes(run),
            bytesMax: subject.mediaBytesMax,
            refused: 'photos',
          },
        ],
        recovery: await recovery(run, subject.backup.tombstones !== undefined),
        relay: subject.sendsMail ? await listRelayFailures(run) : [],
      },
    }
  } catch (error) {
    return { unknown: (error as Error).message }
  }
}
