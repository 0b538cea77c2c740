// Every check on facts: one that is broken gives a finding with exactly its number, and a healthy installation none.

import { describe, expect, test } from 'vitest'
import type { Finding } from '../../foundation/finding.ts'
import { connectionsNeeded } from '../../foundation/postgres/judge-server.ts'
import { concernsOf } from '../../fleet/edge-concerns.ts'
import type { ContentsFacts } from './judge-contents.ts'
import { isExampleSecret, isUnencryptedDatabase, secretParts, strengthBitsOf } from './judge-program.ts'
import { exitCodeOf, judgeInstallation, reportText, type Facts } from './judge.ts'

const secret = {
  name: 'PROBE_SECRET',
  path: '/etc/petstore/secrets/PROBE_SECRET',
  mode: 0o400,
  strengthBits: 200,
  isExample: false,
  isPassword: false,
  isUnencrypted: false,
}
const machine = { directory: '/var/lib/petstore', diskFreeBytes: 20e9, memoryBytes: 2e9, openFilesMax: 65_536 }
const program: Facts['program'] = {
  nodeVersion: '24.15.0',
  sources: { mistakes: [], warnings: [] },
  secrets: [secret],
  machine: { value: machine },
}
const database = {
  versionNumber: 170_000,
  rights: { isSuper: false, canBypass: false, ownsTables: false },
  schemaTrouble: undefined,
  maxConnections: 100,
  isPooled: false,
  durability: { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', data_checksums: 'on' },
  clockAheadMs: 12,
  encoding: 'UTF8',
  hasBackupRole: true,
  sealIds: [{ id: '2026', decrypts: true }],
}
const api = {
  baseUrl: 'https://app.shop.example/v1',
  listensOn: '127.0.0.1',
  trustedProxies: ['127.0.0.1', '::1'],
  reach: { value: { isOurs: true, status: 200 } },
  certificate: { value: { problem: undefined, daysLeft: 60 } },
}
const port = { address: '203.0.113.10', port: 80, isOpen: true, server: 'Caddy' }
const caddy = {
  version: { value: 'v2.8.4 h1:q3pe+wpBj1OcHFZ3n/1nl4V4bxBrYoSoab7rL9BMYNk=' },
  installer: '/opt/petstore/bin/install-packages',
  path: '/etc/petstore/caddy.json',
  file: { value: 'same' as const },
}
const listener = { name: 'EDGE', host: '127.0.0.1', port: 3080, reachableAt: [] }
const web: NonNullable<Facts['outside']>['web'] = {
  api,
  platformHost: 'shops.example',
  edgeAddresses: ['203.0.113.10', '2001:db8::10'],
  wildcard: { value: ['203.0.113.10', '2001:DB8:0::10'] },
  defaultHost: { value: { hostname: 'willow.shops.example', problem: undefined } },
  ports: [port, { ...port, port: 443, server: undefined }],
  caddy,
  listeners: [listener],
}
const resolver = { name: 'one', address: '192.0.2.1', validates: { value: true } }
const authority = {
  authority: 'letsencrypt.org',
  directory: { value: { clockAheadMs: -900 } },
  account: { problem: undefined, pausedUntil: undefined },
  ordersUsed: 3,
  ordersMax: 240,
}
const names: NonNullable<Facts['outside']>['names'] = {
  resolvers: [resolver, { ...resolver, name: 'two', address: '192.0.2.2' }],
  authorities: [authority],
  caa: [{ name: 'app.shop.example', problem: { value: undefined } }],
  dnsUpdate: { name: '_acme-challenge.shops.example', problem: undefined },
}
const room = { setting: 'MEDIA_BYTES_MAX', bytes: 8e9, bytesMax: 10e9, refused: 'photos' }
const contents: ContentsFacts = {
  expiring: [],
  rooms: [room, { ...room, setting: 'DATABASE_BYTES_MAX', bytesMax: undefined }],
  recovery: { ageHours: 25, lagSeconds: 2 },
  relay: [],
}
const healthy: Facts = {
  program,
  needs: { processes: 1, poolMax: 10 },
  database: { value: database },
  contents: { value: contents },
  outside: { web, names, edges: [] },
}

type Change = {
  edge?: Partial<typeof edge>
  control?: string
  program?: Partial<Facts['program']>
  needs?: Facts['needs']
  database?: Partial<typeof database>
  contents?: Partial<ContentsFacts>
  web?: Partial<typeof web>
  names?: Partial<typeof names>
}
const at = new Date('2027-01-01T00:00:00Z')
const edge: Parameters<typeof concernsOf>[0] = {
  name: 'edge-1',
  enrolledAt: at,
  enrolmentEndsAt: null,
  tokenMisusedAt: null,
  exportStoppedAt: null,
}
const changed = (change: Change): Facts => ({
  program: { ...program, ...change.program },
  needs: change.needs ?? healthy.needs,
  database: { value: { ...database, ...change.database } },
  contents: { value: { ...contents, ...change.contents } },
  outside: {
    web: { ...web, ...change.web },
    names: { ...names, ...change.names },
    control: change.control,
    edges: concernsOf({ ...edge, ...change.edge }, at.getTime()),
  },
})
const found = (facts: Facts) => judgeInstallation(facts).map(({ check, severity }) => `${check} ${severity}`)

/** Environments that are broken in one respect each. */
const rows: readonly (readonly [check: number, what: string, change: Change, severity?: Finding['severity']])[] = [
  [1, 'an old Node', { program: { nodeVersion: '24.14.9' } }],
  [1, 'a much older Node', { program: { nodeVersion: '20.20.2' } }],
  [2, 'PostgreSQL 16', { database: { versionNumber: 160_004 } }],
  [3, 'a superuser', { database: { rights: { isSuper: true, canBypass: false, ownsTables: false } } }],
  [3, 'a role with BYPASSRLS', { database: { rights: { isSuper: false, canBypass: true, ownsTables: false } } }],
  [
    4,
    'a schema that lacks a migration',
    {
      database: {
        schemaTrouble: { sentence: 'The schema lacks 0005-x.sql.', remedy: 'Run the command "migrate" first.' },
      } as object,
    },
  ],
  [5, 'too few connections', { database: { maxConnections: 40 } }],
  [5, 'too many processes', { needs: { processes: 8, poolMax: 10 } }],
  [6, 'a pooler', { database: { isPooled: true } }],
  [7, 'no fsync', { database: { durability: { ...database.durability, fsync: 'off' } } }],
  [7, 'no full_page_writes', { database: { durability: { ...database.durability, full_page_writes: 'off' } } }],
  [7, 'no synchronous_commit', { database: { durability: { ...database.durability, synchronous_commit: 'off' } } }],
  [8, 'no checksums', { database: { durability: { ...database.durability, data_checksums: 'off' } } }, 'warning'],
  [9, 'a late clock', { database: { clockAheadMs: 2100 } }],
  [
    9,
    'a clock ahead of the authority',
    { names: { authorities: [{ ...authority, directory: { value: { clockAheadMs: -3100 } } }] } },
  ],
  [10, 'an unknown setting', { program: { sources: { mistakes: ['X in /e is not a setting.'], warnings: [] } } }],
  [10, 'a misspelt variable', { program: { sources: { mistakes: [], warnings: ['PROT …'] } } }, 'warning'],
  [11, 'a secret that all can read', { program: { secrets: [{ ...secret, mode: 0o644 }] } }, 'warning'],
  [11, 'a short secret', { program: { secrets: [{ ...secret, strengthBits: 20 }] } }, 'warning'],
  [
    11,
    'an example as a password',
    { program: { secrets: [{ ...secret, isExample: true, isPassword: true }] } },
    'warning',
  ],
  [11, 'an example', { program: { secrets: [{ ...secret, isExample: true, strengthBits: 20 }] } }],
  [
    12,
    'a lost key',
    {
      database: {
        sealIds: [
          { id: '2026', decrypts: true },
          { id: '2025', decrypts: false },
        ],
      },
    },
  ],
  [3, 'no role for backups', { database: { hasBackupRole: false } }, 'warning'],
  [13, 'no trusted proxy', { web: { api: { ...api, trustedProxies: [] } } }],
  [13, 'every client as a proxy', { web: { api: { ...api, trustedProxies: ['127.0.0.1', '0.0.0.0/0'] } } }],
  [13, 'another proxy than the one on this machine', { web: { api: { ...api, trustedProxies: ['10.0.0.1'] } } }],
  [14, 'another installation', { web: { api: { ...api, reach: { value: { isOurs: false, status: 404 } } } } }],
  [14, 'no connection', { web: { api: { ...api, reach: { unknown: 'ECONNREFUSED' } } } }, 'undetermined'],
  [
    15,
    'an incomplete chain',
    { web: { api: { ...api, certificate: { value: { problem: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', daysLeft: 60 } } } } },
  ],
  [
    15,
    'a certificate near its end',
    { web: { api: { ...api, certificate: { value: { problem: undefined, daysLeft: 3 } } } } },
    'warning',
  ],
  [16, 'no wildcard record', { web: { wildcard: { value: [] } } }],
  [16, 'a wildcard record to elsewhere', { web: { wildcard: { value: ['198.51.100.7'] } } }],
  [16, 'no addresses of the edges', { web: { edgeAddresses: [] } }],
  [
    17,
    'a default host without certificate',
    { web: { defaultHost: { value: { hostname: 'a.shops.example', problem: 'alert' } } } },
  ],
  [18, 'a closed port', { web: { ports: [{ ...port, isOpen: false }] } }],
  [18, 'another server', { web: { ports: [{ ...port, server: 'nginx' }] } }],
  [19, "Debian's Caddy", { web: { caddy: { ...caddy, version: { value: '2.6.2' } } } }],
  [
    19,
    'an old Caddy',
    { web: { caddy: { ...caddy, version: { value: 'v2.7.6 h1:w0NymbG2m9PcvKWsrXO6EEkY9Ru4FJK8uQbYcev1p3A=' } } } },
  ],
  [19, 'a Caddy without a version', { web: { caddy: { ...caddy, version: { value: '(devel)' } } } }, 'warning'],
  [19, 'a Caddy elsewhere', { web: { caddy: { ...caddy, version: { unknown: 'spawn caddy ENOENT' } } } }, 'warning'],
  [19, 'another configuration of Caddy', { web: { caddy: { ...caddy, file: { value: 'different' } } } }],
  [19, 'no configuration of Caddy', { web: { caddy: { ...caddy, file: { value: 'missing' } } } }],
  [20, 'a public port', { web: { listeners: [{ ...listener, host: '0.0.0.0', reachableAt: ['203.0.113.10'] }] } }],
  [20, 'a port behind a firewall', { web: { listeners: [{ ...listener, host: '::' }] } }, 'warning'],
  [21, 'one resolver', { names: { resolvers: [resolver] } }],
  [
    21,
    'a resolver that does not validate',
    { names: { resolvers: [...names.resolvers, { ...resolver, name: 'three', validates: { value: false } }] } },
  ],
  [
    21,
    'a silent resolver',
    { names: { resolvers: [...names.resolvers, { ...resolver, name: 'three', validates: { unknown: 'timeout' } }] } },
    'warning',
  ],
  [
    22,
    'an authority that cannot be reached',
    { names: { authorities: [{ ...authority, directory: { unknown: 'ECONNREFUSED' } }] } },
  ],
  [
    22,
    'an account that is gone',
    { names: { authorities: [{ ...authority, account: { problem: 'unauthorized', pausedUntil: undefined } }] } },
  ],
  [22, 'a used budget', { names: { authorities: [{ ...authority, ordersUsed: 239 }] } }, 'warning'],
  [
    23,
    'CAA of another authority',
    { names: { caa: [{ name: 'shops.example', problem: { value: 'the set at shops.example' } }] } },
  ],
  [24, 'a wrong TSIG key', { names: { dnsUpdate: { name: '_acme-challenge.shops.example', problem: 'BADSIG' } } }],
  [25, 'no backup of last night', { contents: { recovery: { ageHours: 27, lagSeconds: 0 } } }, 'warning'],
  [25, 'tombstones that wait to be written', { contents: { recovery: { ageHours: 1, lagSeconds: 61 } } }, 'warning'],
  [26, 'a full disk', { program: { machine: { value: { ...machine, diskFreeBytes: 1e8 } } } }, 'warning'],
  [26, 'little memory', { program: { machine: { value: { ...machine, memoryBytes: 5e8 } } } }, 'warning'],
  [26, 'few files', { program: { machine: { value: { ...machine, openFilesMax: 1024 } } } }, 'warning'],
  [27, 'another encoding', { database: { encoding: 'LATIN1' } }],
  [28, 'a token that was presented again', { edge: { tokenMisusedAt: at } }, 'warning'],
  [28, 'an edge that fetches private keys', { edge: { exportStoppedAt: at } }, 'warning'],
  [28, 'an edge that has not enrolled since an upgrade', { edge: { enrolledAt: null } }, 'warning'],
  [
    29,
    'a certificate that was not renewed',
    { contents: { expiring: [{ hostname: 'a.shop.example', daysLeft: 2.4 }] } },
  ],
  [29, 'an expired certificate', { contents: { expiring: [{ hostname: 'a.shop.example', daysLeft: -0.1 }] } }],
  [30, 'a volume that is almost full', { contents: { rooms: [{ ...room, bytes: 8.6e9 }] } }, 'warning'],
  [30, 'a full volume', { contents: { rooms: [{ ...room, bytes: 9.6e9 }] } }],
  [
    31,
    'a relay that fails',
    { contents: { relay: [{ queue: 'urgent', outcome: 'no connection', failures: 3, failedAt: at }] } },
  ],
  [32, 'an edge that its control plane does not serve', { control: 'The control plane did not answer in time.' }],
  [33, 'a database elsewhere, without TLS', { program: { secrets: [{ ...secret, isUnencrypted: true }] } }, 'warning'],
]

const broken = rows.map(([check, what, change, severity = 'error']) => ({ check, what, change, severity }))

describe('an installation', () => {
  test('that is healthy has no finding', () => {
    expect(found(healthy)).toEqual([])
    expect(exitCodeOf([])).toBe(0)
    expect(reportText([])).toBe('No problem was found.')
  })

  test.each(broken)('is broken in check $check by $what, and nowhere else', ({ check, change, severity }) => {
    expect(found(changed(change))).toEqual([`${check} ${severity}`])
  })

  test('can be broken in every check (negative control)', () => {
    const numbers = Array.from({ length: 33 }, (_, index) => index + 1)
    expect([...new Set(broken.map(({ check }) => check))]).toEqual(numbers)
  })

  test('without a reachable database has one finding about it', () => {
    expect(found({ ...healthy, database: { unknown: 'ECONNREFUSED' } })).toEqual(['2 error'])
  })

  test('that is an edge needs no database', () => {
    expect(found({ ...healthy, database: undefined })).toEqual([])
  })

  test('that has never run is not examined from outside', () => {
    expect(found({ ...healthy, outside: undefined })).toEqual([])
  })
})

test('every finding has a sentence and a remedy', () => {
  for (const { sentence, remedy } of broken.flatMap(({ change }) => judgeInstallation(changed(change)))) {
    expect(sentence).toMatch(/^\S.*[.…]$/)
    expect(remedy.length).toBeGreaterThan(5)
  }
})

test('an old Caddy is named, with the command that installs a current one', () => {
  const findings = judgeInstallation(changed({ web: { caddy: { ...caddy, version: { value: '2.6.2' } } } }))
  expect(reportText(findings)).toBe(
    [
      'error 19: This is Caddy 2.6.2: below 2.8, one client can stop it by resetting requests of HTTP/2.',
      '  Run: /opt/petstore/bin/install-packages caddy && systemctl restart caddy',
      '  On other systems than Debian, install Caddy 2.8 or newer from the packages of the system.',
    ].join('\n'),
  )
})

test('the exit status is that of the worst finding', () => {
  const of = (...severities: Finding['severity'][]) =>
    exitCodeOf(severities.map((severity) => ({ check: 1, severity, sentence: '', remedy: '' })))
  expect([of('warning'), of('waiting', 'warning'), of('undetermined', 'waiting'), of('undetermined', 'error')]).toEqual(
    [0, 2, 3, 1],
  )
})

test('the connections that a configuration needs are those of the documented formula', () => {
  expect(connectionsNeeded({ processes: 2, poolMax: 10 })).toBe(2 * 14 + 11 + 8)
})

describe('a secret', () => {
  test.each(['changeme', 'password', 'hunter2', '…', 'AAAAAAAAAAAAAAAA=', 'xxxx', 'postgres'])(
    '%s is an example',
    (text) => {
      expect(isExampleSecret(text)).toBe(true)
    },
  )

  test('that was generated is none', () => {
    expect(isExampleSecret('q3pe+wpBj1OcHFZ3n/1nl4V4bxBrYoSoab7rL9BMYNk=')).toBe(false)
  })

  test('is looked for in the password of an address, in each of several keys, and in no certificate', () => {
    expect(secretParts('postgresql://petstore_app:p%40ss@db.example/petstore')).toEqual(['p@ss'])
    expect(secretParts('postgresql://petstore_app@127.0.0.1/petstore')).toEqual([])
    const key = 'q3pe+wpBj1OcHFZ3n/1nl4V4bxBrYoSoab7rL9BMYNk='
    expect(secretParts(`2026=${key}, 2025=${key}`)).toEqual([key, key])
    expect(secretParts(key)).toEqual([key])
    expect(secretParts('-----BEGIN CERTIFICATE-----\n')).toEqual([])
    expect(strengthBitsOf('aaaa')).toBe(0)
    expect(strengthBitsOf(key)).toBeGreaterThan(128)
  })
})

test.each([
  ['postgresql://a:b@db.internal/petstore', true],
  ['postgresql://a:b@db.internal/petstore?sslmode=disable', false],
  ['postgresql://a:b@db.internal/petstore?sslmode=verify-full', false],
  ['postgresql://a:b@127.0.0.1:5432/petstore', false],
  ['postgresql://a:b@[::1]/petstore', false],
  ['postgresql:///petstore?host=/var/run/postgresql', false],
  ['smtp://mail.internal', false],
])('whether %s crosses a network unencrypted: %s', (text, expected) => {
  expect(isUnencryptedDatabase(text)).toBe(expected)
})
