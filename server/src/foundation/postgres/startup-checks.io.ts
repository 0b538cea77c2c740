// Startup checks reject an unsuitable database before a process starts: the database user must be
// the right one, and the schema must be one that this release runs on.

import { schemaTrouble } from './migrate.io.ts'
import { openDatabase, statement, type Database, type DatabaseOptions } from './postgres.io.ts'

/** `version`: of the release that runs. */
type FitOptions = DatabaseOptions & { version: string }

/** Opens the database for a process, or throws an error with the reason why the process may not start. */
export async function openFitDatabase({ version, ...options }: FitOptions): Promise<Database> {
  const database = openDatabase(options)
  try {
    await refuseUnfit(database, version)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

const ownRights = statement<{ isSuper: boolean; canBypass: boolean; ownsTables: boolean }, []>(
  'own-rights',
  `select rolsuper as "isSuper", rolbypassrls as "canBypass",
     exists (select from pg_class where relnamespace = 'public'::regnamespace and relowner = pg_roles.oid) as "ownsTables"
   from pg_roles
   where rolname = current_user`,
)

/**
 * Row-level security is the second layer of isolation around every project; a role that can bypass
 * it is rejected.
 */
async function refuseUnfit(database: Database, version: string): Promise<void> {
  const [rights] = await database.transaction({}, (db) => db(ownRights))
  if (!rights || rights.isSuper || rights.canBypass || rights.ownsTables) {
    throw new Error(
      'DATABASE_URL names a role that could step over row level security. Use petstore_app: not superuser, not owner of the tables, no BYPASSRLS.',
    )
  }
  const trouble = await schemaTrouble(database, version)
  if (trouble !== undefined) throw new Error(trouble)
}
