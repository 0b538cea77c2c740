// A release as a process: started from its folder, awaited until it serves, and ended by a signal.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { childEnv } from '../harness/child-env.ts'

export type ProgramEnd = { code: number | null; output: string; errors: string }

export type RunningProgram = AsyncDisposable & {
  pid: number
  /** Rejects if the program ends before it serves. */
  port: Promise<number>
  /** The processes that have begun to serve so far. */
  starts: () => number
  end(signal: NodeJS.Signals): Promise<ProgramEnd>
  ended: Promise<ProgramEnd>
}

export function runRelease(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): RunningProgram {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...childEnv, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  const { promise: port, resolve, reject } = Promise.withResolvers<number>()
  port.catch(() => {})
  const served = () => output.split('\n').filter((line) => line.includes('"msg":"serving"'))
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
    const [first] = served()
    if (first?.endsWith('}')) resolve((JSON.parse(first) as { port: number }).port)
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk))
  const ended = once(child, 'close').then(([code]): ProgramEnd => {
    reject(new Error(`The program ended with ${String(code)}: ${errors}`))
    return { code: code as number | null, output, errors }
  })
  const end = (signal: NodeJS.Signals): Promise<ProgramEnd> => {
    child.kill(signal)
    return ended
  }
  return {
    pid: child.pid ?? 0,
    port,
    starts: () => served().length,
    end,
    ended,
    [Symbol.asyncDispose]: async () => void (await end('SIGKILL')),
  }
}
