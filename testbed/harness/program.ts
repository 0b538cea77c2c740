// The program as an operator runs it: a process of its own, configured by its environment and nothing else.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { childEnv } from './child-env.ts'

export type ProgramEnd = { code: number | null; signal: NodeJS.Signals | null; output: string; errors: string }

export type Program = AsyncDisposable & {
  /** Resolves when the program is ready, with its port if it has one; rejects if it ends before that. */
  port: Promise<number>
  /** Of its output, without the one that is not complete. */
  lines: readonly string[]
  pid: number
  end: (signal: NodeJS.Signals) => void
  ended: Promise<ProgramEnd>
}

const main = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))

type Spawning = {
  /** Another one than that of this tree. */
  program?: string
  /** What it logs when it is ready. */
  ready?: 'serving' | 'working'
}

/** For callers that end it themselves. */
export function spawnProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { program = main, ready = 'serving' }: Spawning = {},
): Program {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...childEnv, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  let [rest, errors] = ['', '']
  const { promise: port, resolve, reject } = Promise.withResolvers<number>()
  port.catch(() => {})
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const whole = `${rest}${chunk}`.split('\n')
    rest = whole.pop() ?? ''
    lines.push(...whole)
    const line = whole.find((one) => one.includes(`"msg":"${ready}"`))
    if (line !== undefined) resolve((JSON.parse(line) as { port?: number }).port ?? 0)
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk))
  const ended = once(child, 'close').then(([code, signal]): ProgramEnd => {
    reject(new Error(`The program ended: ${errors}`))
    const output = [...lines, rest].join('\n')
    return { code: code as number | null, signal: signal as NodeJS.Signals | null, output, errors }
  })
  const end = (signal: NodeJS.Signals): void => void child.kill(signal)
  return {
    port,
    lines,
    pid: child.pid ?? 0,
    end,
    ended,
    async [Symbol.asyncDispose]() {
      end('SIGKILL')
      await ended
    },
  }
}
