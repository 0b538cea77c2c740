// The units of this machine that run, and whether the release that answers for one is this one.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { userOf } from '../setup/observe-machine.io.ts'
import { systemctl } from '../setup/perform.io.ts'

/** Of the units. */
const COMPILED = '/var/cache/petstore'

/** Compiles the modules for the first start, while the release before still serves; connections wait less. */
export function compileAhead(module: string): void {
  const user = userOf('petstore')
  if (user === undefined || !existsSync(COMPILED)) return
  const env = { NODE_COMPILE_CACHE: COMPILED }
  spawnSync(process.execPath, ['-e', `import(${JSON.stringify(module)})`], { ...user, env, stdio: 'ignore' })
}

const propertyOf = (unit: string, name: string) => systemctl('show', '--value', `--property=${name}`, unit).trim()

/** A unit that systemd starts again and again counts as running. */
export const isRunning = (unit: string): boolean =>
  /^(active|activating|reloading)$/.test(propertyOf(unit, 'ActiveState'))

/** The version that the admin listener at this address reports, and whether the role is ready; undefined without an answer. */
async function answerOf(address: string): Promise<{ version: string; isReady: boolean } | undefined> {
  try {
    const { version } = (await (await fetch(`${address}/version`, { signal: AbortSignal.timeout(2000) })).json()) as {
      version: string
    }
    return { version, isReady: (await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(2000) })).ok }
  } catch {
    return undefined
  }
}

const PATIENCE_MS = 90_000
const INTERVAL_MS = 250

/** Unless it runs this version already. Connections wait in petstore-listen.socket; throws if it does not become ready. */
export async function restartInto(version: string, unit: string, address: string): Promise<void> {
  if ((await answerOf(address))?.version === version) return
  systemctl('restart', unit)
  const restarts = Number(propertyOf(unit, 'NRestarts'))
  for (let waited = 0; waited < PATIENCE_MS; waited += INTERVAL_MS) {
    const answer = await answerOf(address)
    if (answer?.version === version && answer.isReady) return
    // It has ended on its own, and systemd has started it again.
    if (Number(propertyOf(unit, 'NRestarts')) > restarts) break
    await pause(INTERVAL_MS)
  }
  throw new Error(`${unit} of ${version} is not ready. See: journalctl -u ${unit} -n 50`)
}
