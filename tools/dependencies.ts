// Counts the packages that the server brings into production, itself excluded; with
// `--at-most N` fails above that number. `--json` prints one object.

import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { say } from './steps.ts'

const { values } = parseArgs({ options: { 'at-most': { type: 'string' }, json: { type: 'boolean', default: false } } })

type Tree = { version?: string; dependencies?: Record<string, Tree> }

// npm ends with an error when it finds anything to remark; what it prints is complete all the same.
const tree = JSON.parse(
  execFileSync('npm', ['ls', '--workspace', 'server', '--omit=dev', '--all', '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
) as Tree

const packages = new Set<string>()
const collect = ({ dependencies = {} }: Tree) => {
  for (const [name, child] of Object.entries(dependencies)) {
    // Without a version it is for other platforms, and not installed.
    if (!name.startsWith('@petstore-platform/') && child.version !== undefined) packages.add(`${name}@${child.version}`)
    collect(child)
  }
}
collect(tree)

const atMost = values['at-most'] === undefined ? Number.POSITIVE_INFINITY : Number(values['at-most'])
say(values.json ? JSON.stringify({ packages: packages.size }) : `${packages.size} packages in production`)
process.exitCode = packages.size > 0 && packages.size <= atMost ? 0 : 1
