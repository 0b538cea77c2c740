// Startup checks reject an unsuitable database before a process starts: PostgreSQL must be new enough, the database
// user must be the right one, and the schema must be one that this release works with.

import { judgeFitness, type Fitness } from './judge-fitness.ts'
import { schemaTrouble } from './migrate.io.ts'
import { openDatabase, statement, type Database, type DatabaseOptions } from './postgres.io.ts'

/** `version`: of the release that runs. */
type FitOptions = DatabaseOptions & { version: string }

/** Opens the database for a process, or throws an error with the reason why the process may not start. */
export async function openFitDatabase({ version, ...options }: FitOptions): Promise<Database> {
  const database = openDatabase(options)
  try {
    const [finding] = judgeFitness(await observeFitness(database, version))
    if (finding) throw new Error(`${finding.sentence} ${finding.remedy}`)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

const ownRights = statement<{ isSuper: boolean; canBypass: boolean; ownsTables: boolean; versionNumber: number }, []>(
  'own-rights',
  `select rolsuper as "isSuper", rolbypassrls as "canBypass",
     exists (select from pg_class where relnamespace = 'public'::regnamespace and relowner = pg_roles.oid) as "ownsTables",
     current_setting('server_version_num')::integer as "versionNumber"
   from pg_roles
   where rolname = current_user`,
)

/** Row-level security is the second layer of isolation around every project; a role that can bypass it is unfit. */
export async function observeFitness(database: Database, version: string): Promise<Fitness> {
  const [row] = await database.transaction({}, (db) => db(ownRights))
  return { versionNumber: row?.versionNumber ?? 0, rights: row, schemaTrouble: await schemaTrouble(database, version) }
}
