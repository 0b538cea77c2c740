// `petstore doctor` in a real environment: PostgreSQL, the test internet, a certificate authority, the service, an edge
// and Caddy in front of it. Healthy it has no finding; broken in one respect, exactly the findings of that check.

import { randomBytes } from 'node:crypto'
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { provision, startPostgres, type RunningPostgres } from '../devserver/postgres.ts'
import { insertAccount } from '../server/src/certificates/allowance-queries.ts'
import { sealedFor } from '../server/src/certificates/acme-accounts.io.ts'
import { newKeyPem, openKeys } from '../server/src/certificates/key-encryption.io.ts'
import { readKeyRing } from '../server/src/certificates/settings.ts'
import { examine } from '../server/src/commands/doctor.ts'
import { parseConfig } from '../server/src/program/config.ts'
import { migrate } from '../server/src/foundation/postgres/migrate.io.ts'
import { readSettings } from '../server/src/program/read-settings.ts'
import { newClusterDirectory } from '../testbed/harness/cluster-directory.ts'
import { startEnvironment, type Environment } from '../testbed/harness/full-environment.ts'
import { newerCaddy } from '../testbed/harness/newer-caddy.ts'
import { runProgram } from '../testbed/harness/process.ts'
import { envOf } from '../testbed/harness/service-environment.ts'

const EDGE = '127.0.80.1'
const zones = [
  { zone: 'elsewhere.test', records: ['* A 127.0.80.77'] },
  { zone: 'forbidden.test', records: [`* A ${EDGE}`, '@ CAA 0 issue "other-authority.example"'] },
]
const caddyText = '{"apps":{}}'
const keys = `2026=${randomBytes(32).toString('base64')}`
const probeSecret = randomBytes(24).toString('base64url')

let postgres: RunningPostgres
let environment: Environment
let directory: string
let healthy: Readonly<Record<string, string>>

beforeAll(async () => {
  const settings = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' }
  postgres = await startPostgres({ directory: newClusterDirectory(), ephemeral: true, settings })
  for (const name of ['petstore', 'empty']) await provision(postgres.superuserUrl, name)
  await migrate(postgres.urlOf('petstore_owner', 'petstore'))
  const appUrl = postgres.urlOf('petstore_app', 'petstore')
  environment = await startEnvironment(appUrl, {
    world: { zones },
    isWorking: false,
    env: { CERTIFICATE_KEYS: keys, PROBE_SECRET: probeSecret },
  })
  const { world, pebble, service, httpPort, httpsPort } = environment
  directory = mkdtempSync(join(tmpdir(), 'petstore-doctor-'))
  writeFileSync(join(directory, 'caddy.json'), JSON.stringify(JSON.parse(caddyText), undefined, 2))
  healthy = {
    ...envOf(world),
    DATABASE_URL: appUrl,
    BASE_URL: service.api,
    STAGING_URL: service.api,
    SITE_SCHEME: 'https',
    EDGE_ADDRESSES: EDGE,
    CERTIFICATE_KEYS: keys,
    PROBE_SECRET: probeSecret,
    PROBE_PORT: String(httpPort),
    PROBE_TLS_PORT: String(httpsPort),
    DNS_TEST_NETWORKS: [...world.dns.allowedNetworks, ...world.web.allowedNetworks].join(','),
    ACME_DIRECTORIES: `letsencrypt.org=${pebble.directoryUrl}`,
    ACME_TEST_ROOTS: `${pebble.tlsRootPem}\n${await pebble.rootPem()}`,
  }
  const [first] = readKeyRing(keys) ?? []
  const seal = openKeys(first ? [first] : [])
  const sealedKey = seal.seal(newKeyPem(), sealedFor('letsencrypt.org'))
  await insertAccount(service.database.run, 'letsencrypt.org', { sealId: seal.sealId, sealedKey })
})
afterAll(async () => {
  await environment.close()
  await postgres.stop()
  rmSync(directory, { recursive: true, force: true })
})

type Broken = {
  env?: Record<string, string>
  file?: readonly string[]
  mode?: number
  caddyFile?: string
  /** Where the program `caddy` is. */
  programs?: string
}

/** The numbers of all findings, without repetition. This machine may be small. */
async function found(broken: Broken = {}): Promise<number[]> {
  const { env = {}, file, mode = 0o600, caddyFile = 'caddy.json', programs = dirname(newerCaddy()) } = broken
  vi.stubEnv('PATH', programs)
  const path = join(directory, 'petstore.env')
  writeFileSync(path, (file ?? []).join('\n'))
  chmodSync(path, mode)
  const merged = readSettings({ ...healthy, ...env }, path)
  const config = parseConfig(merged.env)
  const findings = await examine({ config, merged, caddyText, caddyFile: join(directory, caddyFile) })
  vi.unstubAllEnvs()
  const isOfMachine = ({ check, severity }: (typeof findings)[number]) => check === 26 && severity === 'warning'
  return [...new Set(findings.filter((finding) => !isOfMachine(finding)).map(({ check }) => check))]
}

const urlOf = (role: string, name: string) => postgres.urlOf(role, name)

describe('doctor', () => {
  test('finds nothing in a healthy environment', async () => {
    expect(await found()).toEqual([])
  })

  test.each<[check: number, what: string, broken: () => Broken]>([
    [
      2,
      'a database that cannot be reached',
      () => ({ env: { DATABASE_URL: 'postgresql://petstore_app@127.0.0.1:1/petstore' } }),
    ],
    [3, 'the owner of the tables as the role', () => ({ env: { DATABASE_URL: urlOf('petstore_owner', 'petstore') } })],
    [4, 'a database without a schema', () => ({ env: { DATABASE_URL: urlOf('petstore_app', 'empty') } })],
    [5, 'a large pool', () => ({ env: { DATABASE_POOL_MAX: '60' } })],
    [10, 'an unknown name in the file', () => ({ file: ['BASE_ULR=x'] })],
    [10, 'a misspelt variable', () => ({ env: { BASE_ULR: 'x' } })],
    [
      11,
      'a secret that others can read',
      () => ({ env: { PROBE_SECRET: '' }, file: [`PROBE_SECRET=${probeSecret}`], mode: 0o644 }),
    ],
    [12, 'another key', () => ({ env: { CERTIFICATE_KEYS: `2027=${randomBytes(32).toString('base64')}` } })],
    [13, 'every client as a proxy', () => ({ env: { TRUSTED_PROXIES: '0.0.0.0/0' } })],
    [14, 'another installation at BASE_URL', () => ({ env: { PROBE_SECRET: randomBytes(24).toString('hex') } })],
    [16, 'a wildcard record to elsewhere', () => ({ env: { PLATFORM_HOST: 'elsewhere.test' } })],
    [18, 'an address without Caddy', () => ({ env: { EDGE_ADDRESSES: `${EDGE},127.0.80.99` } })],
    [19, 'no configuration of Caddy', () => ({ caddyFile: 'missing.json' })],
    [19, 'another configuration of Caddy', () => ({ caddyFile: 'petstore.env' })],
    [19, "Debian's Caddy", () => ({ programs: '/usr/bin' })],
    [19, 'no Caddy on this machine', () => ({ programs: directory })],
    [
      20,
      'a port of the edge that is public',
      () => ({ env: { EDGE_HOST: '0.0.0.0', EDGE_PORT: String(environment.httpPort) } }),
    ],
    [21, 'one resolver', () => ({ env: { DNS_RESOLVERS: (healthy['DNS_RESOLVERS'] ?? '').split(',')[0] ?? '' } })],
    [
      22,
      'an authority that cannot be reached',
      () => ({ env: { ACME_DIRECTORIES: 'letsencrypt.org=https://127.0.0.1:1/' } }),
    ],
    [23, 'CAA records of another authority', () => ({ env: { PLATFORM_HOST: 'forbidden.test' } })],
    [30, 'a database that is full', () => ({ env: { DATABASE_BYTES_MAX: '5000000' } })],
  ])('finds %i: %s', async (check, _, broken) => {
    expect(await found(broken())).toEqual([check])
  })

  test.each([
    [7, 'alter role petstore_app set synchronous_commit = off', 'alter role petstore_app reset synchronous_commit'],
  ])('finds %i in PostgreSQL', async (check, breaking, repairing) => {
    const admin = new pg.Client(postgres.superuserUrl)
    await admin.connect()
    await admin.query(breaking)
    const numbers = await found()
    await admin.query(repairing)
    await admin.end()
    expect(numbers).toEqual([check])
  })

  test('finds 31: a relay that fails, unless mail is off (negative control)', async () => {
    const owner = new pg.Client(urlOf('petstore_owner', 'petstore'))
    await owner.connect()
    await owner.query(`insert into mail_relay_failures values ('urgent', 'no connection', 3, now(), now())`)
    const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'shop@shop.example' }
    const numbers = [await found({ env: mail }), await found()]
    await owner.query('delete from mail_relay_failures')
    await owner.end()
    expect(numbers).toEqual([[31], []])
  })

  test('as a command prints sentence and remedy, and exits with 1 for an error', async () => {
    const broken = { ...healthy, DATABASE_POOL_MAX: '60', PATH: '/usr/bin' }
    const { code, output, errors } = await runProgram(['doctor', '--caddy-file', join(directory, 'none')], broken).ended
    expect({ code, errors }).toEqual({ code: 1, errors: '' })
    expect(output).toMatch(/^error 5: This configuration uses up to \d+ connections.*\n {2}Set max_connections/m)
    expect(output).toMatch(/^error 19: There is no /m)
    // That of Debian, with a command that exists.
    const [, installer = ''] = /^error 19: This is Caddy 2\.6\.2.*\n {2}Run: (\S+) caddy /m.exec(output) ?? []
    accessSync(installer, constants.X_OK)
  })
})
