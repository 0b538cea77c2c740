// What every form of a release shares, gathered from the repository: compiled modules, files that are copied, manifest,
// lock, NOTICE and the bill of materials that npm writes.

import { existsSync, globSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Entry, Lock } from '../lock.ts'
import type { Commit } from './commit.ts'
import { releaseManifest, versionOf, type ReleaseManifest, type ServerManifest } from './manifest.ts'
import type { Licensed, NoticeSection } from './notice.ts'
import { closureOf, productionLock } from './production-lock.ts'
import { reachedModules } from './reached.ts'
import { run } from './run.ts'
import type { Bom } from './sbom.ts'
import { copied } from './shipped.ts'

export type Contents = {
  manifest: ReleaseManifest
  lock: ReturnType<typeof productionLock>
  bom: Bom
  notices: readonly NoticeSection[]
  /** Texts and bytes by path in the release. */
  files: ReadonlyMap<string, string | Buffer>
}

export function gatherContents(repository: string, { id, isDirty }: Commit): Contents {
  const text = (path: string) => readFileSync(join(repository, path), 'utf8')
  const json = (path: string): unknown => JSON.parse(text(path))
  const server = json('server/package.json') as ServerManifest
  const { engines } = json('package.json') as { engines: { node: string } }
  const repositoryLock = json('package-lock.json') as Lock
  const manifest = releaseManifest(server, engines, id, versionOf(server.version, isDirty))
  const { name, version, license, bin, dependencies } = manifest
  const lock = productionLock(repositoryLock, 'server', {
    name,
    version,
    license,
    bin,
    engines,
    dependencies,
  } as Entry & {
    name: string
    version: string
  })
  const { devDependencies } = json('dashboard/package.json') as { devDependencies: Record<string, string> }
  const inBrowsers = ['@scalar/api-reference', ...Object.keys(devDependencies)].filter(
    (one) => !one.startsWith('@types/'),
  )

  const files = new Map<string, string | Buffer>(reachedModules(text).map((one) => [one.path, one.text]))
  for (const { from, to, kinds } of copied) {
    for (const file of globSync(`${from}/**`, { cwd: repository }).filter((path) => kinds.test(path))) {
      files.set(file.replace(from, to), readFileSync(join(repository, file)))
    }
  }
  for (const file of ['LICENSE', 'CHANGELOG.md']) files.set(file, text(file))

  const licensed = (from: string, names: readonly string[]) => licencesOf(repository, repositoryLock, from, names)
  const notices = [
    { title: 'Packages in node_modules', packages: licensed('server', Object.keys(dependencies)) },
    { title: 'Packages in the files for browsers (public)', packages: licensed('dashboard', inBrowsers) },
    { title: 'Texts of the licence of libvips', packages: ['LGPL-3.0', 'GPL-3.0'].map(licenceText) },
  ]
  return { manifest, lock, bom: bomOf(manifest, lock), notices, files }
}

function licencesOf(repository: string, lock: Lock, from: string, names: readonly string[]): Licensed[] {
  return [...closureOf(lock, from, names).keys()].sort().map((path) => {
    const { version = '', license: licence } = lock.packages[path] ?? {}
    return { name: nameAt(path), version, licence, text: textIn(join(repository, path)) }
  })
}

/** The name of the package that a lock has at a path. */
export const nameAt = (path: string): string => path.split('node_modules/').at(-1) ?? path

/** Packages of other platforms are not installed, and a few packages bring no text. */
function textIn(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined
  const files = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
  return files.length === 0
    ? undefined
    : files
        .sort()
        .map((name) => readFileSync(join(folder, name), 'utf8'))
        .join('\n')
}

const licenceText = (name: string): Licensed => ({
  name,
  version: 'text',
  licence: 'LGPL-3.0-or-later',
  text: readFileSync(join(import.meta.dirname, 'licences', `${name}.txt`), 'utf8'),
})

/** npm reads a manifest and a lock; on an installed tree it fails when packages of other platforms are absent. */
function bomOf(manifest: ReleaseManifest, lock: Contents['lock']): Bom {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-sbom-'))
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
    const args = ['sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx']
    return JSON.parse(run('npm', args, { cwd: folder }).output) as Bom
  } finally {
    rmSync(folder, { recursive: true })
  }
}
