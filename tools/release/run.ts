// Runs a program and returns what it printed; if it fails, the error contains all of that.

import { spawnSync } from 'node:child_process'

export function run(command: string, args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    ...options,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (error) throw error
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} failed (${status}):\n${stdout}${stderr}`)
  return { output: stdout, errors: stderr }
}
