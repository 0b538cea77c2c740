// Where the zone editor finds the world that somebody started in another terminal. The
// file says where the key for changes lies, so only its owner may read it, and nothing
// that another user put there is believed.

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
