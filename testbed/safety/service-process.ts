// One process of the service, for processes.ts: reports its ports and the lines of its log, and ends with its parent.

import { startAdminListener } from '../../server/src/foundation/http/admin-listener.io.ts'
import { parseConfig } from '../../server/src/program/config.ts'
import { startEdge } from '../../server/src/program/edge.ts'
import type { Database } from '../../server/src/foundation/postgres/postgres.io.ts'
import type { Overrides } from '../../server/src/program/overrides.ts'
import { startWork } from '../../server/src/program/work.ts'
import { fetchPublic } from '../../server/src/foundation/http/fetch-public.io.ts'
import { startMetrics } from '../../server/src/operations/metrics/metrics.io.ts'
import { startPhotoHost } from '../harness/photo-host.ts'
import { startHere, type ForkedRole } from './processes.ts'
import type { Seam } from './seams.ts'
import { SILENT_HOSTS } from './silent-hosts.ts'

type Wanted = { env: Record<string, string>; seam?: Seam; role: ForkedRole }
const { env, seam, role } = JSON.parse(process.argv[2] ?? '{}') as Wanted
/** Lines after the parent has ended are lost. */
const write = (line: string) => void process.send?.({ line }, undefined, undefined, () => {})
const service = await startHere(env, seam, write)
const others = role === 'start' ? await startOthers(service.database) : undefined
const metrics = startMetrics({ version: '1.0.0', commit: '', role }, false)
const admin = await startAdminListener({
  host: '127.0.0.1',
  port: 0,
  isReady: async () => true,
  version: '{}',
  metrics: () => metrics.render(),
})

/** With the same connections to the database. Visitors come through a proxy, which reports their address. */
async function startOthers(database: Database) {
  const config = parseConfig({ ...env, TRUSTED_PROXIES: '127.0.0.1' })
  const photos = await startPhotoHost(SILENT_HOSTS, () => {})
  const fetchPhoto: Overrides['fetchPhoto'] = (address, limits) => fetchPublic(photos.deps, address, limits)
  const work = await startWork(config, { database, fetchPhoto, onError: ({ message }) => write(message) })
  const sites = await startEdge(config, { database, logger: { level: 'warn', stream: { write } } })
  return {
    sitePort: sites.port,
    async stop() {
      await sites.stop()
      photos.close()
      await work.stop()
    },
  }
}

// As a loop without an end would.
process.on('message', ({ blockMs }: { blockMs: number }) => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blockMs)
})
const stop = async () => {
  await others?.stop()
  await service.stop()
}
process.on('disconnect', () => void stop().then(() => process.exit()))
process.send?.({
  port: service.port,
  adminPort: admin.port,
  sitePort: others?.sitePort ?? 0,
  controlPort: service.controlPort ?? 0,
})
