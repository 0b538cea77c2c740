// The forms of a release, installed as an operator installs them, each as a command that can be run.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { imageName, storeIn } from '../../tools/release/image.ts'
import { run } from '../../tools/release/run.ts'
import { fileOf, type Workshop } from './workshop.ts'

type Env = Readonly<Record<string, string>>
/** A program, its arguments and its environment. */
export type Command = { program: string; args: readonly string[]; env: Env }
export type InstalledForm = {
  name: string
  /** Where its tree is on this machine. */
  tree: string
  commandOf(args: readonly string[], env: Env): Command
  remove(): void
}

const systemPath = '/usr/local/bin:/usr/bin:/bin'

/** Into an empty folder; it runs on the Node of the machine. */
export function installPackage(workshop: Workshop): InstalledForm {
  const folder = workshop.newFolder('npm')
  writeFileSync(join(folder, 'package.json'), '{"private": true}')
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline', '--ignore-scripts']
  run('npm', ['install', ...quiet, fileOf(workshop.release(), '.tgz')], { cwd: folder })
  return {
    name: 'npm package',
    tree: join(folder, 'node_modules/@petstore-platform/petstore'),
    commandOf: (args, env) => ({
      program: join(folder, 'node_modules/.bin/petstore'),
      args,
      env: { PATH: `${dirname(process.execPath)}:${systemPath}`, ...env },
    }),
    remove: () => {},
  }
}

/** It brings its own Node, so it must run where there is none that is new enough. */
export function unpackTarball(workshop: Workshop): InstalledForm {
  const folder = workshop.newFolder('tarball')
  const release = workshop.release()
  run('tar', ['-xzf', fileOf(release, '-linux-x64.tar.gz'), '-C', folder])
  const tree = join(folder, 'petstore', release.version)
  return {
    name: 'tarball',
    tree,
    commandOf: (args, env) => ({
      program: join(tree, 'bin/petstore'),
      args,
      env: { PATH: systemPath, ...env },
    }),
    remove: () => {},
  }
}

/** In a chroot: it has nothing of this machine but its network. */
export function createContainer(workshop: Workshop): InstalledForm {
  const { folder, version } = workshop.release()
  const built = join(folder, 'build/image')
  const store = storeIn(built)
  const container = run('buildah', [...store, 'from', '--pull-never', imageName(version)]).output.trim()
  const entry = ['/opt/petstore/bin/node', '/opt/petstore/bin/petstore.js']
  return {
    name: 'image',
    tree: join(built, 'context/petstore'),
    commandOf: (args, env) => {
      const variables = Object.entries(env).map(([name, value]) => `--env=${name}=${value}`)
      const running = ['run', '--isolation=chroot', ...variables, container, '--', ...entry, ...args]
      return { program: 'buildah', args: [...store, ...running], env: { PATH: `${systemPath}:/usr/sbin:/sbin` } }
    },
    remove: () => void run('buildah', [...store, 'rm', container]),
  }
}

/** A tree whose file was changed, for a negative control. */
export function changed(tree: string, path: string, text: string): void {
  if (!existsSync(dirname(join(tree, path)))) mkdirSync(dirname(join(tree, path)), { recursive: true })
  writeFileSync(join(tree, path), text)
}
