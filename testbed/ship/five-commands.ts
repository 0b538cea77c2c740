// The five commands of docs/operations.md on an empty Debian 13 with systemd: dashboard, API and a deployed default site
// must then be served over HTTPS, with certificates of a test authority.
//
// Packages are installed with the network of this machine, before the Debian boots; it runs in a network namespace of its
// own, where ports 53, 80 and 443 are free and nothing but the test internet exists.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Figures } from '../experiments/claims.ts'
import { commandsIn } from './commands-in.ts'
import { inDebian, must, removeDebian, run, unpackDebian } from './debian.ts'
import { unpackPrometheus } from '../harness/prometheus.ts'
import { unpackNspawn } from './machine.ts'
import { prepareEdgeHost } from './second-edge.ts'

const document = join(import.meta.dirname, '../../docs/operations.md')
const HEADING = '## One machine'

export type FiveCommands = {
  commands: number
  /** From the first command until the last of the three was served, without preparing the empty Debian. */
  seconds: number
  installSeconds: number
  /** The version that they installed. */
  caddy: string
  /** Seconds until each was served over HTTPS, from the second command on. */
  reached: Record<string, number>
  /** What a handshake with the dashboard's name ended with, after its row was taken out of the host table. */
  withoutRow: string
  /** Figures by drill. */
  survived: Readonly<Record<string, Figures>>
}

/** `further` are files that drills find in `/root/downloaded`. */
export async function runFiveCommands(
  tarball: string,
  drills: readonly string[] = [],
  further: readonly string[] = [],
): Promise<FiveCommands> {
  unpackNspawn()
  if (drills.includes('alerts')) unpackPrometheus()
  const commands = commandsIn(readFileSync(document, 'utf8'), HEADING)
  const setup = commands.findIndex((command) => command.includes(' setup '))
  const root = await unpackDebian()
  const edgeRoot = drills.includes('second-edge') ? await unpackDebian() : undefined
  const roots = edgeRoot === undefined ? [root] : [root, edgeRoot]
  try {
    for (const one of roots) {
      copyFileSync(tarball, join(one, 'root', basename(tarball)))
      prepareForCommands(one)
    }
    mkdirSync(join(root, 'root/downloaded'))
    for (const file of further) copyFileSync(file, join(root, 'root/downloaded', basename(file)))
    if (edgeRoot !== undefined) await prepareEdgeHost(edgeRoot)
    const begun = performance.now()
    for (const command of commands.slice(0, setup)) await must(inDebian(root, command))
    const installSeconds = (performance.now() - begun) / 1000
    const caddy = await caddyIn(root)
    const inside = await runInside({ root, edgeRoot }, drills, commands.slice(setup))
    return {
      commands: commands.length,
      caddy,
      ...inside,
      installSeconds,
      seconds: installSeconds + inside.seconds,
    }
  } finally {
    for (const one of roots) removeDebian(one)
  }
}

/** An operator confirms what apt-get asks; a drill cannot. */
function prepareForCommands(root: string): void {
  writeFileSync(join(root, 'etc/apt/apt.conf.d/confirmed'), 'APT::Get::Assume-Yes "true";\n')
}

const caddyIn = async (root: string) => (await must(inDebian(root, 'caddy version 2>/dev/null'))).trim()

type Finding = { check: number; severity: string; sentence: string; remedy: string }
export type Replaced = { before: string; after: string; findings: readonly Finding[] }

/** Debian's own Caddy, replaced by the command that `petstore doctor` prints about it; then what doctor finds. */
export async function runRemedy(tarball: string): Promise<Replaced> {
  const root = await unpackDebian()
  try {
    prepareForCommands(root)
    await must(run('tar', ['-xzf', tarball, '-C', join(root, 'opt')]))
    await must(inDebian(root, 'apt-get -qq update && apt-get -qq install caddy libatomic1'))
    const before = await caddyIn(root)
    const [old] = await findingsAboutCaddy(root)
    const command = /^Run: (.+)$/m.exec(old?.remedy ?? '')?.[1]
    if (command === undefined) throw new Error(`doctor names no command for Caddy ${before}.`)
    // systemd does not run in a folder; the line `remedies` restarts Caddy on a machine.
    await must(inDebian(root, command.replace(' && systemctl restart caddy', '')))
    return { before, after: await caddyIn(root), findings: await findingsAboutCaddy(root) }
  } finally {
    removeDebian(root)
  }
}

/** It has neither a database nor addresses, which doctor finds as well. */
async function findingsAboutCaddy(root: string): Promise<Finding[]> {
  const settings = 'BASE_URL=https://app.shop.example/v1 DATABASE_URL=postgresql://petstore_app@127.0.0.1:1/petstore'
  const { output } = await inDebian(root, `${settings} /opt/petstore/*/bin/petstore doctor --json`)
  const { findings } = JSON.parse(output.slice(output.indexOf('{"findings"'))) as { findings: readonly Finding[] }
  return findings.filter(({ check, sentence }) => check === 19 && sentence.startsWith('This is Caddy'))
}

type Inside = Pick<FiveCommands, 'reached' | 'withoutRow' | 'seconds' | 'survived'>

/** Not one of the ranges that the program takes for private. */
const NETWORK = '5.9'

type Roots = { root: string; edgeRoot: string | undefined }

async function runInside(
  { root, edgeRoot }: Roots,
  drills: readonly string[],
  commands: readonly string[],
): Promise<Inside> {
  const program = join(import.meta.dirname, 'five-commands-inside.ts')
  const unprivileged = 'echo 0 >/proc/sys/net/ipv4/ip_unprivileged_port_start'
  const prepared = `ip link set lo up && ip addr add ${NETWORK}.80.1/16 dev lo && ${unprivileged} && exec "$@"`
  const inNamespace = ['--mount', '--net', 'sh', '-c', prepared, 'sh']
  const child = spawn('unshare', [...inNamespace, process.execPath, program, root, drills.join(','), ...commands], {
    env: { ...process.env, TEST_INTERNET_NETWORK: NETWORK, ...(edgeRoot !== undefined && { EDGE_ROOT: edgeRoot }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [output, log] = ['', '']
  child.stdout.on('data', (part: Buffer) => (output += part.toString()))
  child.stderr.on('data', (part: Buffer) => (log = (log + part.toString()).slice(-20_000)))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`The commands failed:\n${output}${log}`)
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Inside
}
