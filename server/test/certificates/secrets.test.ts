// Private keys never leave the program in clear. After real issuance by the real program at
// the most detailed log level:
// - the database, whole and at many moments, and all output of the program hold no key in
//   clear;
// - what was sealed opens only in its own row;
// - re-encrypting everything does not disturb readers.

import { createPrivateKey, randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  openEnvironment,
  comes,
  type IssuanceEnvironment,
} from '../../../testbed/experiments/issuance-kill/environment.ts'
import { freePort } from '../../../devserver/free-port.ts'
import { sealedFor } from '../../src/certificates/acme-accounts.io.ts'
import { findServable } from '../../src/certificates/advance.io.ts'
import { listAccounts } from '../../src/certificates/allowance-queries.ts'
import {
  newKeyPem,
  openKeys,
  type KeyRing,
  type Keys,
  type SealedFor,
} from '../../src/certificates/key-encryption.io.ts'
import { createDesired } from '../../src/certificates/certificate-queries.ts'
import { readKeyRing } from '../../src/certificates/settings.ts'
import { storeCertificate } from '../../src/certificates/stored-queries.ts'
import { putRoute } from '../../src/fleet/directory.io.ts'
import type { DeliveredCertificate } from '../../src/fleet/protocol.ts'
import { cloneDatabase, type TestDatabase } from '../../../testbed/harness/database.ts'
import { runProgram } from '../../../testbed/harness/process.ts'
import type { Program } from '../../../testbed/harness/program.ts'
import { enrolledWith } from '../../../testbed/harness/test-edges.ts'
import { keysFoundIn } from './secret-search.ts'

const names = [1, 2, 3, 4].map((number) => `shop-${number}.killed.test`)
const sealed = (hostname: string, generation = 1n): SealedFor => ({ hostname, generation, purpose: 'certificate' })

let storage: TestDatabase
let environment: IssuanceEnvironment
let env: Record<string, string>

beforeAll(async () => {
  storage = await cloneDatabase()
  environment = await openEnvironment(storage)
  env = { ...environment.settings, LOG_LEVEL: 'debug', PORT: '0', CONTROL_PORT: String(await freePort()) }
})
afterAll(() => environment?.close())

/** Every row of every table, as a reader with full access to the database gets it. */
async function dump(): Promise<string> {
  const client = new pg.Client(`postgresql://postgres@127.0.0.1:${inject('postgresPort')}/${storage.name}`)
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    )
    const texts = []
    for (const { name } of rows) {
      const { rows: found } = await client.query<{ row: string }>(`select row_to_json(t)::text as row from ${name} t`)
      texts.push(`${name}\n`, ...found.map(({ row }) => `${row}\n`))
    }
    return texts.join('')
  } finally {
    await client.end()
  }
}

async function ran(args: readonly string[], changes: Record<string, string> = {}): Promise<string> {
  const { code, output, errors } = await runProgram(args, { ...env, ...changes }).ended
  if (code !== 0) throw new Error(`petstore ${args.join(' ')} ended with ${code}: ${errors}`)
  return output
}

const ended = async (program: Program): Promise<string> => {
  program.end('SIGTERM')
  const { output, errors } = await program.ended
  return output + errors
}

const storedAt = async (hostname: string, generation = 1n) => {
  const found = await findServable(environment.database.run, hostname, generation, Date.now())
  if (!found) throw new Error(`${hostname} has no certificate`)
  return found
}

async function openedKeys(): Promise<string[]> {
  const certificates = await Promise.all(names.map((name) => storedAt(name)))
  const accounts = await listAccounts(environment.database.run, ['authority.test'])
  return [
    ...certificates.map(({ hostname, sealedKey }) => environment.keys.open(sealedKey, sealed(hostname)) ?? ''),
    ...accounts.map(({ authority, sealedKey }) => environment.keys.open(sealedKey, sealedFor(authority)) ?? ''),
  ]
}

test(
  'neither the database nor the output of the program holds a private key in clear',
  { timeout: 180_000 },
  async () => {
    const [work, serve] = [runProgram(['work'], env), runProgram(['serve'], env)]
    await serve.port
    const dumps: string[] = []
    for (const name of names) await environment.request(name)
    const areServed = async () => {
      // At many moments: the key of an order is stored before the authority receives the order.
      dumps.push(await dump())
      return (await Promise.all(names.map((name) => environment.isServed(name, 1n)))).every(Boolean)
    }
    expect(await comes(areServed, 120_000)).toBe(true)

    const added = await ran(['edges', 'add', 'one', '--json'])
    const { id, token } = JSON.parse(added) as { id: string; token: string }
    const edge = await enrolledWith(environment.database.run, { id, name: 'one', token })
    const received: (string | undefined)[] = []
    for (const hostname of names) {
      const { serial } = await storedAt(hostname)
      const leads = { kind: 'site', slug: 'happy-paws', serial } as const
      await environment.database.transaction({}, (db) => putRoute(db, hostname, 1n, leads))
      const url = `/edge/v1/certificates/${hostname}?generation=1`
      const headers = { Authorization: await edge.authorize({ method: 'GET', url, headers: {} }) }
      const response = await fetch(`http://127.0.0.1:${env['CONTROL_PORT']}${url}`, { headers })
      received.push(edge.openKey((await response.json()) as DeliveredCertificate))
    }
    const said = [
      { name: 'the log of the work', text: await ended(work) },
      { name: 'the log of the service', text: await ended(serve) },
      { name: 'the list', text: await ran(['certificates', 'list', '--json']) },
      { name: 'the list for people', text: await ran(['certificates', 'list']) },
    ]
    const keys = await openedKeys()
    // They are the keys that the edges received, so the search is for the right ones.
    expect(keys.slice(0, names.length)).toEqual(received)
    expect(new Set(keys).size).toBe(names.length + 1)
    const places = [...said, ...dumps.map((text, index) => ({ name: `dump ${index}`, text }))]
    expect(dumps.some((text) => /"state":"(placed|authorizing|finalizing)"/.test(text))).toBe(true)
    expect(keysFoundIn(places, keys)).toEqual([])

    const { certificates } = JSON.parse(said[2]?.text ?? '') as { certificates: object[] }
    const shown = { state: 'issued', authority: 'authority.test', sealId: 'first', cause: null }
    expect(certificates).toEqual(
      names.map((hostname) => ({ ...shown, hostname, notAfter: expect.any(String), renewAt: expect.any(String) })),
    )
  },
)

describe('the search for keys', () => {
  const keyPem = newKeyPem()
  const key = createPrivateKey(keyPem)
  const der = key.export({ format: 'der', type: 'pkcs8' })
  const number = Buffer.from(key.export({ format: 'jwk' }).d ?? '', 'base64url')
  test.each<[what: string, text: string]>([
    ['PEM', keyPem],
    ['PEM within JSON', JSON.stringify({ err: { message: keyPem } })],
    ['PEM as bytes that PostgreSQL prints', `\\x${Buffer.from(keyPem).toString('hex')}`],
    ['DER in capitals', der.toString('hex').toUpperCase()],
    ['DER in base64', der.toString('base64')],
    ['the bare number in a log', `{"d":"${number.toString('base64url')}"}`],
    ['the bare number in bytes', Buffer.concat([randomBytes(7), number, randomBytes(5)]).toString('hex')],
    ['the bare number in base64 of more', Buffer.concat([randomBytes(7), number, randomBytes(5)]).toString('base64')],
  ])('finds %s (negative control)', (_, text) => {
    expect(keysFoundIn([{ name: 'here', text: `x${text}x` }], [keyPem])).not.toEqual([])
    expect(keysFoundIn([{ name: 'here', text: `x${newKeyPem().slice(40, -40)}x` }], [keyPem])).toEqual([])
  })

  test('finds a key that is written into the database (negative control)', async () => {
    const hostname = names[0] ?? ''
    const { sealedKey } = await storedAt(hostname)
    const planted = environment.keys.open(sealedKey, sealed(hostname)) ?? ''
    await withClient((client) =>
      client.query('update certificate_wishes set evidence = $1 where hostname = $2', [planted, hostname]),
    )
    expect(keysFoundIn([{ name: 'dump', text: await dump() }], [planted])).toContain('dump: a line of a key as PEM')
    await withClient((client) => client.query(`update certificate_wishes set evidence = 'as first seen'`))
  })
})

const withClient = async (work: (client: pg.Client) => Promise<unknown>): Promise<void> => {
  const client = new pg.Client(storage.appUrl)
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

describe('a sealed key', () => {
  test('does not open with any bit flipped', async () => {
    const [hostname = ''] = names
    const { sealedKey } = await storedAt(hostname)
    const opened: string[] = []
    for (let bit = 0; bit < sealedKey.length * 8; bit++) {
      const bent = Buffer.from(sealedKey)
      bent.writeUInt8(bent.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      if (environment.keys.open(bent, sealed(hostname)) !== null) opened.push(`bit ${bit}`)
    }
    expect(opened).toEqual([])
    expect(environment.keys.open(sealedKey, sealed(hostname))).toContain('BEGIN PRIVATE KEY')
  })

  test('does not open in the row of another hostname, of another generation or for another purpose', async () => {
    const [one = '', other = ''] = names
    const swap = `update certificates as c set sealed_key = o.sealed_key from certificates as o
      where (c.hostname, o.hostname) in (($1, $2), ($2, $1))`
    await withClient((client) => client.query(swap, [one, other]))
    expect(await environment.isServed(one, 1n)).toBe(false)
    expect(await environment.isServed(other, 1n)).toBe(false)
    await withClient((client) => client.query(swap, [one, other]))
    expect(await environment.isServed(one, 1n)).toBe(true)
    const { sealedKey } = await storedAt(one)
    expect(environment.keys.open(sealedKey, sealed(one, 2n))).toBeNull()
    expect(environment.keys.open(sealedKey, { ...sealed(one), purpose: 'account' })).toBeNull()
  })
})

test(
  'is re-encrypted without disturbing concurrent readers, and then the old encryption key can be dropped',
  { timeout: 120_000 },
  async () => {
    const [old] = readKeyRing(env['CERTIFICATE_KEYS'] ?? '') ?? []
    const added = `second=${randomBytes(32).toString('base64')}`
    const [fresh] = readKeyRing(added) ?? []
    if (!old || !fresh) throw new Error('there are two keys')
    const many = Array.from({ length: 300 }, (_, number) => `many-${number}.killed.test`)
    for (const hostname of many) await fill(environment.keys, hostname)

    const reading = { isOver: false, reads: 0, failures: [] as string[] }
    const keysOf = (...ring: KeyRing) => openKeys(ring)
    const all = [...names, ...many]
    // Before anything is sealed with a new key, every process must be able to open with it.
    const read = async (keys: Keys, from: number): Promise<void> => {
      for (let index = from; !reading.isOver; index++) {
        const hostname = all[index % all.length] ?? ''
        const { sealedKey } = await storedAt(hostname)
        reading.reads++
        if (keys.open(sealedKey, sealed(hostname)) === null) reading.failures.push(hostname)
      }
    }
    const readers = [read(keysOf(old, fresh), 0), read(keysOf(fresh, old), 150)]
    const rotate = () =>
      ran(['certificates', 'rotate-keys', '--json'], { CERTIFICATE_KEYS: `${added},${env['CERTIFICATE_KEYS']}` })
    const before = reading.reads
    const rotated = rotate().finally(() => (reading.isOver = true))
    await Promise.all([rotated, ...readers])
    const during = reading.reads - before

    expect(JSON.parse(await rotated)).toEqual({
      sealId: 'second',
      resealed: all.length + 1,
      remaining: 0,
      unreadable: [],
    })
    expect(during).toBeGreaterThan(100)
    expect(reading.failures).toEqual([])
    for (const hostname of all) {
      const { sealedKey, sealId } = await storedAt(hostname)
      expect(sealId).toBe('second')
      expect(keysOf(fresh).open(sealedKey, sealed(hostname))).toContain('BEGIN PRIVATE KEY')
      expect(keysOf(old).open(sealedKey, sealed(hostname))).toBeNull()
    }
    expect(JSON.parse(await rotate())).toMatchObject({ resealed: 0, remaining: 0 })
  },
)

/** As if it had been issued: more certificates than the test would order from an authority. */
async function fill(keys: Keys, hostname: string): Promise<void> {
  const [now, client, generation] = [Date.now(), 'many', 1n]
  const notify = { kind: 'asker', project: 7n, id: hostname }
  const { run } = environment.database
  await createDesired(run, {
    hostname,
    generation,
    client,
    registered: hostname,
    authorities: ['a'],
    evidence: '',
    notify,
  })
  await storeCertificate(run, {
    hostname,
    generation,
    client,
    authority: 'a',
    serial: hostname,
    notBefore: now,
    notAfter: now + 86_400_000,
    chain: '',
    sealId: keys.sealId,
    sealedKey: keys.seal(newKeyPem(), sealed(hostname)),
    certificateId: null,
    askAt: null,
    renewAt: now + 43_200_000,
  })
}
