// Archives with the same bytes for the same contents: names sorted, one owner, modes without those of the umask, and
// the given time for every file. gzip stores neither name nor time.

import { createHash } from 'node:crypto'
import { createReadStream, rmSync, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { run } from './run.ts'

/** `name` replaces the name of the folder in the archive. */
export function archive(parent: string, folder: string, name: string, seconds: number, file: string): void {
  const plain = file.replace(/\.(gz|tgz)$/, '.plain')
  const contents = [`--directory=${parent}`, `--transform=flags=r;s,^${folder},${name},`, folder]
  const sameEverywhere = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX']
  run('tar', ['--create', '--format=gnu', `--file=${plain}`, ...sameEverywhere, `--mtime=@${seconds}`, ...contents])
  run('sh', ['-c', 'gzip -n -6 <"$1" >"$2"', 'sh', plain, file])
  rmSync(plain)
}

export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

export const sizeOf = (file: string): number => statSync(file).size
