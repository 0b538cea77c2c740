// Observes what `setup` finds on this machine: its files, its users, its addresses, and the state of PostgreSQL.

import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { mayContact } from '../../foundation/dns/addresses.ts'
import type { SetupFacts, SetupPaths } from './plan.ts'

export type UserIds = Readonly<{ uid: number; gid: number }>

export function observeMachine(paths: SetupPaths, further: readonly string[]): SetupFacts {
  const folders = [paths.folder, paths.secrets, paths.data, ...dropInsIn(paths.units), ...further]
  const files = [
    ...filesIn(paths.folder),
    ...filesIn(paths.secrets),
    ...filesIn(paths.units),
    ...dropInsIn(paths.units).flatMap(filesIn),
  ]
  return {
    hasUser: userOf('petstore') !== undefined,
    files: new Map(files.map((path) => [path, readFileSync(path, 'utf8')])),
    folders: new Set(folders.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory())),
    links: new Map([paths.link, paths.current].filter(isLink).map((path) => [path, readlinkSync(path)])),
    hasSystemd: existsSync(paths.units),
  }
}

/** Of Caddy's unit and ours. */
const dropInsIn = (units: string): readonly string[] =>
  existsSync(units)
    ? readdirSync(units)
        .filter((name) => /^(?:caddy|petstore.*)\.service\.d$/.test(name))
        .map((name) => join(units, name))
    : []

const isLink = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .map((name) => join(folder, name))
        .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
    : []

/** Undefined if there is no such user. */
export function userOf(name: string): UserIds | undefined {
  try {
    const idOf = (option: string) => Number(execFileSync('id', [option, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
    return { uid: idOf('-u'), gid: idOf('-g') }
  } catch {
    return undefined
  }
}

/** Addresses of this machine that visitors can reach; none behind a translating router. */
export const publicAddresses = (): readonly string[] =>
  Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .map(({ address }) => address)
    .filter((address) => mayContact(address))

/** The units at such paths that come with this release, by file name. */
export const unitsOf = (folder: string, names: RegExp): Readonly<Record<string, string>> =>
  Object.fromEntries(
    filesIn(folder)
      .filter((path) => names.test(path))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  )
