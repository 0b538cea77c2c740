// Checks the lock file for faults that would break `npm ci` on another machine, without a network:
//   - a platform package that the lock names as optional and does not contain;
//   - a download address, which would tie the lock to one registry;
//   - a version that is not pinned exactly;
//   - an install script that is not on the list in package.json.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export type Entry = {
  version?: string
  resolved?: string
  link?: boolean
  hasInstallScript?: boolean
  integrity?: string
  license?: string
  optional?: boolean
  os?: readonly string[]
  cpu?: readonly string[]
  libc?: readonly string[]
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}
export type Lock = { packages: Record<string, Entry> }
export type Manifest = {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  allowScripts?: Record<string, boolean>
}

export function lockFaults(lock: Lock, manifests: readonly Manifest[]): string[] {
  const allowed = manifests[0]?.allowScripts ?? {}
  const faults: string[] = []
  for (const [path, entry] of Object.entries(lock.packages)) {
    const name = path.split('node_modules/').at(-1) ?? path
    if (entry.resolved && !entry.link) faults.push(`${path} holds a download address`)
    if (entry.hasInstallScript && path !== '' && !(name in allowed)) {
      faults.push(`${path} has an install script and is not in allowScripts`)
    }
    for (const optional of Object.keys(entry.optionalDependencies ?? {})) {
      if (!holds(lock, path, optional)) faults.push(`${path} ${entry.version}: ${optional} is missing`)
    }
  }
  for (const { dependencies, devDependencies } of manifests) {
    for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies })) {
      if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range)) faults.push(`${name} is not pinned exactly: ${range}`)
    }
  }
  return faults
}

/** A package is found next to its dependent, or in any node_modules above. */
function holds({ packages }: Lock, path: string, name: string): boolean {
  const parts = path.split('node_modules/')
  const above = parts.map((_, index) =>
    parts
      .slice(0, index + 1)
      .join('node_modules/')
      .replace(/\/$/, ''),
  )
  return ['', ...above].some((at) => packages[`${at}${at && '/'}node_modules/${name}`])
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const read = (path: string): unknown => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))
  const manifests = ['package.json', 'contract/package.json', 'server/package.json'].map(
    (path) => read(path) as Manifest,
  )
  const faults = lockFaults(read('package-lock.json') as Lock, manifests)
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
