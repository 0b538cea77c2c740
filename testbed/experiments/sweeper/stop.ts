// A worker is stopped in the middle of a check, for longer than its lease, while another one
// checks the same domain. Then it continues, with what it observed before: nothing of that may
// be written.

import { seedDomains, startWorker, withClient, type SweeperUrls } from './environment.ts'

export type Stopped = { hasWritten: boolean; said: string }

const LEASE_SECONDS = 1

export async function measureStop(urls: SweeperUrls, { isBroken }: { isBroken: boolean }): Promise<Stopped> {
  await seedDomains(urls, 1)
  const orders = { url: urls.appUrl, isBroken, leaseSeconds: LEASE_SECONDS }
  const slow = await startWorker({ ...orders, records: ['HOST A 203.0.113.66'], isHanging: true })
  await slow.hears(({ kind }) => kind === 'looking')
  slow.signal('SIGSTOP')
  const quick = await startWorker({ ...orders, records: ['HOST CNAME swept.petstore.example'], isHanging: false })
  await quick.hears(({ kind }) => kind === 'looked')
  await quick.stop()
  const before = await stateOf(urls)
  slow.signal('SIGCONT')
  slow.tell({ kind: 'go on' })
  await slow.hears(({ kind }) => kind === 'looked')
  const after = await stateOf(urls)
  await slow.stop()
  return { hasWritten: before !== after, said: before.includes('"proven"') ? 'it was verified meanwhile' : before }
}

/** Everything stored of the domain, except its timer. */
const stateOf = ({ appUrl }: SweeperUrls): Promise<string> =>
  withClient(appUrl, async (client) => {
    await client.query(
      `select set_config('petstore.projects', (select array_agg(project_id) from slug_directory)::text, false)`,
    )
    const { rows } = await client.query<{ state: string }>(
      `select (select json_agg(d)::text from domains d) || (select coalesce(json_agg(e), '[]')::text from domain_events e)
         || (select coalesce(json_agg(h), '[]')::text from holder_directory h)
         || (select coalesce(json_agg(l), '[]')::text from domain_looks l) as state`,
    )
    return rows[0]?.state ?? ''
  })
