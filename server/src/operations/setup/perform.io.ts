// Performs the steps of a plan, one after the other. A step that fails ends it; running `setup` again continues there.

import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseAdmin } from './database-admin.io.ts'
import { userOf, type UserIds } from './observe-machine.io.ts'
import type { FileOwner, SetupStep } from './plan.ts'

/** `givesAway`: false below another root, and for an ordinary user: files belong to the user who runs it. */
export async function perform(
  steps: readonly SetupStep[],
  admin: DatabaseAdmin | undefined,
  givesAway: boolean,
): Promise<void> {
  const give = (path: string, owner: FileOwner) => {
    if (!givesAway || owner === 'root') return
    const isShared = owner === 'root:petstore'
    const user = userOf(isShared ? 'petstore' : owner)
    if (user) chownSync(path, isShared ? 0 : user.uid, user.gid)
  }
  for (const step of steps) {
    switch (step.kind) {
      case 'user':
        createUser(step.name, step.home)
        break
      case 'sql':
        await admin?.run(step.text)
        break
      case 'folder':
        // Others must be able to reach it.
        mkdirSync(dirname(step.path), { recursive: true, mode: 0o755 })
        mkdirSync(step.path, { recursive: true, mode: step.mode })
        chmodSync(step.path, step.mode)
        give(step.path, step.owner)
        break
      case 'file':
        writeWhole(step, (path) => give(path, step.owner))
        break
      case 'link':
        linkTo(step.path, step.target)
        break
      case 'reload':
        if (givesAway) systemctl('daemon-reload')
        break
      case 'form':
        if (step.off.length > 0) systemctl('disable', '--quiet', ...step.off)
        systemctl('enable', '--quiet', ...step.on)
        // Those that exclude each other stop first, and connections wait in petstore-listen.socket.
        systemctl('restart', ...step.on)
        if (step.off.length > 0) systemctl('stop', ...step.off)
        break
    }
  }
}

/** What it writes belongs to that user; undefined: to the user who runs this. */
export async function asUser<T>(user: UserIds | undefined, work: () => Promise<T>): Promise<T> {
  if (!user) return work()
  try {
    process.setegid?.(user.gid)
    process.seteuid?.(user.uid)
    return await work()
  } finally {
    process.seteuid?.(0)
    process.setegid?.(0)
  }
}

/** In a container or a chroot, systemd is not running. What it printed. */
export const systemctl = (...args: readonly string[]): string =>
  existsSync('/run/systemd/system')
    ? execFileSync('systemctl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    : ''

/** At no moment is there none. */
export function linkTo(path: string, target: string): void {
  const draft = `${path}.new`
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
  rmSync(draft, { force: true })
  symlinkSync(target, draft)
  renameSync(draft, path)
}

/** Under another name first, so that no reader finds half of it, nor a secret with the wrong owner. */
function writeWhole({ path, text, mode }: Extract<SetupStep, { kind: 'file' }>, give: (path: string) => void): void {
  const draft = `${path}.new`
  rmSync(draft, { force: true })
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
  chmodSync(draft, mode)
  give(draft)
  renameSync(draft, path)
}

function createUser(name: string, home: string): void {
  execFileSync('useradd', ['--system', '--home-dir', home, '--no-create-home', '--shell', '/usr/sbin/nologin', name], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}
