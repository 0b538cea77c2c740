// State file by which the zone editor and the owner's commands find the test internet that runs
// in another terminal. It contains the path of the key for changes and the session of the owner,
// so only the user who started it may read it, and a file of another user is rejected.

import { lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRunning } from './processes.ts'
import type { KnotRole } from './roles.ts'

export type WorldState = {
  pid: number
  port: number
  updateKeyFile: string
  forgetsAfterEdits: readonly string[]
  zones: readonly { zone: string; roles: readonly KnotRole[] }[]
  /** Of a store in this test internet: what its owner sends with every request. Undefined if only DNS runs. */
  owner?: { platform: string; headers: Readonly<Record<string, string>>; slug: string }
}

const userId = (): number => process.getuid?.() ?? 0

export const stateFile = (): string => join(tmpdir(), `petstore-world.${userId()}.json`)

export function writeState(state: WorldState): void {
  const file = stateFile()
  rmSync(file, { force: true })
  // Fails if another process was quicker, instead of writing through a link.
  writeFileSync(file, JSON.stringify(state), { mode: 0o600, flag: 'wx' })
}

export function removeState(): void {
  rmSync(stateFile(), { force: true })
}

/** Null if no test internet runs. */
export function readState(): WorldState | null {
  try {
    const about = lstatSync(stateFile())
    if (!about.isFile() || about.uid !== userId() || (about.mode & 0o077) !== 0) return null
    const state = JSON.parse(readFileSync(stateFile(), 'utf8')) as WorldState
    return isRunning(state.pid) ? state : null
  } catch {
    return null
  }
}
