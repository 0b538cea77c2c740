// A later release of this program: a copy of the sources under another version, with migrations of its own.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The version of this tree, which the copies are compared with. */
export const thisVersion = (JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8')) as { version: string })
  .version

export type ReleaseCopy = Disposable & { program: string; version: string }

/** `migrations` are added to those of this tree, by file name. */
export function copyRelease(version: string, migrations: Readonly<Record<string, string>>): ReleaseCopy {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-release-'))
  const server = join(folder, 'server')
  mkdirSync(server)
  for (const part of ['src', 'migrations']) cpSync(join(root, 'server', part), join(server, part), { recursive: true })
  for (const part of ['node_modules', 'server/node_modules', 'server/assets']) {
    symlinkSync(join(root, part), join(folder, part))
  }
  const manifest = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8')) as object
  writeFileSync(join(server, 'package.json'), JSON.stringify({ ...manifest, version }))
  for (const [name, text] of Object.entries(migrations)) writeFileSync(join(server, 'migrations', name), text)
  return {
    program: join(server, 'src/main.ts'),
    version,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export const migrationText = (phase: 'expand' | 'contract', oldest: string, locks: string, sql: string): string =>
  `-- phase: ${phase}\n-- oldest-release: ${oldest}\n-- locks: ${locks}\n\n${sql}\n`
