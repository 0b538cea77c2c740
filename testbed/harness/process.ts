// The program in a test, which it does not outlive.

import { onTestFinished } from 'vitest'
import { spawnProgram, type Program } from './program.ts'

/** Killed at the end of the test, if it still runs. */
export function runProgram(args: readonly string[], env: Record<string, string>): Program {
  const run = spawnProgram(args, env)
  onTestFinished(() => run.end('SIGKILL'))
  return run
}
