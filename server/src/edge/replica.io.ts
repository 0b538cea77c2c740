// `startReplica` runs an edge's copy of the control plane's data: its identity, the host table that
// follows the control plane, certificates in memory and encrypted on disk, and the endpoint that provides them
// to the server in front. It starts from the disk alone, so a disconnected edge comes back after a
// restart with all its data; after the configured hours without its control plane it stops serving,
// because it cannot know what was removed in the meantime.

import type { Context } from '../foundation/context.ts'
import { HOUR } from '../foundation/time.ts'
import { openControl, type ControlClient } from './control-client.io.ts'
import { createCertificates, type Certificates } from './certificate-cache.io.ts'
import { listenForCertificates } from './certificate-routes.ts'
import { openDisk } from './host-table-disk.io.ts'
import { followFeed } from './host-table-feed.io.ts'
import { openCertificateFiles } from './certificate-files.io.ts'
import { openIdentity, type EdgeIdentity } from './identity.io.ts'
import { openPlatformBundle } from './platform-bundle.io.ts'
import type { EdgeConfig } from './settings.ts'
import { createHostTable, type HostTable } from './host-table.ts'

/** The edge's copy of the control plane's data. */
export type Replica = {
  table: Pick<HostTable, 'find' | 'seq' | 'size'>
  certificates: Pick<Certificates, 'find'>
  control: Pick<ControlClient, 'certificate' | 'challenge'>
  identity: EdgeIdentity
  /** True if it has been disconnected for so long that nothing may be served any longer. */
  isolated(): boolean
  /** True if the control plane has responded within the last moments. */
  connected(): boolean
  certificatePort: number
  stop(): Promise<void>
}

/** `platformHost` is the parent of all default addresses; may contain a port. */
export async function startReplica(
  config: EdgeConfig,
  platformHost: string,
  context: Pick<Context, 'now' | 'monotonic' | 'onError'>,
): Promise<Replica> {
  const { now, onError } = context
  const identity = await openIdentity(config)
  const table = createHostTable()
  const disk = await openDisk(context, config.directory, table)
  const files = await openCertificateFiles(config.directory, config.key)
  const control = openControl({ ...config, identity })
  const text = config.platformCertificate?.reveal()
  const { platformCertificateFile: path } = config
  const platform = text === undefined ? undefined : openPlatformBundle(context, { text, path, platformHost })
  const certificates = createCertificates(context, { table, control, files, platform })
  const isIsolated = () => now() - (disk.contactAt ?? Number.NEGATIVE_INFINITY) > config.isolationHours * HOUR
  const endpoint = await listenForCertificates(context, { certificates, isIsolated }, config.certificatePort).catch(
    async (error: unknown) => {
      platform?.stop()
      await disk.close()
      throw error
    },
  )
  const sweeping = certificates.sweep().catch(onError)
  const feed = followFeed(context, control, { table, disk, certificates })
  const stop = async () => {
    platform?.stop()
    await endpoint.stop()
    await feed.stop()
    control.close()
    await certificates.stop()
    await sweeping
    await disk.close()
  }
  let stopped: Promise<void> | undefined
  return {
    table,
    certificates,
    control,
    identity,
    isolated: isIsolated,
    connected: () => feed.isConnected,
    certificatePort: endpoint.port,
    stop: () => (stopped ??= stop()),
  }
}
