// The lock of a release: of the repository's lock only what the server needs in production, directly and indirectly,
// as if the server were the root. It pins every package that is installed, and is shipped as npm-shrinkwrap.json. Pure.

import type { Entry, Lock } from '../lock.ts'

export type Platform = { os: string; cpu: string; libc: string }

/** Paths in the repository's lock, with whether the installation is complete without them. */
export type Closure = ReadonlyMap<string, { isOptional: boolean }>

/** What the packages of `names` need, looked up as Node does, from the folder `from`; on a platform, or on any. */
export function closureOf({ packages }: Lock, from: string, names: readonly string[], platform?: Platform): Closure {
  const found = new Map<string, { isOptional: boolean }>()
  const visit = (at: string, name: string, isOptional: boolean) => {
    const path = lookedUp(packages, at, name)
    const entry = path === undefined ? undefined : packages[path]
    if (path === undefined || entry === undefined) {
      if (isOptional) return
      throw new Error(`The lock has no ${name}, which ${at} needs.`)
    }
    // The contract is compiled into the release.
    if (entry.link || (platform && !isInstalledOn(entry, platform))) return
    const known = found.get(path)
    if (known && (!known.isOptional || isOptional)) return
    found.set(path, { isOptional })
    for (const next of Object.keys(entry.dependencies ?? {})) visit(path, next, isOptional)
    for (const next of Object.keys(entry.optionalDependencies ?? {})) visit(path, next, true)
  }
  for (const name of names) visit(from, name, false)
  return found
}

function lookedUp(packages: Lock['packages'], at: string, name: string): string | undefined {
  for (let folder: string | undefined = at; folder !== undefined; folder = parentOf(folder)) {
    const path = `${folder}${folder && '/'}node_modules/${name}`
    if (packages[path]) return path
  }
  return undefined
}

function parentOf(folder: string): string | undefined {
  if (folder === '') return undefined
  const inside = folder.lastIndexOf('/node_modules/')
  return inside === -1 ? '' : folder.slice(0, inside)
}

export function productionLock(lock: Lock, server: string, root: Entry & { name: string; version: string }) {
  const closure = closureOf(lock, server, Object.keys(root.dependencies ?? {}))
  const packages: Record<string, Entry> = { '': root }
  for (const [path, { isOptional }] of [...closure].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const at = path.startsWith(`${server}/`) ? path.slice(server.length + 1) : path
    if (packages[at]) throw new Error(`Two versions of ${at} would have the same place.`)
    packages[at] = installedEntry(lock.packages[path] ?? {}, isOptional)
  }
  return { name: root.name, version: root.version, lockfileVersion: 3, requires: true, packages }
}

/** Whether only tests needed it in the repository does not matter here. */
function installedEntry(entry: Entry & { dev?: boolean; devOptional?: boolean; peer?: boolean }, isOptional: boolean) {
  const { dev: _, devOptional: __, peer: ___, optional: ____, ...rest } = entry
  return isOptional ? { ...rest, optional: true } : rest
}

/** What npm installs on a platform. Entries of both signs occur: `linux`, `!win32`. */
export function isInstalledOn(entry: Entry, platform: Platform): boolean {
  return (['os', 'cpu', 'libc'] as const).every((field) => {
    const list = entry[field]
    if (list === undefined || list.length === 0) return true
    const refused = list.filter((item) => item.startsWith('!')).map((item) => item.slice(1))
    const accepted = list.filter((item) => !item.startsWith('!'))
    return !refused.includes(platform[field]) && (accepted.length === 0 || accepted.includes(platform[field]))
  })
}
