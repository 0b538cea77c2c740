// PostgreSQL's own programs: they run without a shell, and get the password by their environment, where no other user of
// the machine can read it.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

type ClientProgram = 'pg_dump' | 'pg_restore'

/** Before anything begins: throws a sentence that names the package, unless each is there and new enough for the server. */
export function requirePrograms(folder: string, names: readonly ClientProgram[], server = 0): void {
  for (const name of names) {
    const { stdout } = spawnSync(join(folder, name), ['--version'], { encoding: 'utf8' })
    const version = Number(/\(PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1] ?? 0)
    if (version > 0 && version >= server) continue
    const found = version === 0 ? `is not in ${folder}` : `has version ${version}, and PostgreSQL ${server}`
    const wanted = `postgresql-client${server > 0 ? `-${server}` : ''}`
    throw new Error(`${name} ${found}. Install the Debian package ${wanted}, or set POSTGRESQL_PROGRAMS to its folder.`)
  }
}

/** Parameters that only our driver knows are left out. */
function connectionOf(url: string): { args: string[]; env: Record<string, string> } {
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ''
  for (const name of new Set(address.searchParams.keys())) {
    if (!/^(ssl\w*|host|port|connect_timeout)$/.test(name)) address.searchParams.delete(name)
  }
  return { args: [`--dbname=${address.href}`, '--no-password'], env: password === '' ? {} : { PGPASSWORD: password } }
}

type ClientRun = {
  folder: string
  name: ClientProgram
  args: readonly string[]
  url?: string
  /** Receives the table whose rows it begins with, as it reports it with --verbose. */
  onTable?: ((table: string) => void) | undefined
}

/** What the program writes; fails with the end of its messages unless it ends with 0. */
export async function* outputOf({ folder, name, args, url, onTable }: ClientRun): AsyncGenerator<Buffer> {
  const connection = url === undefined ? { args: [], env: {} } : connectionOf(url)
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...connection.env }
  const child = spawn(join(folder, name), [...connection.args, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = once(child, 'close') as Promise<[number | null]>
  const last: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    const table = /(?:dumping contents of|processing data for) table "public\.(\w+)"/.exec(line)?.[1]
    if (table !== undefined) onTable?.(table)
    last.push(line)
    last.splice(0, last.length - 20)
  })
  try {
    for await (const chunk of child.stdout) yield chunk as Buffer
    const [code] = await closed
    if (code !== 0) throw new Error(`${name} failed (${code ?? 'by a signal'}): ${last.join('\n')}`)
  } finally {
    child.kill()
  }
}

/** For its effect. */
export async function runClient(run: ClientRun): Promise<void> {
  for await (const _ of outputOf(run));
}
