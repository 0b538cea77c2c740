// SHA256SUMS, in the format of sha256sum, and its signature by a key of SSH. Operators check both:
//   sha256sum -c SHA256SUMS
//   ssh-keygen -Y verify -f allowed_signers -I releases -n petstore-release -s SHA256SUMS.sig <SHA256SUMS

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.ts'

/** A signature for this purpose is good for no other. */
const NAMESPACE = 'petstore-release'

export function writeSums(
  folder: string,
  digests: Readonly<Record<string, string>>,
  key: string | undefined,
): string[] {
  const sums = join(folder, 'SHA256SUMS')
  const lines = Object.entries(digests).map(([file, digest]) => `${digest}  ${file}\n`)
  writeFileSync(sums, lines.sort((a, b) => (a.slice(64) < b.slice(64) ? -1 : 1)).join(''))
  rmSync(`${sums}.sig`, { force: true })
  if (key === undefined) return ['SHA256SUMS']
  run('ssh-keygen', ['-q', '-Y', 'sign', '-f', key, '-n', NAMESPACE, sums])
  return ['SHA256SUMS', 'SHA256SUMS.sig']
}
