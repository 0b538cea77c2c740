// Ceph for tests: an S3-compatible store that is strict about signatures and conditional writes. Its Debian packages are
// downloaded and unpacked into `.tools/ceph`, not installed: nothing of it runs unless a test starts it. A second run
// finds them there and downloads nothing.
//
//   node testbed/harness/ceph-packages.ts      on Debian 12, as root

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { unpackPackages, type Apt } from './debian-packages.ts'

const folder = join(import.meta.dirname, '../../.tools/ceph')
const programs = ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-base', 'ceph-common']
/** Libraries that the machine does not have; other packages that Debian wants to install with them are not needed. */
const isNeeded = (name: string) => programs.includes(name) || name.startsWith('lib')

export type Ceph = {
  programs: string
  /** The folder of what Ceph loads at run time. */
  libraries: string
  libraryPath: string
}

/** Fails if they are not there: a test that needs a store must not pass without one. */
export function unpackedCeph(): Ceph {
  if (!existsSync(folder)) {
    throw new Error('Ceph is not in .tools/ceph: run "node testbed/harness/ceph-packages.ts" (Debian 12, as root).')
  }
  const lib = join(folder, 'usr/lib')
  const triplet = readdirSync(lib).find((name) => name.endsWith('-linux-gnu')) ?? ''
  const libraries = join(lib, triplet)
  const libraryPath = [libraries, join(libraries, 'ceph'), join(folder, 'lib', triplet)].join(':')
  return { programs: join(folder, 'usr/bin'), libraries, libraryPath }
}

function needed(apt: Apt): Set<string> {
  const plan = apt('install', '--simulate', '--no-install-recommends', ...programs)
  const missing = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name)
  return new Set([...programs, ...missing.filter(isNeeded)])
}

if (import.meta.main && !existsSync(folder)) unpackPackages(folder, needed)
