// PostgreSQL's own programs: they are found before anything begins, run without a shell, and get the password by their
// environment, where no other user of the machine can read it.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { join } from 'node:path'

export type ClientProgram = 'pg_dump' | 'pg_restore'

/** Throws a sentence that names the package, unless the programs are there and new enough for the server. */
export function requirePrograms(
  folder: string | undefined,
  names: readonly ClientProgram[],
  versionNumber: number,
): void {
  const wanted = Math.floor(versionNumber / 10_000)
  for (const name of names) {
    const found = versionOf(folder, name)
    if (found !== undefined && found >= wanted) continue
    const missing = found === undefined ? 'was not found' : `has version ${found}, and PostgreSQL ${wanted}`
    throw new Error(
      `${name} ${missing}. Install the package postgresql-client${wanted > 0 ? `-${wanted}` : ''} of Debian, or set POSTGRESQL_PROGRAMS to the ` +
        'folder of the programs.',
    )
  }
}

function versionOf(folder: string | undefined, name: ClientProgram): number | undefined {
  try {
    const text = execFileSync(pathOf(folder, name), ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return Number(/\(PostgreSQL\) (\d+)/.exec(text)?.[1])
  } catch {
    return undefined
  }
}

const pathOf = (folder: string | undefined, name: ClientProgram) => (folder === undefined ? name : join(folder, name))

/** Arguments and environment with which a program of libpq connects. Parameters that only our driver knows are left out. */
export function connectionOf(url: string): { args: string[]; env: Record<string, string> } {
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ''
  for (const name of new Set(address.searchParams.keys())) {
    if (!/^(ssl|host$|port$|connect_timeout$)/.test(name)) address.searchParams.delete(name)
  }
  return { args: [`--dbname=${address.href}`, '--no-password'], env: password === '' ? {} : { PGPASSWORD: password } }
}

type Run = {
  folder: string | undefined
  name: ClientProgram
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  input?: Readable
  /** Receives each line that the program writes to stderr. */
  onLine?: (line: string) => void
}

/** What the program writes; rejects with the end of its stderr unless it ends with 0. */
export async function* outputOf({ folder, name, args, env = {}, input, onLine }: Run): AsyncGenerator<Buffer> {
  const stdio = [input ? 'pipe' : 'ignore', 'pipe', 'pipe'] as const
  const child = spawn(pathOf(folder, name), args, {
    env: { PATH: SEARCH_PATH, LC_ALL: 'C', ...env },
    stdio: [...stdio],
  })
  const closed = once(child, 'close') as Promise<[number | null]>
  closed.catch(() => {})
  const last: string[] = []
  if (child.stderr) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      onLine?.(line)
      last.push(line)
      last.splice(0, last.length - LINES_MAX)
    })
  }
  // A program that has read enough closes its end.
  const fed = input && child.stdin ? pipeline(input, child.stdin).catch(() => {}) : undefined
  try {
    for await (const chunk of child.stdout ?? []) yield chunk as Buffer
    await fed
    const [code] = await closed
    if (code !== 0) throw new Error(`${name} failed (${code ?? 'by a signal'}): ${last.join('\n')}`)
  } finally {
    child.kill()
  }
}

const LINES_MAX = 20
const SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin'

/** All of it, of a program that does not write much. */
export async function textOf(run: Run): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of outputOf(run)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** The table whose rows pg_dump or pg_restore has begun with, as they report it with --verbose. */
export const tableBegun = (line: string): string | undefined =>
  /(?:dumping contents of table|processing data for table) "public\.(\w+)"/.exec(line)?.[1]
