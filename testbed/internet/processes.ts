// The daemons of a test internet: started without privileges, terminated exactly, and terminated
// by the kernel too when their parent process dies. Started by root they run as the user
// `nobody`, in a temporary folder that belongs to that user. Nothing else on the machine is
// touched.

import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { SEARCH_PATH } from '../../devserver/programs.ts'

export type Daemon = {
  pid: number
  /** Its output so far, for the error message when it does not start. */
  said(): string
  /** Discards the output so far. */
  hush(): void
  isGone(): boolean
  stop(): Promise<void>
}

const nobody = 65534
const isRoot = process.getuid?.() === 0
const asNobody = isRoot ? ['--reuid', `${nobody}`, '--regid', `${nobody}`, '--clear-groups'] : []
const environment = { PATH: SEARCH_PATH, LC_ALL: 'C' }
const prefix = 'petstore-world-'
/** A folder that the unprivileged user can reach, with a name short enough for sockets in it. */
const temporary = isRoot || tmpdir().length > 40 ? '/tmp' : tmpdir()

/** A folder for this process; those of processes that no longer run are removed. */
export function makeDirectory(): string {
  for (const name of readdirSync(temporary)) {
    const owner = /^petstore-world-(\d+)-/.exec(name)?.[1]
    if (owner !== undefined && !isRunning(Number(owner)))
      rmSync(join(temporary, name), { recursive: true, force: true })
  }
  const directory = mkdtempSync(join(temporary, `${prefix}${process.pid}-`))
  giveAway(directory)
  return directory
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  giveAway(path)
}

/** Readable only by the user of the daemons: most of these files contain keys. */
export function putFile(path: string, text: string): void {
  makeFolder(dirname(path))
  writeFileSync(path, text, { mode: 0o600 })
  giveAway(path)
}

function giveAway(path: string): void {
  if (isRoot) chownSync(path, nobody, nobody)
}

export function startDaemon(command: string, args: readonly string[]): Daemon {
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...asNobody, command, ...args], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
  })
  let words = ''
  const collect = (part: Buffer): void => {
    words = (words + part.toString()).slice(-4_000)
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  child.on('error', (error) => collect(Buffer.from(error.message)))
  return {
    pid: child.pid ?? 0,
    said: () => words,
    hush: () => {
      words = ''
    },
    isGone: () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null,
    stop: () => stop(child),
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  // Nothing in these folders has to survive, so there is nothing to finish.
  child.kill('SIGKILL')
  await gone
}

/** A command that runs to completion, as the same user as the daemons. */
export async function run(command: string, args: readonly string[], input = ''): Promise<string> {
  const running = promisify(execFile)('setpriv', [...asNobody, '--', command, ...args], { env: environment, cwd: '/' })
  running.child.stdin?.on('error', () => undefined)
  running.child.stdin?.end(input)
  const { stdout, stderr } = await running
  return stdout + stderr
}

/** Polls every 20 ms until the condition is met. The error states in a sentence what did not happen. */
export async function until(what: string, isSo: () => Promise<boolean>, withinMs = 10_000): Promise<void> {
  const end = performance.now() + withinMs
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`${what} did not happen within ${withinMs / 1000} seconds.`)
    await pause(20)
  }
}
