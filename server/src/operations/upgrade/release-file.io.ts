// The file of a release, as it was downloaded: verified against the keys that the operator trusts, then unpacked into a folder
// that nothing runs. The signature covers SHA256SUMS, which covers the file.

import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { digestOf } from '../backup/backup-file.io.ts'
import { digestIn } from './decide.ts'

/** A signature for another purpose is none of a release. */
const NAMESPACE = 'petstore-release'
const SIGNER = 'releases'

export type UnpackedRelease = { folder: string; version: string }

/** `signers`: a file of allowed signers; undefined if the operator does without a signature. Replaces the folder. */
export async function unpackRelease(file: string, into: string, signers: string | undefined): Promise<UnpackedRelease> {
  const sums = signers === undefined ? undefined : signedSums(file, signers)
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into, { mode: 0o700 })
  // What is verified is what is unpacked, even if another user can write to the file.
  const copy = join(into, 'archive')
  copyFileSync(file, copy)
  if (sums !== undefined && digestIn(sums, basename(file)) !== (await digestOf(copy)))
    throw new Error(`${file} is not the file that was signed: its digest is not that of SHA256SUMS. Download it again.`)
  runProgram('tar', ['-xzf', copy, '-C', into])
  rmSync(copy)
  const releases = join(into, 'petstore')
  const [version = ''] = existsSync(releases) ? readdirSync(releases) : []
  const folder = join(releases, version)
  const text = version === '' ? '' : runProgram(join(folder, 'bin/petstore'), ['--version'])
  if (!text.startsWith(`petstore ${version} `)) throw new Error(`${file} is not the archive of a release for Linux.`)
  return { folder, version }
}

function signedSums(file: string, signers: string): string {
  const sums = join(dirname(file), 'SHA256SUMS')
  const missing = [sums, `${sums}.sig`].find((path) => !existsSync(path))
  if (missing !== undefined)
    throw new Error(
      `${file} has no signature: there is no ${missing}. Download it as well, or use --unsigned for a release that has none.`,
    )
  if (!existsSync(signers))
    throw new Error(`There is no ${signers}. Name a file with the key that you trust by --signers (SECURITY.md).`)
  const text = readFileSync(sums, 'utf8')
  const options = ['-f', signers, '-I', SIGNER, '-n', NAMESPACE, '-s', `${sums}.sig`]
  try {
    runProgram('ssh-keygen', ['-Y', 'verify', ...options], text)
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT')
      throw new Error('ssh-keygen verifies releases: apt-get install openssh-client', { cause: error })
    throw new Error(`${sums} is not signed by a key in ${signers}. Do not install this release`, { cause: error })
  }
  return text
}

const runProgram = (program: string, args: readonly string[], input?: string): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe', ...(input !== undefined && { input }) })
