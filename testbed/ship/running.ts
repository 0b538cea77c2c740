// Runs a form of a release: commands that end, and the service until it is stopped.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import type { Command } from './forms.ts'

/** What it printed; rejects if it failed. */
export async function ended({ program, args, env }: Command): Promise<string> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${errors}${output}`)
  return output
}

export type RunningForm = { stop(): Promise<number | null> }

/** Resolves when it serves. */
export async function serving({ program, args, env }: Command): Promise<RunningForm> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = once(child, 'close') as Promise<[number | null]>
  let text = ''
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: string) => {
      text += chunk
      if (text.includes('"msg":"serving"')) resolve()
    }
    child.stdout.setEncoding('utf8').on('data', read)
    child.stderr.setEncoding('utf8').on('data', read)
    void closed.then(([code]) => reject(new Error(`The service ended with ${code}: ${text}`)))
  })
  return {
    async stop() {
      // buildah passes no signal on to what it runs.
      for (const pid of [...descendantsOf(child.pid ?? 0), child.pid ?? 0].slice(0, 1)) process.kill(pid, 'SIGTERM')
      return (await closed)[0]
    },
  }
}

/** The innermost first. */
function descendantsOf(pid: number): number[] {
  const parents = globSync('/proc/[0-9]*/stat').flatMap((path) => {
    try {
      const [, id, parent] = /^(\d+) \(.*\) \S (\d+)/s.exec(readFileSync(path, 'utf8')) ?? []
      return [{ id: Number(id), parent: Number(parent) }]
    } catch {
      return []
    }
  })
  const below = (one: number): number[] =>
    parents.filter(({ parent }) => parent === one).flatMap(({ id }) => [...below(id), id])
  return below(pid)
}
