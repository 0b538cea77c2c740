// One knot: a real authoritative server with the zones of one role. Zone files and keys are
// written before it starts, because knot reads them only then; later zones are added by a new
// configuration, later records by RFC 2136.

import { join } from 'node:path'
import { addressOf, type KnotRole } from './roles.ts'
import { makeFolder, putFile, run, startDaemon, type Daemon } from './processes.ts'
import { signBadly } from './expired.ts'
import type { SigningKey } from './keys.ts'
import type { HeldZone } from './zones.ts'

export type Knot = {
  role: KnotRole
  daemon: Daemon
  /** Adds zones. */
  hold(zones: readonly HeldZone[]): Promise<void>
}

export type KnotOptions = {
  directory: string
  port: number
  hasIpv6: boolean
  updateSecret: string
  /** Of a key that may change nothing but TXT records at `_acme-challenge` of a zone. */
  challengeSecret: string
  key: SigningKey
}

export async function startKnot(role: KnotRole, zones: readonly HeldZone[], options: KnotOptions): Promise<Knot> {
  const home = join(options.directory, role)
  const held = [...zones]
  for (const folder of ['run', 'db', 'zones']) makeFolder(join(home, folder))
  putFile(join(home, 'key.pem'), options.key.pem)
  await write(home, held, zones, role, options)
  const daemon = startDaemon('knotd', ['-c', join(home, 'knot.conf')])
  return {
    role,
    daemon,
    async hold(more) {
      if (more.length === 0) return
      held.push(...more)
      await write(home, held, more, role, options)
      await run('knotc', ['-s', join(home, 'run', 'knot.sock'), 'reload'])
    },
  }
}

async function write(
  home: string,
  all: readonly HeldZone[],
  fresh: readonly HeldZone[],
  role: KnotRole,
  options: KnotOptions,
): Promise<void> {
  for (const zone of fresh) putFile(join(home, 'zones', fileName(zone.zone)), textOf(zone, options.key))
  putFile(join(home, 'knot.conf'), configuration(home, all, role, options))
  for (const { zone, signing } of fresh) {
    if (signing === 'knot') await giveKey(home, zone)
  }
}

function textOf({ zone, text, signing }: HeldZone, key: SigningKey): string {
  if (signing !== 'expired' && signing !== 'forged') return text
  return signBadly(zone, text, key, signing, Math.floor(Date.now() / 1000))
}

const fileName = (zone: string): string => `${zone === '' ? 'root' : zone}.zone`

async function giveKey(home: string, zone: string): Promise<void> {
  const since = ['created', 'publish', 'ready', 'active'].map((step) => `${step}=t-1d`)
  const kind = ['algorithm=13', 'ksk=yes', 'zsk=yes']
  await run('keymgr', [
    '-c',
    join(home, 'knot.conf'),
    `${zone}.`,
    'import-pem',
    join(home, 'key.pem'),
    ...kind,
    ...since,
  ])
}

function configuration(home: string, zones: readonly HeldZone[], role: KnotRole, options: KnotOptions): string {
  const listen = [
    `${addressOf[role]}@${options.port}`,
    ...(role === 'first' && options.hasIpv6 ? [`::1@${options.port}`] : []),
  ]
  return `server:
    rundir: "${home}/run"
${listen.map((address) => `    listen: ${address}`).join('\n')}
    udp-workers: 1
    tcp-workers: 1
    background-workers: 1
log:
  - target: stderr
    any: warning
database:
    storage: "${home}/db"
    journal-db-max-size: 10M
    kasp-db-max-size: 10M
    timer-db-max-size: 10M
key:
  - id: update
    algorithm: hmac-sha256
    secret: ${options.updateSecret}
  - id: challenge
    algorithm: hmac-sha256
    secret: ${options.challengeSecret}
acl:
  - id: update
    key: update
    action: [ update, transfer ]
  - id: challenge
    key: challenge
    action: update
    update-type: [ TXT ]
    update-owner: name
    update-owner-match: equal
    update-owner-name: [ _acme-challenge ]
policy:
  - id: signed
    manual: on
    single-type-signing: on
template:
  - id: default
    storage: "${home}/zones"
    zonefile-load: whole
    zonefile-sync: -1
    journal-content: none
    semantic-checks: off
    acl: [ update, challenge ]
${zones.length === 0 ? '' : `zone:\n${zones.map(zoneLines).join('')}`}`
}

const zoneLines = ({ zone, signing }: HeldZone): string =>
  `  - domain: ${zone}.\n    file: "${fileName(zone)}"\n${signing === 'knot' ? '    dnssec-signing: on\n    dnssec-policy: signed\n' : ''}`
