// Another state of this repository as a tree of files in a temporary folder, with the packages
// that its program runs on. Nothing of it is imported: older trees are laid out differently, so
// only what the program offers from outside is used, which is its commands, its environment
// variables and HTTP.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { programOf, thisTree } from './environment.ts'
import { isSameInstallation, workspacesOf, type Lock } from './locked-packages.ts'

const run = promisify(execFile)

/** The full name of the commit that the ref stands for. */
export async function commitOf(ref: string): Promise<string> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]
  const { stdout } = await run('git', args, { cwd: thisTree }).catch(() => {
    throw new Error(`--against: git knows no commit ${ref}`)
  })
  return stdout.trim()
}

/** The folder exists while `work` runs. An archive, because a worktree would also leave its name in .git. */
export async function withTree<T>(commit: string, work: (tree: string) => Promise<T>): Promise<T> {
  const tree = await mkdtemp(join(tmpdir(), 'petstore-tree-'))
  try {
    const archive = join(tree, '.archive.tar')
    await run('git', ['archive', '--format=tar', `--output=${archive}`, commit], { cwd: thisTree })
    await run('tar', ['-xf', archive, '-C', tree])
    await rm(archive)
    await installPackages(tree)
    return await work(tree)
  } finally {
    await rm(tree, { recursive: true, force: true })
  }
}

async function installPackages(tree: string): Promise<void> {
  const lock = await lockOf(tree)
  if (isSameInstallation(lock, await lockOf(thisTree))) await linkPackages(tree, lock)
  else await run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: tree })
}

const lockOf = async (tree: string): Promise<Lock> =>
  JSON.parse(await readFile(join(tree, 'package-lock.json'), 'utf8')) as Lock

/**
 * Links to this tree's packages one by one, since a link to the folder of all of them would lead
 * to this tree's workspaces too: the other program would then run with this tree's contract.
 */
async function linkPackages(tree: string, lock: Lock): Promise<void> {
  const workspaces = workspacesOf(lock)
  const scopes = new Set(workspaces.map(({ link }) => dirname(link)))
  for (const scope of scopes) await mkdir(join(tree, scope), { recursive: true })
  for (const { link, folder } of workspaces) await symlink(join(tree, folder), join(tree, link))
  for (const name of await readdir(join(thisTree, 'node_modules'))) {
    const path = join('node_modules', name)
    if (!scopes.has(path) && !name.startsWith('.')) await symlink(join(thisTree, path), join(tree, path))
  }
  for (const path of workspaces.map(({ folder }) => join(folder, 'node_modules'))) {
    if (existsSync(join(thisTree, path))) await symlink(join(thisTree, path), join(tree, path))
  }
}

/** Runs a command of the tree's program to its end and returns what it printed. */
export async function runProgram(tree: string, args: readonly string[], env: Record<string, string>): Promise<string> {
  const { stdout } = await run(process.execPath, [programOf(tree), ...args], { env: { ...process.env, ...env } })
  return stdout
}
