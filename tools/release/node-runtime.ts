// The Node that tarball and image bring: the packages in which npm distributes it, pinned by version and digest. A
// release is built and run with the same version, because the function that removes types is experimental.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './run.ts'

export const NODE_VERSION = '26.10.0'

const digests = {
  x64: 'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  arm64: 'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
} as const

export type Cpu = keyof typeof digests

/** Unpacks bin/node and LICENSE into the folder. */
export function unpackNode(cpu: Cpu, folder: string): void {
  const name = `node-linux-${cpu}@${NODE_VERSION}`
  const downloads = mkdtempSync(join(tmpdir(), 'petstore-node-'))
  try {
    const packing = ['pack', name, '--json', '--prefer-offline', `--pack-destination=${downloads}`]
    const { output } = run('npm', packing, { cwd: downloads })
    const [packed] = Object.values(JSON.parse(output) as Record<string, { filename: string; integrity: string }>)
    if (packed?.integrity !== digests[cpu]) throw new Error(`${name} has another digest than the pinned one.`)
    const members = ['package/bin/node', 'package/LICENSE']
    run('tar', ['-xzf', join(downloads, packed.filename), '-C', folder, '--strip-components=1', ...members])
  } finally {
    rmSync(downloads, { recursive: true })
  }
}
