// Files of releases: only what is signed by a key that the operator trusts is unpacked. The archives are small, and everything
// else is real: `npm run ship -- --only upgrade,refused-upgrades,failed-upgrade` upgrades a machine.

import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { unpackRelease } from '../../src/operations/upgrade/release-file.io.ts'
import { archive, digestOf } from '../../../tools/release/archive.ts'
import { writeSums } from '../../../tools/release/signature.ts'

/** As an operator has downloaded it, with the file of the key that signed it. */
async function downloaded(program = 'echo petstore 1.0.1 of a test') {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-upgrade-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const bin = join(folder, 'build/petstore/1.0.1/bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'petstore'), `#!/bin/sh\n${program}\n`)
  chmodSync(join(bin, 'petstore'), 0o755)
  const name = 'petstore-1.0.1-linux-x64.tar.gz'
  const file = join(folder, name)
  archive(join(folder, 'build'), 'petstore', 'petstore', 0, file)
  const [signers, others] = ['signers', 'others'].map((who) => {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, who)])
    const path = join(folder, `allowed_${who}`)
    writeFileSync(path, `releases ${readFileSync(join(folder, `${who}.pub`), 'utf8')}`)
    return path
  })
  writeSums(folder, { [name]: await digestOf(file) }, join(folder, 'signers'))
  const into = join(folder, 'unpacked')
  return { folder, file, into, signers, others, unpack: (trusted = signers) => unpackRelease(file, into, trusted) }
}

test('a release that is signed by a trusted key is unpacked into an empty folder, and nothing else is there', async () => {
  const { into, unpack } = await downloaded()
  mkdirSync(join(into, 'petstore/0.9.0'), { recursive: true })
  expect(await unpack()).toEqual({ folder: join(into, 'petstore/1.0.1'), version: '1.0.1' })
  expect(existsSync(join(into, 'petstore/0.9.0'))).toBe(false)
})

test('a release that was changed, has no signature, or is signed by another key is not unpacked (negative controls)', async () => {
  const changed = await downloaded()
  writeFileSync(changed.file, 'x', { flag: 'a' })
  await expect(changed.unpack()).rejects.toThrow('is not the file that was signed')
  const foreign = await downloaded()
  await expect(foreign.unpack(foreign.others)).rejects.toThrow('is not signed by a key in')
  await expect(foreign.unpack(join(foreign.folder, 'none'))).rejects.toThrow('Name a file with the key that you trust')
  const unsigned = await downloaded()
  rmSync(join(unsigned.folder, 'SHA256SUMS.sig'))
  await expect(unsigned.unpack()).rejects.toThrow('has no signature')
  for (const { into } of [changed, foreign, unsigned]) expect(existsSync(join(into, 'petstore'))).toBe(false)
  // Because the operator says so.
  expect(await unpackRelease(unsigned.file, unsigned.into, undefined)).toMatchObject({ version: '1.0.1' })
})

test('sums that were signed for another purpose are refused', async () => {
  const { folder, unpack } = await downloaded()
  rmSync(join(folder, 'SHA256SUMS.sig'))
  execFileSync(
    'ssh-keygen',
    ['-q', '-Y', 'sign', '-f', join(folder, 'signers'), '-n', 'file', join(folder, 'SHA256SUMS')],
    {
      stdio: 'ignore',
    },
  )
  await expect(unpack()).rejects.toThrow('is not signed by a key in')
})

test('an archive that ends in the middle, one that is no release, and one that does not run here are refused', async () => {
  const cut = await downloaded()
  truncateSync(cut.file, 100)
  await expect(unpackRelease(cut.file, cut.into, undefined)).rejects.toThrow('tar')
  const other = await downloaded('echo another program')
  await expect(other.unpack()).rejects.toThrow('is not the archive of a release')
  const elsewhere = await downloaded('exit 126')
  await expect(elsewhere.unpack()).rejects.toThrow('bin/petstore --version')
})
