// Records the last backup in the database, where `doctor` finds it from every machine.

import { query } from '../../foundation/postgres/postgres.io.ts'

/** A restored database learns of the backup that it comes from in the same way. */
export const recordBackup = query<never, [takenAt: Date, bytes: number]>(
  'record-backup',
  `insert into last_backup (taken_at, bytes)
   values ($1, $2)
   on conflict (one) do update
   set taken_at = excluded.taken_at, bytes = excluded.bytes, recorded_at = now()`,
)
