// The program as an operator runs it: a process of its own, configured by its environment.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { childEnv } from './child-env.ts'

const program = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))

type Ended = { code: number | null; signal: NodeJS.Signals | null; output: string; errors: string }

export type Program = {
  /** Resolves when the program serves; rejects if it exits before that. */
  port: Promise<number>
  lines: string[]
  pid: number
  end(signal: NodeJS.Signals): void
  ended: Promise<Ended>
}

/** Killed at the end of the test, if it still runs. */
export function runProgram(args: readonly string[], env: Record<string, string>): Program {
  const run = spawnProgram(args, env)
  onTestFinished(() => run.end('SIGKILL'))
  return run
}

/** For callers that end it themselves. */
export function spawnProgram(args: readonly string[], env: Record<string, string>): Program {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...childEnv, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  const lines: string[] = []
  const { promise: port, resolve, reject } = Promise.withResolvers<number>()
  port.catch(() => {})
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
    lines.splice(0, lines.length, ...output.split('\n').slice(0, -1))
    const serving = lines.find((line) => line.includes('"msg":"serving"'))
    if (serving !== undefined) resolve((JSON.parse(serving) as { port: number }).port)
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk))
  const ended = once(child, 'close').then(([code, signal]): Ended => {
    reject(new Error(`The program ended: ${errors}`))
    return { code: code as number | null, signal: signal as NodeJS.Signals | null, output, errors }
  })
  return { port, lines, pid: child.pid ?? 0, end: (signal) => void child.kill(signal), ended }
}
