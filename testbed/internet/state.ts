// Where the zone editor and the owner of the store find the world that somebody started
// in another terminal. The file says where the key for changes lies and holds the
// session of the owner, so only who started it may read it, and nothing that another
// user put there is believed.

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
  /** Of a store in this world: what its owner sends with every request. Undefined if only DNS runs. */
  owner?: { platform: string; headers: Readonly<Record<string, string>>; slug: string }
}

const userId = (): number => process.getuid?.() ?? 0

export const stateFile = (): string => join(tmpdir(), `petstore-world.${userId()}.json`)

export function writeState(state: WorldState): void {
  const file = stateFile()
  rmSync(file, { force: true })
  // Fails if somebody was quicker, in place of writing where a link leads to.
  writeFileSync(file, JSON.stringify(state), { mode: 0o600, flag: 'wx' })
}

export function removeState(): void {
  rmSync(stateFile(), { force: true })
}

/** Null if no world runs. */
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
