// The release that runs: version and commit, from the package.json next to this folder. A release is built with the
// commit in it (npm's field `gitHead`); a checkout has none.

import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string
  gitHead?: string
}

export const release = Object.freeze({ version: manifest.version, commit: manifest.gitHead })

/** PostgreSQL cuts longer names. */
const APPLICATION_NAME_MAX = 63

/** The name under which PostgreSQL lists the connections of a process. */
export const applicationNameOf = (role: 'serve' | 'work' | 'edge' | 'start' | 'migrate' | 'command'): string =>
  `petstore/${release.version} ${role} ${hostname()}`.slice(0, APPLICATION_NAME_MAX)
