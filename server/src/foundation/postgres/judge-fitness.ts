// Judges whether a process may use a database: PostgreSQL is new enough, its role cannot bypass row-level security, and
// the schema is one that this release works with. Every role checks this at its start, and `doctor` at any time. Pure.

import { error, type Finding } from '../finding.ts'
import type { SchemaTrouble } from './migration-plan.ts'

export type Fitness = Readonly<{
  /** As in `server_version_num`: 170004 for 17.4. */
  versionNumber: number
  /** Undefined if PostgreSQL does not list the role. */
  rights: Readonly<{ isSuper: boolean; canBypass: boolean; ownsTables: boolean }> | undefined
  /** Undefined if this release works with the schema. */
  schemaTrouble: SchemaTrouble | undefined
}>

const OLDEST_VERSION = 17

export function judgeVersion(versionNumber: number): readonly Finding[] {
  const version = Math.floor(versionNumber / 10_000)
  if (version >= OLDEST_VERSION) return []
  return [error(2, `This is PostgreSQL ${version}.`, `Use PostgreSQL ${OLDEST_VERSION} or newer.`)]
}

export function judgeFitness({ versionNumber, rights, schemaTrouble }: Fitness): readonly Finding[] {
  const isUnfit = !rights || rights.isSuper || rights.canBypass || rights.ownsTables
  return [
    ...judgeVersion(versionNumber),
    ...(isUnfit
      ? [
          error(
            3,
            'DATABASE_URL names a role that could step over row level security.',
            'Use petstore_app: not superuser, not owner of the tables, no BYPASSRLS.',
          ),
        ]
      : []),
    ...(schemaTrouble === undefined ? [] : [error(4, schemaTrouble.sentence, schemaTrouble.remedy)]),
  ]
}
