// Shared by the measurements of the sweeper: domains to check, a table in which workers record
// their checks, and workers in processes of their own.

import { join } from 'node:path'
import pg from 'pg'
import { createProject } from '../../../server/src/projects/projects.io.ts'
import { openDatabase } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { startReportingWorker, type ReportingWorker } from '../../harness/reporting-worker.ts'

export type SweeperUrls = { ownerUrl: string; appUrl: string }

/** One project with this many domains, all of them due now; added long ago enough to be checked every few seconds. */
export async function seedDomains({ ownerUrl, appUrl }: SweeperUrls, domains: number): Promise<void> {
  const database = openDatabase({ url: appUrl, poolMax: 2, onError: () => {} })
  const project = await createProject(database, { slug: 'swept', name: 'Swept' })
  await database.close()
  await withClient(appUrl, async (client) => {
    await client.query(`select set_config('petstore.projects', $1, false)`, [`{${project}}`])
    await client.query(`update projects set plan = 'enterprise' where project_id = $1`, [project])
    await client.query(
      `insert into domains (project_id, id, hostname, token, token_generation, asked_at, next_look_at)
       select $1, 'dom_' || lpad(to_hex(number), 24, '0'), 'shop-' || number || '.example.com',
         'petstore-verify=' || lpad(number::text, 28, '0'), 0, now(), now()
       from generate_series(1, $2::integer) as number`,
      [project, domains],
    )
    await client.query(
      `insert into due_directory (kind, project_id, id, due_at)
       select 'domain', $1, 'dom_' || lpad(to_hex(number), 24, '0'), now()
       from generate_series(1, $2::integer) as number`,
      [project, domains],
    )
  })
  await withClient(ownerUrl, async (client) => {
    await client.query(`create table sweeper_looks (
      id text not null, fence bigint not null, worker integer not null, began_at timestamptz not null,
      leased_until timestamptz, ended_at timestamptz)`)
    await client.query('grant select, insert, update on sweeper_looks to petstore_app')
  })
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export type Orders = {
  url: string
  records: readonly string[]
  isHanging: boolean
  isBroken: boolean
  leaseSeconds: number
}

export type SweeperReport = { kind: 'ready' | 'looking' | 'looked' | 'failed'; id?: string; why?: string }

export const startWorker = (orders: Orders): Promise<ReportingWorker<SweeperReport, object>> =>
  startReportingWorker(join(import.meta.dirname, 'worker.ts'), orders)
