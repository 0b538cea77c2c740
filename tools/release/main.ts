// `npm run release`: builds what is published, into release/. One tree, in several forms: the npm package, a tarball
// with Node for each platform, and the image. Two builds of one commit have the same digests.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { say } from '../steps.ts'
import { archive, digestOf, sizeOf } from './archive.ts'
import { currentCommit } from './commit.ts'
import { gatherContents, type Contents } from './contents.ts'
import { refreshedLock } from './debian.ts'
import { chooseForms } from './forms.ts'
import { buildImage, hasBuildah } from './image.ts'
import { NODE_VERSION, type Cpu } from './node-runtime.ts'
import { run } from './run.ts'
import { writeSums } from './signature.ts'
import { treeDigest, writePackageTree, writePlatformTree } from './tree.ts'

const usage = `npm run release -- [npm] [linux-x64] [linux-arm64] [image] [options]

Builds the named forms of a release, or all of them, into release/. The image needs buildah, and Debian 12; if no form is
named and buildah is not installed, the image is left out.

  --allow-dirty     build a work tree that has changes; its version says so
  --refresh-debian  pin the current versions of the Debian packages of the image, then exit
  --json            print one JSON object: version, commit, and size and digest of each file

SOURCE_DATE_EPOCH     the time of every file, instead of that of the commit
RELEASE_SIGNING_KEY   the private key (SSH) that signs SHA256SUMS`

const repository = join(import.meta.dirname, '../..')
const output = join(repository, 'release')

type Built = { file: string; bytes: number; sha256: string; tree: string; seconds: number }
type Form = (contents: Contents, seconds: number) => Promise<{ file: string; folder: string }>

const forms: Readonly<Record<string, Form>> = {
  async npm(contents, seconds) {
    const folder = join(output, 'build/npm/petstore')
    const file = `petstore-platform-petstore-${contents.manifest.version}.tgz`
    writePackageTree(contents, folder, seconds)
    archive(join(folder, '..'), 'petstore', 'package', seconds, join(output, file))
    return { file, folder }
  },
  'linux-x64': tarball('x64'),
  'linux-arm64': tarball('arm64'),
  async image(contents, seconds) {
    const folder = join(output, 'build/image')
    const file = `petstore-${contents.manifest.version}-image-x64.tar.gz`
    const built = await buildImage(contents, { repository, folder, seconds, file: join(output, file) })
    return { file, folder: built.folder }
  },
}

function tarball(cpu: Cpu): Form {
  return async (contents, seconds) => {
    const { version } = contents.manifest
    const parent = join(output, `build/linux-${cpu}`)
    // Each release has a folder of its own below /opt/petstore, so unpacking one changes no other.
    const folder = join(parent, 'petstore', version)
    const file = `petstore-${version}-linux-${cpu}.tar.gz`
    writePlatformTree(contents, folder, cpu, seconds)
    archive(parent, 'petstore', 'petstore', seconds, join(output, file))
    return { file, folder }
  }
}

async function main(): Promise<number> {
  const { values: flags, positionals } = parseArgs({
    options: {
      'allow-dirty': { type: 'boolean', default: false },
      'refresh-debian': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  if (flags.help) say(usage)
  if (flags.help) return 0
  if (flags['refresh-debian']) {
    const lock = join(repository, 'image/debian.lock')
    writeFileSync(lock, await refreshedLock(readFileSync(lock, 'utf8'), join(output, 'build/packages')))
    return 0
  }
  const { chosen, leftOut } = chooseForms(Object.keys(forms), positionals, hasBuildah())
  if (leftOut) process.stderr.write(`${leftOut}\n`)
  if (process.versions.node !== NODE_VERSION) throw new Error(`A release is built with Node ${NODE_VERSION}.`)
  const commit = currentCommit(repository, process.env['SOURCE_DATE_EPOCH'])
  if (commit.isDirty && !flags['allow-dirty']) {
    throw new Error('The work tree has changes that no commit has. Commit them, or use --allow-dirty.')
  }

  run(process.execPath, [join(repository, 'tools/build.ts')], { cwd: repository })
  const contents = gatherContents(repository, commit)
  rmSync(output, { recursive: true, force: true })
  mkdirSync(output, { recursive: true })
  const built: Built[] = []
  for (const name of chosen) {
    const startedAt = performance.now()
    const { file, folder } = await forms[name]!(contents, commit.seconds)
    const path = join(output, file)
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10
    built.push({ file, bytes: sizeOf(path), sha256: await digestOf(path), tree: treeDigest(folder), seconds })
    if (!flags.json) say(`${file}  ${(sizeOf(path) / 1e6).toFixed(1)} MB  ${seconds} s`)
  }
  const key = process.env['RELEASE_SIGNING_KEY']
  const sums = writeSums(output, Object.fromEntries(built.map(({ file, sha256 }) => [file, sha256])), key)
  const description = JSON.stringify({ version: contents.manifest.version, commit: commit.id, files: built })
  writeFileSync(join(output, 'build/release.json'), description)
  if (flags.json) say(description)
  else for (const { file, sha256 } of built) say(`${sha256}  ${file}`)
  if (!flags.json) say(`release/ contains ${[...built.map(({ file }) => file), ...sums].join(', ')}.`)
  return 0
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
