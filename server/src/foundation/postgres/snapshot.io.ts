// One snapshot of the whole database, as a role that sees every row: the rows of each table in it, and its name, with which
// pg_dump dumps exactly these rows. A role that would see only some of them is refused: its dump would lack those that
// row-level security hides, and nothing would fail.

import pg from 'pg'

export type Snapshot = Readonly<{
  /** For `pg_dump --snapshot`, while the work lasts. */
  id: string
  takenAt: string
  /** The major version. */
  server: number
  /** By table, of all that a dump contains. */
  rows: Readonly<Record<string, number>>
  migrations: string[]
  /** The role is subject to row-level security, and policies show it every row: pg_dump needs --enable-row-security. */
  seesByPolicy: boolean
}>

export async function withSnapshot<T>(
  url: string,
  applicationName: string,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: applicationName })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin transaction isolation level repeatable read, read only')
    const { rows } = await client.query<{ found: Omit<Snapshot, 'id'> & { hidden: string[] }; id: string }>(
      'select describe_for_backup() as found, pg_export_snapshot() as id',
    )
    const { hidden, ...described } = rows[0]!.found
    if (hidden.length > 0) {
      const which = `does not see every row of ${hidden.join(', ')}, which a dump would lack`
      throw new Error(`This role of PostgreSQL ${which}. Use petstore_backup, and run petstore migrate.`)
    }
    return await work({ ...described, id: rows[0]!.id })
  } finally {
    await client.end()
  }
}
