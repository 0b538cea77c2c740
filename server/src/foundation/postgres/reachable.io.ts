// After a restart of the machine, or while PostgreSQL is moved, a process may start before PostgreSQL answers. It waits, for
// as long as it takes; a wrong address or password it reports at once.

import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { isOutage, Unavailable } from './postgres.io.ts'

const CONNECT_MS = 5000
const PAUSE_MAX_MS = 5000

/** `report` receives each failed attempt. */
export async function untilReachable(
  { url, applicationName }: { url: string; applicationName: string },
  report: (error: Error) => void,
): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const client = new pg.Client({
      connectionString: url,
      application_name: applicationName,
      connectionTimeoutMillis: CONNECT_MS,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      return
    } catch (error) {
      const unavailable = new Unavailable(error)
      if (!isOutage(error)) throw unavailable
      report(unavailable)
    } finally {
      await client.end().catch(() => {})
    }
    await pause(Math.min(PAUSE_MAX_MS, 100 * 2 ** attempt))
  }
}
