// The five commands of docs/operations.md on an empty Debian 13: dashboard, API and a deployed default site must then
// be served over HTTPS, with certificates of a test authority.
//
// systemd does not run in a folder: `systemctl` only records what it is asked, and the drill then runs the ExecStart
// lines of the installed units. Packages are installed with the network of this machine; everything after that happens in
// a network namespace of its own, where ports 80 and 443 are free and nothing but loopback exists.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { commandsIn } from './commands-in.ts'
import { inDebian, must, removeDebian, unpackDebian } from './debian.ts'

const document = join(import.meta.dirname, '../../docs/operations.md')
const HEADING = '## One machine'

export type FiveCommands = {
  commands: number
  /** From the first command until the last of the three was served, without preparing the empty Debian. */
  seconds: number
  installSeconds: number
  /** Seconds until each was served over HTTPS, from the second command on. */
  reached: Record<string, number>
  /** What a handshake with the dashboard's name ended with, after its row was taken out of the host table. */
  withoutRow: string
}

export async function runFiveCommands(tarball: string): Promise<FiveCommands> {
  const [install = '', ...others] = commandsIn(readFileSync(document, 'utf8'), HEADING)
  const root = await unpackDebian()
  try {
    copyFileSync(tarball, join(root, 'root', basename(tarball)))
    const recorder = '#!/bin/sh\necho "$@" >>/root/systemctl.log\n'
    writeFileSync(join(root, 'usr/local/bin/systemctl'), recorder, { mode: 0o755 })
    const begun = performance.now()
    // An operator confirms; a drill cannot.
    const confirmed = install.replace('apt-get install', 'apt-get install -y -qq')
    await must(inDebian(root, `apt-get update -qq && ${confirmed}`))
    const installSeconds = (performance.now() - begun) / 1000
    const inside = await runInside(root, others)
    return {
      commands: others.length + 1,
      ...inside,
      installSeconds,
      seconds: installSeconds + inside.seconds,
    }
  } finally {
    removeDebian(root)
  }
}

type Inside = Pick<FiveCommands, 'reached' | 'withoutRow' | 'seconds'>

async function runInside(root: string, commands: readonly string[]): Promise<Inside> {
  const program = join(import.meta.dirname, 'five-commands-inside.ts')
  const inNamespace = ['--mount', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
  const child = spawn('unshare', [...inNamespace, process.execPath, program, root, ...commands], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [output, log] = ['', '']
  child.stdout.on('data', (part: Buffer) => (output += part.toString()))
  child.stderr.on('data', (part: Buffer) => (log = (log + part.toString()).slice(-20_000)))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`The commands failed:\n${output}${log}`)
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Inside
}
