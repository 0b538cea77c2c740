// A current Caddy for tests, next to that of Debian 12: the package of Debian unstable, downloaded
// from the machine's own package source and unpacked into `.tools/caddy`, not installed. A second run
// finds it there and downloads nothing.
//
//   node testbed/harness/newer-caddy.ts      on Debian 12, as root

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { unpackPackages } from './debian-packages.ts'

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

if (import.meta.main && !existsSync(program)) unpackPackages(folder, () => ['caddy'], SUITE)
