// The release after this one: another version with one more expand migration, signed with a key that was made for it and
// that no other installation trusts.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../tools/release/run.ts'
import { writeSums } from '../../tools/release/signature.ts'
import { migrationText } from '../upgrades/release-copy.ts'
import { fileOf, type Workshop } from './workshop.ts'

const expand = migrationText('expand', '1.0', 'pets access exclusive', 'alter table pets add column weight integer;')

/** What an operator downloads, and two files of keys: `allowed_signers` and, of another signer, `other_signers`. */
export function nextRelease(workshop: Workshop): string[] {
  const clone = workshop.clone('next')
  const manifest = join(clone, 'server/package.json')
  const parsed = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  const [major, minor, patch] = parsed.version.split('.')
  const version = `${major}.${minor}.${Number(patch) + 1}`
  writeFileSync(manifest, `${JSON.stringify({ ...parsed, version }, null, 2)}\n`)
  writeFileSync(join(clone, 'server/migrations/9001-weight.sql'), expand)
  const author = ['-c', 'user.name=Ship', '-c', 'user.email=ship@petstore.example']
  run('git', ['add', '--all'], { cwd: clone })
  run('git', [...author, 'commit', '--quiet', '-m', `release ${version}`], { cwd: clone })
  const built = workshop.build(clone, ['linux-x64'])

  const folder = workshop.newFolder('downloaded')
  const archive = join(folder, `petstore-${version}-linux-x64.tar.gz`)
  copyFileSync(fileOf(built, '-linux-x64.tar.gz'), archive)
  const signers = ['allowed', 'other'].map((name) => {
    const keys = join(workshop.newFolder('keys'), name)
    mkdirSync(keys)
    run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(keys, 'key')])
    const file = join(folder, `${name}_signers`)
    writeFileSync(file, `releases ${readFileSync(join(keys, 'key.pub'), 'utf8')}`)
    return { file, key: join(keys, 'key') }
  })
  const digests = Object.fromEntries(built.files.map(({ file, sha256 }) => [file, sha256]))
  const sums = writeSums(folder, digests, signers[0]?.key).map((name) => join(folder, name))
  return [archive, ...sums, ...signers.map(({ file }) => file)]
}
