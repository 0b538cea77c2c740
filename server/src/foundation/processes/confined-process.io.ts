// What processes that read hostile files have in common: they may read their own modules and nothing else, have no
// environment, no network and no other process, and are watched. The permissions bind JavaScript; native code that has
// been taken over is bound by what the account of the worker may do.

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'

export type Confinement = {
  program: string
  /** Everything that the program imports, directly and indirectly. */
  readable: readonly string[]
  allowsAddons: boolean
  /** Options of Node beyond the permissions, such as a limit of its heap. */
  options?: readonly string[]
}

/** A third of what others get where all cores are busy: requests come first. */
const NICE = 5

export function startConfined(confinement: Confinement): ChildProcessWithoutNullStreams {
  const args = [...permissionsOf(confinement), ...(confinement.options ?? []), confinement.program]
  const child = spawn(process.execPath, args, { env: {}, stdio: 'pipe' })
  if (child.pid !== undefined) lowerPriority(child.pid)
  return child
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, NICE)
  } catch {
    // It has ended already, and its exit says why.
  }
}

export const permissionsOf = ({ readable, allowsAddons }: Pick<Confinement, 'readable' | 'allowsAddons'>): string[] => [
  '--permission',
  // Addons can do more than the permissions allow; that is known (decision 13), and no news for a log.
  ...(allowsAddons ? ['--allow-addons', '--disable-warning=PERM0001'] : []),
  ...readable.map((path) => `--allow-fs-read=${path}`),
]

/** A process that grows too large must be gone within 200 ms. */
export const WATCH_MS = 40

/** In bytes; 0 once it is gone, and where there is no /proc. */
export const residentOf = (pid: number | undefined): number => memoryOf(pid, 'VmRSS')

/** The most it ever had. */
export const peakOf = (pid: number | undefined): number => memoryOf(pid, 'VmHWM')

/** In milliseconds; 0 once it is gone, and where there is no /proc. */
export function processorTimeOf(pid: number | undefined): number {
  try {
    // Its name, in parentheses, is the second field and may contain anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return 0
  }
}

/** The unit of /proc on every Linux. */
const TICK_MS = 10

function memoryOf(pid: number | undefined, line: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    return Number(new RegExp(`${line}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
