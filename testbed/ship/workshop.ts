// The folder in which `npm run ship` builds releases: clones of the current commit, so that what no commit has is not
// part of them, with the packages that are installed here. A build is made when a line first needs it.

import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../tools/release/run.ts'

const repository = join(import.meta.dirname, '../..')

/** Of one file that was built. */
type BuiltFile = { file: string; bytes: number; sha256: string; tree: string; seconds: number }
type Described = { version: string; files: readonly BuiltFile[] }
export type BuiltRelease = Described & { clone: string; folder: string }

export type Workshop = {
  /** A folder that is removed at the end. */
  newFolder(name: string): string
  /** The npm package, the tarball and the image; built once. */
  release(): BuiltRelease
  build(clone: string, forms: readonly string[], epoch?: number): BuiltRelease
  clone(name: string): string
  [Symbol.dispose](): void
}

/** `built` is a checkout in which the release has been built already. */
export function openWorkshop(built?: string): Workshop {
  const root = mkdtempSync(join(tmpdir(), 'petstore-ship-'))
  let first = built === undefined ? undefined : describedIn(built)
  const workshop: Workshop = {
    newFolder: (name) => mkdtempSync(join(root, `${name}-`)),
    release: () => (first ??= workshop.build(workshop.clone('first'), ['npm', 'linux-x64', 'image'])),
    clone: (name) => clonedTo(join(root, name)),
    build(clone, forms, epoch) {
      const env = { ...process.env, ...(epoch !== undefined && { SOURCE_DATE_EPOCH: String(epoch) }) }
      const program = ['--disable-warning=ExperimentalWarning', 'tools/release/main.ts', ...forms, '--json']
      run(process.execPath, program, { cwd: clone, env })
      return describedIn(clone)
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
  return workshop
}

function describedIn(clone: string): BuiltRelease {
  const folder = join(clone, 'release')
  const description = JSON.parse(readFileSync(join(folder, 'build/release.json'), 'utf8')) as Described
  return { ...description, clone, folder }
}

function clonedTo(folder: string): string {
  run('git', ['clone', '--quiet', '--no-hardlinks', repository, folder])
  for (const modules of globSync(['node_modules', '*/node_modules'], { cwd: repository })) {
    // Links to the same files, if that is possible: a copy has hundreds of megabytes.
    run('sh', [
      '-c',
      'cp -al "$1" "$2" 2>/dev/null || cp -a "$1" "$2"',
      'sh',
      join(repository, modules),
      join(folder, modules),
    ])
  }
  if (!existsSync(join(folder, 'node_modules/vite'))) throw new Error('Run npm ci first.')
  rmSync(join(folder, 'node_modules/.cache'), { recursive: true, force: true })
  return folder
}

/** The one whose name ends so. */
export function fileOf({ files, folder }: BuiltRelease, ending: string): string {
  const found = files.find(({ file }) => file.endsWith(ending))
  if (found === undefined) throw new Error(`No file ends in ${ending}.`)
  return join(folder, found.file)
}
