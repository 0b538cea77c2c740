// A current Caddy for tests, next to that of Debian 12: the package of Debian unstable, downloaded
// from the machine's own package source and unpacked into `.tools/caddy`, not installed. A second run
// finds it there and downloads nothing.
//
//   node testbed/harness/newer-caddy.ts      on Debian 12, as root

import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

const folder = join(import.meta.dirname, '../../.tools/caddy')
const program = join(folder, 'usr/bin/caddy')
const SUITE = 'sid'

/** Fails if it is not there: a test of two versions must not pass with one. */
export function newerCaddy(): string {
  if (existsSync(program)) return program
  throw new Error(
    'A current Caddy is not in .tools/caddy: run "node testbed/harness/newer-caddy.ts" (Debian, as root).',
  )
}

function unpack(): void {
  mkdirSync(dirname(folder), { recursive: true })
  const fresh = mkdtempSync(`${folder}-`)
  const work = mkdtempSync(join(fresh, 'downloads-'))
  const [sources, lists, cache] = ['sources', 'lists', 'cache'].map((name) => join(work, name)) as [
    string,
    string,
    string,
  ]
  for (const path of [sources, join(lists, 'partial'), join(cache, 'archives/partial')])
    mkdirSync(path, { recursive: true })
  const { name, text } = newerSource()
  writeFileSync(join(sources, name), text)
  const options = {
    'APT::Sandbox::User': 'root',
    'Dir::Etc::sourcelist': '/dev/null',
    'Dir::Etc::sourceparts': sources,
    'Dir::State::lists': lists,
    'Dir::Cache': cache,
  }
  const apt = (...args: string[]) =>
    execFileSync(
      'apt-get',
      ['-qq', ...Object.entries(options).flatMap(([key, value]) => ['-o', `${key}=${value}`]), ...args],
      {
        cwd: work,
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
  apt('update')
  apt('download', 'caddy')
  for (const file of readdirSync(work).filter((each) => each.endsWith('.deb'))) {
    execFileSync('dpkg-deb', ['-x', join(work, file), fresh])
  }
  rmSync(work, { recursive: true })
  rmSync(folder, { recursive: true, force: true })
  renameSync(fresh, folder)
}

/** The first source of this machine, with another suite. */
function newerSource(): { name: string; text: string } {
  const modern = '/etc/apt/sources.list.d/debian.sources'
  if (existsSync(modern)) {
    const [first = ''] = readFileSync(modern, 'utf8').split(/\n\s*\n/)
    return { name: 'newer.sources', text: `${first.replace(/^Suites:.*$/m, `Suites: ${SUITE}`)}\n` }
  }
  const line = /^deb (\[.*?\] )?(\S+) \S+ main/m.exec(readFileSync('/etc/apt/sources.list', 'utf8'))
  if (!line) throw new Error('There is no package source of Debian on this machine.')
  return { name: 'newer.list', text: `deb ${line[1] ?? ''}${line[2]} ${SUITE} main\n` }
}

if (import.meta.main && !existsSync(program)) unpack()
