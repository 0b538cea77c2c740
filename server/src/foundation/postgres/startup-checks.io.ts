// Whether a role of the program may begin at all on the database it was given:
// as the right user, and on the schema that it was written for.

import { schemaTrouble } from './migrate.io.ts'
import { openDatabase, statement, type Database, type DatabaseOptions } from './postgres.io.ts'

/** Opened for a role of the program, or a sentence that says why it may not begin. */
export async function openFitDatabase(options: DatabaseOptions): Promise<Database> {
  const database = openDatabase(options)
  try {
    await refuseUnfit(database)
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

/** Row level security is the second wall around every project; a role that can step over it is refused. */
async function refuseUnfit(database: Database): Promise<void> {
  const [rights] = await database.transaction({}, (db) => db(ownRights))
  if (!rights || rights.isSuper || rights.canBypass || rights.ownsTables) {
    throw new Error(
      'DATABASE_URL names a role that could step over row level security. Use petstore_app: not superuser, not owner of the tables, no BYPASSRLS.',
    )
  }
  const trouble = await schemaTrouble(database)
  if (trouble !== undefined) throw new Error(`${trouble} Run the command "migrate" first.`)
}
