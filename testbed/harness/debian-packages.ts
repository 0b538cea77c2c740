// Debian packages for tests: downloaded from the machine's own package source and unpacked into a folder, not installed.
// Needs root on Debian.

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

/** Runs apt-get and returns what it printed. */
export type Apt = (...args: string[]) => string

/** The folder is there with all of them, or not at all. Of the suite that the machine has, unless another is named. */
export function unpackPackages(folder: string, namesOf: (apt: Apt) => Iterable<string>, suite?: string): void {
  mkdirSync(dirname(folder), { recursive: true })
  const fresh = mkdtempSync(`${folder}-`)
  const work = mkdtempSync(join(fresh, 'downloads-'))
  const settings = { 'APT::Sandbox::User': 'root', ...(suite !== undefined && settingsOf(suite, work)) }
  const options = Object.entries(settings).flatMap(([key, value]) => ['-o', `${key}=${value}`])
  const apt: Apt = (...args) =>
    execFileSync('apt-get', ['-qq', ...options, ...args], {
      cwd: work,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  apt('update')
  apt('download', ...namesOf(apt))
  for (const file of readdirSync(work).filter((name) => name.endsWith('.deb'))) {
    execFileSync('dpkg-deb', ['-x', join(work, file), fresh])
  }
  rmSync(work, { recursive: true })
  rmSync(folder, { recursive: true, force: true })
  renameSync(fresh, folder)
}

/** The lists of another suite are kept apart from those of the machine. */
function settingsOf(suite: string, work: string): Readonly<Record<string, string>> {
  const inWork = (path: string) => {
    mkdirSync(join(work, path), { recursive: true })
    return join(work, path)
  }
  const sources = inWork('sources')
  const { name, text } = sourceOf(suite)
  writeFileSync(join(sources, name), text)
  return {
    'Dir::Etc::sourcelist': '/dev/null',
    'Dir::Etc::sourceparts': sources,
    'Dir::State::lists': dirname(inWork('lists/partial')),
    'Dir::Cache': dirname(dirname(inWork('cache/archives/partial'))),
  }
}

/** The first package source of this machine, with another suite: so no host is named here. */
export function sourceOf(suite: string): { name: string; text: string } {
  const modern = '/etc/apt/sources.list.d/debian.sources'
  if (existsSync(modern)) {
    const [first = ''] = readFileSync(modern, 'utf8').split(/\n\s*\n/)
    return { name: `${suite}.sources`, text: `${first.replace(/^Suites:.*$/m, `Suites: ${suite}`)}\n` }
  }
  const line = /^deb (\[.*?\] )?(\S+) \S+ main/m.exec(readFileSync('/etc/apt/sources.list', 'utf8'))
  if (!line) throw new Error('There is no package source of Debian on this machine.')
  return { name: `${suite}.list`, text: `deb ${line[1] ?? ''}${line[2]} ${suite} main\n` }
}
