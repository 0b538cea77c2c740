// Builds the container image with buildah, which needs neither a daemon nor a base image, and writes it as an archive
// that `docker load` and `podman load` read.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Contents } from './contents.ts'
import { completeRootfs, readDebianLock, unpackDebian } from './debian.ts'
import { run } from './run.ts'
import { debianComponent } from './sbom.ts'
import { writePlatformTree } from './tree.ts'

type ImageOptions = { repository: string; folder: string; seconds: number; file: string }

/** Arguments of buildah for a store of its own, which leaves nothing behind on the machine. */
export const storeIn = (folder: string): readonly string[] => [
  '--storage-driver=vfs',
  `--root=${join(folder, 'storage')}`,
  `--runroot=${join(folder, 'run')}`,
]

export const hasBuildah = (): boolean => spawnSync('buildah', ['--version']).status === 0

export const imageName = (version: string): string => `petstore:${version}`

export async function buildImage(contents: Contents, { repository, folder, seconds, file }: ImageOptions) {
  const context = join(folder, 'context')
  const tree = join(context, 'petstore')
  const packages = readDebianLock(readFileSync(join(repository, 'image/debian.lock'), 'utf8'))
  await unpackDebian(packages, join(folder, 'packages'), join(context, 'rootfs'))
  completeRootfs(join(context, 'rootfs'))
  mkdirSync(join(context, 'data'))
  writePlatformTree(contents, tree, 'x64', seconds, {
    components: packages.map(({ name, version }) => debianComponent(name, version, 'amd64')),
    about: `The Debian packages have their licences in /usr/share/doc: ${packages.map(({ name }) => name).join(', ')}.`,
  })
  // It is a script, and there is no shell.
  rmSync(join(tree, 'bin/petstore'))
  cpSync(join(repository, 'image/Dockerfile'), join(context, 'Dockerfile'))

  const image = imageName(contents.manifest.version)
  const building = ['bud', '--isolation=chroot', '--pull-never', '--format=docker', `--timestamp=${seconds}`]
  run('buildah', [...storeIn(folder), ...building, '--tag', image, context])
  const plain = file.replace(/\.gz$/, '')
  rmSync(plain, { force: true })
  run('buildah', [...storeIn(folder), 'push', '--quiet', image, `docker-archive:${plain}:${image}`])
  run('gzip', ['-n', '-6', '--force', plain])
  return { folder: tree }
}
