// A connection as an administrator of PostgreSQL, for `setup` alone: through the local socket, where PostgreSQL trusts
// the operating system's user `postgres`, or to any address.

import pg from 'pg'
import { stateQuery, type DatabaseState } from './database-sql.ts'

export type DatabaseAdmin = {
  state(): Promise<DatabaseState>
  run(sql: string): Promise<unknown>
  close(): Promise<void>
}

const SOCKET = '/var/run/postgresql'
const ADMIN = 'postgres'

/** Without an address: the local socket. */
export async function openAdmin(url: string | undefined): Promise<DatabaseAdmin> {
  const client = url === undefined ? await openSocket() : await opened(new pg.Client({ connectionString: url }))
  return {
    async state() {
      const { rows } = await client.query<{ state: DatabaseState }>(stateQuery)
      const [row] = rows
      if (!row) throw new Error('PostgreSQL did not describe its state.')
      return row.state
    },
    run: (sql) => client.query(sql),
    close: () => client.end(),
  }
}

/** PostgreSQL asks the kernel who opened the socket, so root becomes that user while it connects. */
async function openSocket(): Promise<pg.Client> {
  const isRoot = process.getuid?.() === 0
  try {
    if (isRoot) process.seteuid?.(ADMIN)
    return await opened(new pg.Client({ host: SOCKET, user: ADMIN, database: ADMIN }))
  } catch (cause) {
    throw new Error(
      'PostgreSQL cannot be reached through its local socket. Start it, or use --database-admin or --print-sql',
      { cause },
    )
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}

async function opened(client: pg.Client): Promise<pg.Client> {
  client.on('error', () => {})
  await client.connect()
  return client
}
