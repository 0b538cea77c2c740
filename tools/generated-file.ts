// `writeGenerated` writes a file that is generated and committed. With --check it writes nothing, and the process
// fails if the file differs from what would be written.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '..')

/** `name` is that of its generator in `npm run generate`. */
export function writeGenerated(name: string, path: string, text: string): void {
  if (!process.argv.includes('--check')) return writeFileSync(path, text)
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  process.stderr.write(`${relative(root, path)} differs from its sources. Run "npm run generate -- ${name}".\n`)
  process.exitCode = 1
}
