// `petstore domains check` as an operator runs it: the program in a process of its own,
// without a database, on the test internet.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import type { DomainCheck } from '@petstore-platform/contract/platform/domain-shapes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type World, type WorldZone } from '../../../testbed/internet/world.ts'
import { childEnv } from '../../../testbed/harness/child-env.ts'

const TARGET = 'happy-paws.petstore.test'
const zones: readonly WorldZone[] = [
  { zone: 'good.test', records: [`shop CNAME ${TARGET}.`] },
  { zone: 'example.net', records: [`shop CNAME ${TARGET}.`] },
  { zone: 'conflict.test', records: ['shop A 198.51.100.7'] },
  {
    zone: 'stale.test',
    records: [`shop CNAME ${TARGET}.`],
    servers: [
      { name: 'ns1.stale.test', role: 'first' },
      { name: 'ns2.stale.test', role: 'second', records: [] },
    ],
  },
  { zone: 'dead.test', records: [], servers: [{ name: 'ns1.dead.test', role: 'silent' }] },
]

let world: World
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  world = await startWorld({ zones })
  const { resolvers, authoritativePort, allowedNetworks } = world.dns
  env = {
    ...childEnv,
    ENVIRONMENT: 'staging',
    TEST_SUFFIXES: 'test',
    DNS_RESOLVERS: resolvers.map(({ name, address, port }) => `${name}=${address}:${port}`).join(','),
    DNS_AUTHORITATIVE_PORT: String(authoritativePort),
    DNS_TEST_NETWORKS: allowedNetworks.join(','),
    EDGE_ADDRESSES: '127.0.80.1',
  }
})
afterAll(() => world.close())

const main = join(import.meta.dirname, '../../src/main.ts')

type Ran = { code: number; out: string; err: string }

function check(hostname: string, ...options: readonly string[]): Promise<Ran> {
  const args = [main, 'domains', 'check', hostname, '--target', TARGET, ...options]
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { env }, (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    )
  })
}

describe('petstore domains check', () => {
  test('exits with 0 where everything is correct', async () => {
    const { code, out } = await check('https://shop.good.test/cats')
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/^shop\.good\.test: correct:/) })
    expect(out).toContain(`want  CNAME shop ${TARGET}: right\n  have  CNAME ${TARGET}`)
  })

  test('accepts the domains reserved for documentation, which are in DNS although no owner can add them', async () => {
    expect(await check('shop.example.net')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^shop\.example\.net: correct:/),
    })
    // Negative control: a reserved name that is not in DNS is rejected.
    expect(await check('shop.example')).toMatchObject({
      code: 1,
      out: expect.stringContaining('not a public internet domain'),
    })
  })

  test('exits with 1 where action is required, and prints the instructions', async () => {
    const { code, out } = await check('shop.conflict.test', '--verbose')
    expect(code).toBe(1)
    expect(out).toContain('dns.conflict_a')
    expect(out).toContain(`want  CNAME shop ${TARGET}: conflicting\n  have  A 198.51.100.7`)
    expect(out).toMatch(/Queries and answers\n {2}ns1\.conflict\.test \(127\.0\.53\.\d+\)/)
  })

  test('prints the same as JSON', async () => {
    const { code, out } = await check('shop.conflict.test', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(out) as DomainCheck).toMatchObject({
      hostname: 'shop.conflict.test',
      isReady: false,
      rootCause: { code: 'dns.conflict_a' },
      records: [{ have: [{ line: 'A 198.51.100.7', todo: 'delete' }], state: 'conflicting', required: true }],
    })
  })

  test('exits with 2 where only time is needed', async () => {
    const { code, out } = await check('shop.stale.test')
    expect({ code, out }).toMatchObject({ code: 2, out: expect.stringContaining('zone.ns_disagree') })
  })

  test('never treats silence as an answer', async () => {
    const { code, out } = await check('shop.dead.test')
    expect(out).toContain('zone.ns_unreachable')
    expect(out).not.toContain('dns.no_record')
    expect(code).not.toBe(0)
  })

  test('exits with 3 where nothing could be learned, and prints why', async () => {
    // Nothing in this test internet has the top-level domain, so no nameserver of the name can be found.
    const { code, out } = await check('www.happy-paws.org')
    expect({ code, out }).toMatchObject({
      code: 3,
      out: expect.stringMatching(/^www\.happy-paws\.org: undetermined\n/),
    })
    expect(out).toContain('  zone.not_queried\n  We could not query the DNS of www.happy-paws.org')
    expect(out).toMatch(/Queries and answers\n {2}resolver-\w+ \([\d.]+\) {2}NS org {2}→ {2}NXDOMAIN/)
  })

  test('rejects a hostname that can have no certificate, and an invalid target', async () => {
    expect(await check('my_shop.good.test')).toMatchObject({ code: 1, out: expect.stringContaining('(_)') })
    const wrong = await check('shop.good.test', '--target', 'nonsense')
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('--target takes a hostname') })
  })
})
