// An S3-compatible store for tests: Ceph's gateway (radosgw) in front of one monitor and one object store daemon that
// keeps everything in memory, on loopback. The gateway alone can be stopped, killed and started again; what it has
// acknowledged must survive that. All of it is terminated by `stop`, and by the kernel when the test process dies.

import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../../devserver/free-port.ts'
import { Secret } from '../../server/src/foundation/secret.ts'
import { signedHeaders } from '../../server/src/photos/store/s3-client.io.ts'
import type { S3Config } from '../../server/src/photos/settings.ts'
import { unpackedCeph } from './ceph-packages.ts'

/** The store as the program is configured for it: read, and as settings. */
export type GatewaySettings = { config: S3Config; env: Record<string, string> }

export type ObjectGateway = GatewaySettings & {
  /** With a prefix of its own in the bucket: for another database, whose projects have the same numbers. */
  under(prefix: string): GatewaySettings
  /** SIGSTOP: connections are accepted, and nothing is answered. */
  freeze(): void
  /** SIGKILL, to the gateway alone. */
  kill(): Promise<void>
  /** Resolves when it answers. */
  restart(): Promise<void>
  stop(): Promise<void>
}

const REGION = 'us-east-1'
const BUCKET = 'photos'
const ACCESS_KEY = 'PETSTORETESTS'
const SECRET_KEY = 'correct/horse+battery=staple'
/** It takes about six seconds; a busy machine may be ten times slower. */
const PATIENCE_MS = 170_000

export async function startObjectGateway(): Promise<ObjectGateway> {
  const ceph = unpackedCeph()
  const directory = mkdtempSync(join(temporary(), 'petstore-ceph-'))
  const env = {
    PATH: `${ceph.programs}:${process.env['PATH']}`,
    LD_LIBRARY_PATH: ceph.libraryPath,
    CEPH_CONF: join(directory, 'ceph.conf'),
    LC_ALL: 'C',
  }
  const running: ChildProcess[] = []
  const start = (program: string, ...args: string[]): ChildProcess => {
    const log = openSync(join(directory, `${program}.out`), 'a')
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', join(ceph.programs, program), ...args, '-f'], {
      env,
      cwd: directory,
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    running.push(child)
    return child
  }
  const run = async (program: string, ...args: string[]): Promise<void> => {
    const command = ['--pdeathsig', 'KILL', join(ceph.programs, program), ...args]
    await promisify(execFile)('setpriv', command, { env, cwd: directory, timeout: PATIENCE_MS })
  }
  const stop = async () => {
    for (const child of running) await end(child)
    rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }

  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  const startGateway = async () => {
    const gateway = start('radosgw', '-n', 'client.rgw')
    await until(gateway, join(directory, 'radosgw.out'), async () => (await fetch(endpoint)).status > 0)
    return gateway
  }
  try {
    await createCluster({ directory, ceph, gatewayPort: port, run })
    start('ceph-mon', '-i', 'a', '--mon-data', join(directory, 'mon'))
    start('ceph-osd', '-i', '0', '--osd-data', join(directory, 'osd'))
    let gateway = await startGateway()
    const keys = ['--access-key', ACCESS_KEY, '--secret-key', SECRET_KEY]
    await run(
      'radosgw-admin',
      '-n',
      'client.rgw',
      'user',
      'create',
      '--uid',
      'tests',
      '--display-name',
      'Tests',
      ...keys,
    )
    const under = (prefix: string) => settingsOf(endpoint, prefix)
    const settings = under('tests')
    await createBucket(settings.config)
    return {
      ...settings,
      under,
      freeze: () => void gateway.kill('SIGSTOP'),
      kill: () => end(gateway),
      async restart() {
        gateway = await startGateway()
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const settingsOf = (endpoint: string, prefix: string): GatewaySettings => ({
  config: {
    endpoint,
    region: REGION,
    bucket: BUCKET,
    prefix: `${prefix}/`,
    accessKeyId: ACCESS_KEY,
    secretAccessKey: new Secret(SECRET_KEY),
  },
  env: {
    MEDIA_STORE: 's3',
    S3_ENDPOINT: endpoint,
    S3_BUCKET: BUCKET,
    S3_PREFIX: prefix,
    S3_ACCESS_KEY_ID: ACCESS_KEY,
    S3_SECRET_ACCESS_KEY: SECRET_KEY,
  },
})

type Cluster = {
  directory: string
  ceph: { libraries: string }
  gatewayPort: number
  run: (program: string, ...args: string[]) => Promise<void>
}

/** The files of a cluster whose only object store daemon is known from the beginning. */
async function createCluster({ directory, ceph, gatewayPort, run }: Cluster): Promise<void> {
  const id = crypto.randomUUID()
  const monitor = `[v2:127.0.0.1:${await freePort()}]`
  const inDirectory = (name: string) => join(directory, name)
  for (const name of ['mon', 'osd']) mkdirSync(inDirectory(name))
  writeFileSync(
    inDirectory('ceph.conf'),
    configuration({ directory, id, monitor, libraries: ceph.libraries, gatewayPort }),
  )
  const all = (...kinds: string[]) => kinds.flatMap((kind) => ['--cap', kind, 'allow *'])
  const keyring = inDirectory('keyring')
  const withKey = (name: string, ...rights: string[]) =>
    run('ceph-authtool', keyring, '--gen-key', '-n', name, ...rights)
  await run('ceph-authtool', '-C', keyring, '--gen-key', '-n', 'mon.', ...all('mon'))
  await withKey('osd.0', '--cap', 'mon', 'allow profile osd', ...all('osd'))
  await withKey('client.rgw', '--cap', 'mon', 'allow rw', '--cap', 'osd', 'allow rwx')
  await run('monmaptool', '--create', '--fsid', id, '--addv', 'a', monitor, inDirectory('monmap'))
  await run('osdmaptool', '--createsimple', '1', inDirectory('osdmap'), '--clobber')
  const maps = ['--monmap', inDirectory('monmap'), '--osdmap', inDirectory('osdmap')]
  await run('ceph-mon', '--mkfs', '-i', 'a', ...maps, '--keyring', keyring, '--mon-data', inDirectory('mon'))
  // The monitor, which would be asked for settings, does not run yet.
  const alone = ['--no-mon-config', '--osd-data', inDirectory('osd'), '--osd-uuid', crypto.randomUUID()]
  await run('ceph-osd', '-i', '0', '--mkfs', ...alone)
}

type Configuration = { directory: string; id: string; monitor: string; libraries: string; gatewayPort: number }

/** Small, quick to decide, and without work in the background. */
const configuration = ({ directory, id, monitor, libraries, gatewayPort }: Configuration) => `[global]
fsid = ${id}
mon_host = ${monitor}
public_addr = 127.0.0.1
auth_cluster_required = cephx
auth_service_required = cephx
auth_client_required = cephx
auth_allow_insecure_global_id_reclaim = false
keyring = ${directory}/keyring
run_dir = ${directory}
admin_socket =
log_to_stderr = true
log_to_file = false
mon_cluster_log_to_file = false
paxos_propose_interval = 0.05
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pgp_num = 1
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
osd_objectstore = memstore
memstore_device_bytes = 2147483648
plugin_dir = ${libraries}/ceph
erasure_code_dir = ${libraries}/ceph/erasure-code
osd_class_dir = ${libraries}/rados-classes
[client.rgw]
rgw_frontends = beast endpoint=127.0.0.1:${gatewayPort}
rgw_data = ${directory}
rgw_thread_pool_size = 16
rgw_enable_gc_threads = false
rgw_enable_lc_threads = false
rgw_run_sync_thread = false
rgw_dynamic_resharding = false
`

async function createBucket(config: S3Config): Promise<void> {
  const url = `${config.endpoint}/${config.bucket}`
  const headers = await signedHeaders(config, { method: 'PUT', url }, Date.now())
  const { status } = await fetch(url, { method: 'PUT', headers })
  if (status !== 200) throw new Error(`The gateway did not create a bucket: ${status}`)
}

/** Polls until the condition is met; an error counts as not yet. */
async function until(daemon: ChildProcess, log: string, isReady: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (!(await isReady().catch(() => false))) {
    const isGone = daemon.exitCode !== null || daemon.signalCode !== null
    if (isGone || performance.now() > deadline) {
      throw new Error(`The gateway does not answer. The end of its log:\n${readFileSync(log, 'utf8').slice(-3000)}`)
    }
    await pause(50)
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** In memory if possible: the monitor waits for the disk at every decision. */
function temporary(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize > 256 * 1024 ** 2 ? '/dev/shm' : tmpdir()
  } catch {
    return tmpdir()
  }
}
