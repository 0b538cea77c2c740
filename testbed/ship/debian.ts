// An empty Debian 13 in a folder, made by mmdebstrap from the package sources of this machine and kept as an archive;
// and commands that run in it. The folder shares the kernel and, unless a network namespace is made around the caller,
// the network of this machine.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sourceOf } from '../harness/debian-packages.ts'

const tools = join(import.meta.dirname, '../../.tools')
const archive = join(tools, 'debian-13-systemd.tar')

export type Outcome = { code: number; output: string }

/** An unpacked copy; the first call takes about 80 s, and later ones two. */
export async function unpackDebian(): Promise<string> {
  if (!existsSync(archive)) await bootstrap()
  const root = mkdtempSync(join(tmpdir(), 'petstore-debian-'))
  await must(run('tar', ['-xf', archive, '-C', root]))
  // Nothing starts on installation: systemd is not running yet.
  writeFileSync(join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  return root
}

export const removeDebian = (root: string) => rmSync(root, { recursive: true, force: true })

async function bootstrap(): Promise<void> {
  mkdirSync(tools, { recursive: true })
  const { name, text } = sourceOf('trixie')
  const sources = join(tools, name)
  writeFileSync(sources, text)
  const partial = `${archive}.part.tar`
  await must(
    run('mmdebstrap', [
      '--variant=minbase',
      '--mode=root',
      '--include=ca-certificates,systemd,systemd-sysv,dbus',
      'trixie',
      partial,
      sources,
    ]),
  )
  await must(run('mv', [partial, archive]))
}

/** Runs a shell command in it; `/proc` and `/dev` are there only for this command. */
export const inDebian = (root: string, command: string): Promise<Outcome> =>
  run('unshare', ['--mount', 'sh', '-c', mounted, 'sh', root, command])

const mounted =
  'mount --bind /dev "$1/dev" && mount -t proc proc "$1/proc" && mount -t tmpfs tmpfs "$1/run/lock" 2>/dev/null; ' +
  'cd / && exec chroot "$1" /bin/sh -c "cd /root && $2"'

export async function run(command: string, args: readonly string[]): Promise<Outcome> {
  const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' }
  const child = spawn(command, args, {
    env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (part: Buffer) => (output += part.toString()))
  child.stderr.on('data', (part: Buffer) => (output += part.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code: code ?? 1, output }
}

export async function must(outcome: Promise<Outcome>): Promise<string> {
  const { code, output } = await outcome
  if (code !== 0) throw new Error(`A command failed with ${code}:\n${output.slice(-4000)}`)
  return output
}
