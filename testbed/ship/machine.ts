// A Debian in a folder, booted with its own systemd in a mount, PID and cgroup namespace, and in the network namespace of
// this process. systemd-nspawn comes from Debian's package, unpacked and not installed.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { unpackPackages } from '../harness/debian-packages.ts'
import type { VisitorTarget } from '../harness/visitor.ts'
import { until } from '../internet/processes.ts'
import { must, run, type Outcome } from './debian.ts'

const nspawn = join(import.meta.dirname, '../../.tools/systemd-nspawn')

export type Machine = {
  /** As root; the command may fail. */
  attempt(command: string): Promise<Outcome>
  /** What it printed; rejects if it failed. */
  run(command: string): Promise<string>
  /** What systemd says about a unit, such as `ActiveState`. */
  property(unit: string, name: string): Promise<string>
  stop(): Promise<void>
}

/** A machine with an installation of the document. */
export type Installed = {
  machine: Machine
  /** A command of the document, with the names and resolvers of the test internet. */
  inTestInternet: (command: string) => string
  /** The command that installed it. */
  setup: string
  target: VisitorTarget
  app: string
  site: string
  /** An unpacked Debian for another machine. */
  edgeRoot: string
}

export function unpackNspawn(): void {
  if (!existsSync(nspawn)) unpackPackages(nspawn, () => ['systemd-container'])
}

/** `network`: a process in whose network namespace it runs. */
export async function bootMachine(root: string, name: string, network = process.pid): Promise<Machine> {
  // Packages were installed without a running systemd; from now on, services start.
  rmSync(join(root, 'usr/sbin/policy-rc.d'), { force: true })
  const options = ['--quiet', '--register=no', '--keep-unit', '--resolv-conf=off', '--timezone=off', '--console=pipe']
  const where = [`--network-namespace-path=/proc/${network}/ns/net`, `--machine=${name}`, '-D', root, '--boot']
  const child = spawn('setsid', [join(nspawn, 'usr/bin/systemd-nspawn'), ...options, ...where], {
    env: { PATH: process.env['PATH'], SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' },
    stdio: ['ignore', 2, 2],
  })
  const attempt = (command: string) =>
    run('nsenter', [
      '-t',
      String(initOf(child)),
      '-m',
      '-u',
      '-i',
      '-n',
      '-p',
      '-C',
      '/bin/sh',
      '-c',
      `cd /root && ${command}`,
    ])
  const machine: Machine = {
    attempt,
    run: (command) => must(attempt(command)),
    property: async (unit, property) =>
      (await must(attempt(`systemctl show --value --property ${property} ${unit}`))).trim(),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
  const isBooted = async () => {
    if (child.exitCode !== null) throw new Error('systemd-nspawn ended.')
    return (
      initOf(child) !== undefined && /^(running|degraded)/.test((await attempt('systemctl is-system-running')).output)
    )
  }
  await until('The boot of the machine', isBooted, 60_000)
  return machine
}

function initOf({ pid = 0 }: ChildProcess): number | undefined {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return children === '' ? undefined : Number(children.split(' ')[0])
}
