// Writes the tree of a release: as the npm package, which has no packages of others in it, or for one platform, with
// its packages and its Node.

import { chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { nameAt, type Contents } from './contents.ts'
import { NODE_VERSION, unpackNode, type Cpu } from './node-runtime.ts'
import { noticeText } from './notice.ts'
import { closureOf, type Platform } from './production-lock.ts'
import { run } from './run.ts'
import { nodeComponent, releaseBom, type Component } from './sbom.ts'

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

export function writePackageTree(contents: Contents, folder: string, seconds: number): void {
  writeCommonFiles(contents, folder)
  write(folder, 'npm-shrinkwrap.json', json(contents.lock))
  write(folder, 'NOTICE', noticeText(contents.notices))
  const packages = packagesOf(contents)
  const seed = `${contents.manifest.gitHead} npm`
  write(
    folder,
    'sbom.cdx.json',
    json(releaseBom(contents.bom, { name: contents.manifest.name, packages, additions: [], seed, seconds })),
  )
}

/** Works where no other Node is installed, and through a symbolic link. */
const launcher = `#!/bin/sh
# Runs Petstore with the Node of this folder.
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" "$here/petstore.js" "$@"
`

/** What an image contains besides the tree: for the bill of materials, and a sentence for NOTICE. */
export type PlatformExtras = { components: readonly Component[]; about: string }

export function writePlatformTree(
  contents: Contents,
  folder: string,
  cpu: Cpu,
  seconds: number,
  extras: PlatformExtras = { components: [], about: '' },
): void {
  writeCommonFiles(contents, folder)
  install(contents, folder, cpu)
  unpackNode(cpu, folder)
  write(folder, 'bin/petstore', launcher)
  chmodSync(join(folder, 'bin/petstore'), 0o755)

  const text = readFileSync(join(folder, 'LICENSE'), 'utf8')
  const node = { name: 'node', version: NODE_VERSION, licence: 'MIT', text }
  write(folder, 'LICENSE', contents.files.get('LICENSE') ?? '')
  write(folder, 'NOTICE', noticeText([...contents.notices, { title: 'Node', packages: [node] }]) + extras.about)

  const packages = packagesOf(contents, { os: 'linux', cpu, libc: 'glibc' })
  const additions = [nodeComponent(NODE_VERSION, cpu), ...extras.components]
  const seed = [contents.manifest.gitHead, cpu, ...extras.components.map((one) => one['bom-ref'])].join(' ')
  write(
    folder,
    'sbom.cdx.json',
    json(releaseBom(contents.bom, { name: contents.manifest.name, packages, additions, seed, seconds })),
  )
}

function writeCommonFiles({ files, manifest }: Contents, folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  for (const [path, content] of files) write(folder, path, content)
  write(folder, 'package.json', json(manifest))
  for (const name of ['petstore.js', 'install-packages']) chmodSync(join(folder, 'bin', name), 0o755)
}

/** From the lock, and without scripts: no package of production needs one. */
function install({ lock }: Contents, folder: string, cpu: Cpu): void {
  const lockFile = join(folder, 'package-lock.json')
  writeFileSync(lockFile, JSON.stringify(lock))
  const platform = ['--os=linux', `--cpu=${cpu}`, '--libc=glibc']
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']
  run('npm', ['ci', '--omit=dev', '--ignore-scripts', ...platform, ...quiet], { cwd: folder })
  // What npm keeps for its own next run.
  for (const path of [lockFile, join(folder, 'node_modules/.package-lock.json'), join(folder, 'node_modules/.bin')]) {
    rmSync(path, { recursive: true, force: true })
  }
}

/** As `name@version`. */
function packagesOf({ lock, manifest }: Contents, platform?: Platform): ReadonlySet<string> {
  const paths = closureOf(lock, '', Object.keys(manifest.dependencies), platform).keys()
  return new Set([...paths].map((path) => `${nameAt(path)}@${lock.packages[path]?.version}`))
}

function write(folder: string, path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
}

/** Every file below a folder, sorted. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

/** One digest for the names and contents of all files. */
export function treeDigest(folder: string): string {
  const hash = createHash('sha256')
  for (const path of filesIn(folder)) {
    const digest = createHash('sha256')
      .update(readFileSync(join(folder, path)))
      .digest('hex')
    hash.update(`${digest}  ${path}\n`)
  }
  return hash.digest('hex')
}
