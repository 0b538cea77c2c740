// One snapshot of the whole database, as a role that sees every row: the rows of each table in it, and its name, with which
// pg_dump dumps exactly these rows. A role that would see only some of them is refused: its dump would be empty where
// row-level security hides them, and nothing would fail.

import pg from 'pg'

export type Snapshot = Readonly<{
  /** For `pg_dump --snapshot`, while the work lasts. */
  id: string
  takenAt: Date
  /** As in `server_version_num`. */
  versionNumber: number
  /** By table, of all that a dump contains: not of unlogged ones. */
  rows: Readonly<Record<string, number>>
  /** Names, in order. */
  migrations: readonly string[]
  /** The role is subject to row-level security, and policies show it every row: pg_dump needs --enable-row-security. */
  seesByPolicy: boolean
}>

export async function withSnapshot<T>(
  { url, applicationName }: { url: string; applicationName: string },
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: applicationName })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin transaction isolation level repeatable read, read only')
    return await work(await describe(client))
  } finally {
    await client.end()
  }
}

const tables = `
  select relname as name, row_security_active(oid) as "isFiltered",
    row_security_active(oid) and (
      not exists (
        select from pg_policy where polrelid = pg_class.oid and polpermissive and polcmd in ('r', '*')
          and (select oid from pg_roles where rolname = current_user) = any (polroles)
          and pg_get_expr(polqual, polrelid) = 'true')
      or exists (select from pg_policy where polrelid = pg_class.oid and not polpermissive and polcmd in ('r', '*'))
    ) as "isHidden"
  from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p'
  order by relname`

async function describe(client: pg.Client): Promise<Snapshot> {
  const { rows: found } = await client.query<{ name: string; isFiltered: boolean; isHidden: boolean }>(tables)
  const hidden = found.filter(({ isHidden }) => isHidden).map(({ name }) => name)
  if (hidden.length > 0) {
    throw new Error(
      `This role of PostgreSQL does not see every row of ${hidden.join(', ')}: a dump would lack them. Use petstore_backup, ` +
        'and run petstore migrate.',
    )
  }
  const rows: Record<string, number> = {}
  for (const { name } of found) {
    const { rows: counted } = await client.query<{ count: string }>(
      `select count(*) from public.${pg.escapeIdentifier(name)}`,
    )
    rows[name] = Number(counted[0]?.count)
  }
  const { rows: described } = await client.query<Pick<Snapshot, 'id' | 'takenAt' | 'versionNumber' | 'migrations'>>(
    `select pg_export_snapshot() as id, now() as "takenAt",
       current_setting('server_version_num')::integer as "versionNumber",
       array(select name from schema_migrations order by name) as migrations`,
  )
  if (!described[0]) throw new Error('PostgreSQL exported no snapshot.')
  return { ...described[0], rows, seesByPolicy: found.some(({ isFiltered }) => isFiltered) }
}
