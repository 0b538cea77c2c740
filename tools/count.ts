// `node tools/count.ts`: how much there is to read, by what a newcomer meets: lines, files, folders and things declared twice.
// `--against <commit>` puts an earlier commit beside it. What is too long is no figure here: a test fails for it.

import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { countOf, type Mass } from './count-sources.ts'

const { values } = parseArgs({ options: { against: { type: 'string' }, json: { type: 'boolean' } } })

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28 })

/** The files of a commit, with the text of the sources among them. */
function filesOf(commit: string): Map<string, string> {
  const names = git('ls-tree', '-r', '--name-only', commit).trim().split('\n')
  const isRead = (name: string) => /^(server\/src|testbed)\/.*\.ts$/.test(name)
  const read = names.filter(isRead)
  const input = read.map((name) => `${commit}:${name}\n`).join('')
  const output = execFileSync('git', ['cat-file', '--batch'], { input, maxBuffer: 2 ** 28 })
  const files = new Map(names.map((name) => [name, '']))
  let at = 0
  for (const name of read) {
    const end = output.indexOf('\n', at)
    const size = Number(output.subarray(at, end).toString().split(' ')[2])
    files.set(name, output.subarray(end + 1, end + 1 + size).toString())
    at = end + 1 + size + 1
  }
  return files
}

const now = countOf(filesOf('HEAD'))
const before = values.against === undefined ? undefined : countOf(filesOf(values.against))
if (values.json) {
  process.stdout.write(`${JSON.stringify({ now, ...(before && { before }) })}\n`)
} else {
  const row = (name: string, ...cells: (string | number)[]) =>
    `${name.padEnd(44)}${cells.map((cell) => String(cell).padStart(9)).join('')}\n`
  const rows = (Object.keys(now) as (keyof Mass)[]).map((name) =>
    before ? row(name, before[name], now[name], now[name] - before[name]) : row(name, now[name]),
  )
  process.stdout.write((before ? row('', 'before', 'now', 'change') : '') + rows.join(''))
}
