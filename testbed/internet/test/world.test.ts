// Tests of the test internet: real queries to every server of it. The tests of domains rely on these guarantees.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RecordType } from 'dns-packet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isRunning, until } from '../processes.ts'
import { question, type ScriptedAnswer } from '../dns-query.ts'
import { startWorld, type Role, type World, type WorldZone } from '../world.ts'

const shop = ['shop CNAME happy-paws.petstore.test.']
const zones: readonly WorldZone[] = [
  { zone: 'willow-street.test', records: ['shop A 192.0.2.1', 'shop TXT "two  words"'] },
  {
    zone: 'two-minds.test',
    servers: [
      { name: 'ns1.two-minds.test', role: 'first' },
      { name: 'ns2.two-minds.test', role: 'second', records: ['shop A 192.0.2.2'] },
      { name: 'ns3.two-minds.test', role: 'third', holds: false },
    ],
    records: ['shop A 192.0.2.1'],
  },
  { zone: 'good.test', records: shop, signing: 'good' },
  { zone: 'lost-key.test', records: shop, signing: 'wrong_ds' },
  { zone: 'old-key.test', records: shop, signing: 'expired' },
  { zone: 'secret-key.test', records: shop, signing: 'good', ds: 'none' },
  { zone: 'moved-out.test', servers: [{ name: 'ns1.moved-out.test', role: 'lame' }], records: [] },
  { zone: 'asleep.test', servers: [{ name: 'ns1.asleep.test', role: 'silent' }], records: [] },
  { zone: 'unconnected.test', records: shop, isUndelegated: true },
  {
    zone: 'at-cloudflare.test',
    servers: [{ name: 'amy.ns.cloudflare.com', role: 'first' }],
    records: shop,
    delegated: ['amy.ns.cloudflare.com', 'gone.ns.cloudflare.com'],
    own: ['amy.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
    soa: { serial: 77, minimum: 900 },
    ttl: 300,
  },
  { zone: 'shelter.co.uk', servers: [{ name: 'ns1.shelter.co.uk', role: 'first', v6: true }], records: shop },
  { zone: 'child.willow-street.test', records: ['@ A 192.0.2.9'] },
]

let world: World
beforeAll(async () => {
  world = await startWorld({ zones })
})
afterAll(() => world.close())

const at = (role: Role, name: string, type: RecordType, of = world): Promise<ScriptedAnswer | null> =>
  question({ address: of.addressOf(role), port: of.ports.authoritative, name, type })

const resolve = (
  name: string,
  type: RecordType,
  { cd = false, of = world, which = 0 } = {},
): Promise<ScriptedAnswer | null> => {
  const { address = '', port = 0 } = of.dns.resolvers[which] ?? {}
  return question({ address, port, name, type, rd: true, cd, waitMs: 8_000 })
}

const values = (received: ScriptedAnswer | null): string[] =>
  (received?.answers ?? []).map((record) => ('data' in record ? (record.data as string | Buffer[]).toString() : ''))

/** The median, in milliseconds. */
const median = (times: readonly number[]): number => Math.round(times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0)

async function measured(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await act()
  return performance.now() - began
}

// The figure is for people; the limit leaves room for a busy machine.
test('the test internet is ready within its limit, and reports the time', () => {
  process.stdout.write(`world ready in ${Math.round(world.readyMs)} ms\n`)
  expect(world.readyMs).toBeLessThan(10_000)
})

describe('the authoritative servers', () => {
  test('can each serve their own content of a zone', async () => {
    expect(values(await at('first', 'shop.two-minds.test', 'A'))).toEqual(['192.0.2.1'])
    expect(values(await at('second', 'shop.two-minds.test', 'A'))).toEqual(['192.0.2.2'])
  })

  test('answer REFUSED without the zone, even if they have others', async () => {
    expect((await at('lame', 'shop.moved-out.test', 'A'))?.code).toBe(5)
    expect((await at('third', 'shop.two-minds.test', 'A'))?.code).toBe(5)
  })

  test('give no answer if silent or closed', async () => {
    expect(await at('silent', 'shop.asleep.test', 'A')).toBeNull()
    expect(await at('closed', 'shop.asleep.test', 'A')).toBeNull()
  })

  test('refer from the parent zone with glue for nameservers inside the zone', async () => {
    const received = await at('parent', 'shop.willow-street.test', 'A')
    expect(received?.flag_aa).toBe(false)
    expect(received?.authorities?.map(({ name, type }) => `${name} ${type}`)).toEqual(
      Array(2).fill('willow-street.test NS'),
    )
    expect(
      received?.additionals
        ?.filter(({ type }) => type === 'A')
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['ns1.willow-street.test', 'ns2.willow-street.test'])
  })

  test('can list different nameservers in the parent zone and in the zone itself', async () => {
    const above = await at('parent', 'at-cloudflare.test', 'NS')
    const own = await at('first', 'at-cloudflare.test', 'NS')
    const targets = above?.authorities?.map((record) => ('data' in record ? record.data : ''))
    expect(targets?.toSorted()).toEqual(['amy.ns.cloudflare.com', 'gone.ns.cloudflare.com'])
    expect(values(own).toSorted()).toEqual(['amy.ns.cloudflare.com', 'bob.ns.cloudflare.com'])
  })

  test('answer with the SOA and TTLs of the zone', async () => {
    const received = await at('first', 'nothing.at-cloudflare.test', 'A')
    expect(received?.code).toBe(3)
    expect(received?.authorities?.[0]).toMatchObject({ type: 'SOA', ttl: 300, data: { serial: 77, minimum: 900 } })
    expect((await at('first', 'shop.at-cloudflare.test', 'CNAME'))?.answers?.[0]).toMatchObject({ ttl: 300 })
  })

  test('delegate a zone inside another one', async () => {
    expect((await at('first', 'x.child.willow-street.test', 'A'))?.authorities?.[0]).toMatchObject({
      type: 'SOA',
      name: 'child.willow-street.test',
    })
    expect(values(await resolve('child.willow-street.test', 'A'))).toEqual(['192.0.2.9'])
  })

  test('answer over IPv6 too', async () => {
    if (!world.hasIpv6) return
    expect(values(await resolve('ns1.shelter.co.uk', 'AAAA'))).toEqual(['::1'])
    const received = await question({
      address: '::1',
      port: world.ports.authoritative,
      name: 'shop.shelter.co.uk',
      type: 'CNAME',
    })
    expect(values(received)).toEqual(['happy-paws.petstore.test'])
  })
})

describe('the resolvers', () => {
  test.each([0, 1])('validate signatures from the root on (resolver %i)', async (which) => {
    expect(await resolve('shop.good.test', 'A', { which })).toMatchObject({ code: 0, flag_ad: true })
    expect(await resolve('lost-key.test', 'SOA', { which })).toMatchObject({ code: 2, error: 9 })
    expect(await resolve('shop.old-key.test', 'CNAME', { which })).toMatchObject({ code: 2, error: 7 })
    expect(await resolve('shop.secret-key.test', 'CNAME', { which })).toMatchObject({ code: 0, flag_ad: false })
    expect(await resolve('shop.willow-street.test', 'A', { which })).toMatchObject({ code: 0, flag_ad: false })
    expect(await resolve('nothing.test', 'A', { which })).toMatchObject({ code: 3, flag_ad: true })
  })

  test.each(['lost-key.test', 'old-key.test'])('asked not to check, it tells what is in %s', async (zone) => {
    expect(values(await resolve(`shop.${zone}`, 'CNAME', { cd: true }))).toEqual(['happy-paws.petstore.test'])
  })

  test('resolve the platform and the nameservers of providers', async () => {
    expect(values(await resolve('happy-paws.petstore.test', 'A'))).toEqual(['127.0.80.1'])
    expect(values(await resolve('amy.ns.cloudflare.com', 'A'))).toEqual([world.addressOf('first')])
    expect((await resolve('gone.ns.cloudflare.com', 'A'))?.code).toBe(3)
  })

  test('answer NXDOMAIN for a zone without a delegation, and SERVFAIL for a lame one', async () => {
    expect((await resolve('shop.unconnected.test', 'A'))?.code).toBe(3)
    expect((await resolve('shop.moved-out.test', 'A'))?.code).toBe(2)
  })
})

describe('an edit while it runs', () => {
  test('takes effect at once on every server of the zone, or only on those it names', async () => {
    const times: number[] = []
    for (const n of [1, 2, 3, 4, 5]) {
      times.push(
        await measured(() => world.edit('willow-street.test', { add: [`new${n} CNAME happy-paws.petstore.test.`] })),
      )
      expect(values(await at('first', `new${n}.willow-street.test`, 'CNAME'))).toEqual(['happy-paws.petstore.test'])
      expect(values(await at('second', `new${n}.willow-street.test`, 'CNAME'))).toEqual(['happy-paws.petstore.test'])
      expect(values(await resolve(`new${n}.willow-street.test`, 'A'))).toEqual([
        'happy-paws.petstore.test',
        '127.0.80.1',
      ])
    }
    process.stdout.write(`an edit on two servers takes ${median(times)} ms (median of ${times.length})\n`)
    await world.edit('willow-street.test', { remove: ['new5'] })
    expect(await resolve('new5.willow-street.test', 'A')).toMatchObject({ code: 3, answers: [] })
    await world.edit('willow-street.test', { remove: ['shop'], add: ['shop 60 CNAME @'] }, ['second'])
    expect(values(await at('first', 'shop.willow-street.test', 'A'))).toEqual(['192.0.2.1'])
    expect((await at('second', 'shop.willow-street.test', 'CNAME'))?.answers?.[0]).toMatchObject({
      ttl: 60,
      data: 'willow-street.test',
    })
  })

  test('of a signed zone is signed', async () => {
    await world.edit('good.test', { add: ['later A 192.0.2.3', 'later TXT "a  b"'] })
    expect(await resolve('later.good.test', 'A')).toMatchObject({ code: 0, flag_ad: true })
    expect(values(await resolve('later.good.test', 'TXT'))).toEqual(['a  b'])
  })

  test('of the parent zone changes the delegation', async () => {
    await world.edit('test', { remove: ['secret-key.test. NS'] })
    expect((await at('parent', 'shop.secret-key.test', 'A'))?.code).toBe(3)
  })

  test('is an error if a server would drop a record silently', async () => {
    await expect(world.edit('willow-street.test', { add: ['new1 A 192.0.2.1'] })).rejects.toThrow(
      'can have no other record',
    )
    await expect(world.edit('willow-street.test', { add: ['x NONSENSE y'] })).rejects.toThrow('no type of record')
    await expect(world.edit('willow-street.test', { add: ['x A nonsense'] })).rejects.toThrow('did not take the change')
    await expect(world.edit('nowhere.test', { add: ['x A 192.0.2.1'] })).rejects.toThrow('no zone nowhere.test')
  })

  test('can add zones, several at once, with new top-level domains, keys and parents', async () => {
    const more: WorldZone[] = [
      { zone: 'late.test', records: shop, signing: 'good' },
      { zone: 'late.example', records: shop, signing: 'wrong_ds' },
      { zone: 'late.good.test', records: ['@ A 192.0.2.4'], signing: 'good' },
      { zone: 'at-late.test', servers: [{ name: 'ns1.late.net', role: 'third' }], records: shop },
    ]
    const took = await measured(() => world.addZones(more))
    process.stdout.write(`four zones were added in ${Math.round(took)} ms\n`)
    await Promise.all([
      world.addZones([{ zone: 'one.test', records: shop }]),
      world.addZones([{ zone: 'two.test', records: shop }]),
    ])
    expect(await resolve('shop.late.test', 'A')).toMatchObject({ code: 0, flag_ad: true })
    expect(await resolve('late.good.test', 'A')).toMatchObject({ code: 0, flag_ad: true })
    expect(await resolve('shop.late.example', 'A')).toMatchObject({ code: 2 })
    expect(values(await resolve('ns1.late.net', 'A'))).toEqual([world.addressOf('third')])
    for (const zone of ['at-late', 'one', 'two']) {
      expect(values(await resolve(`shop.${zone}.test`, 'CNAME'))).toEqual(['happy-paws.petstore.test'])
    }
    expect((await at('parent', 'shop.one.test', 'A'))?.additionals?.some(({ name }) => name === 'ns1.one.test')).toBe(
      true,
    )
  })

  test('is rejected with a message for a zone with a mistake, a duplicate zone and a nameserver with two roles', async () => {
    await expect(world.addZones([{ zone: 'mistake.test', records: ['shop A nonsense'] }])).rejects.toThrow(
      'does not take a zone',
    )
    await expect(world.addZones([{ zone: 'good.test', records: [] }])).rejects.toThrow('in the world twice')
    const servers = [{ name: 'amy.ns.cloudflare.com', role: 'third' as const }]
    await expect(world.addZones([{ zone: 'other.test', servers, records: [] }])).rejects.toThrow(
      'a nameserver has one role',
    )
    await world.addZones([{ zone: 'three.test', records: shop }])
    expect((await resolve('shop.three.test', 'CNAME'))?.code).toBe(0)
  })
})

describe('several test internets', () => {
  test('run next to each other in isolation, and one of them caches as real resolvers do', async () => {
    const zone = { zone: 'memory.test', records: ['shop A 192.0.2.1'], ttl: 600, soa: { minimum: 600 } }
    const [other, third] = await Promise.all([startWorld({ zones: [zone], cache: 'real' }), startWorld()])
    try {
      expect(new Set([world, other, third].map(({ ports }) => ports.authoritative)).size).toBe(3)
      expect((await resolve('shop.memory.test', 'A'))?.code).toBe(3)
      expect((await resolve('shop.memory.test', 'A', { of: third }))?.code).toBe(3)
      expect(values(await resolve('shop.memory.test', 'A', { of: other }))).toEqual(['192.0.2.1'])
      expect((await resolve('new.memory.test', 'A', { of: other }))?.code).toBe(3)

      await other.edit('memory.test', { remove: ['shop A'], add: ['shop A 192.0.2.2', 'new A 192.0.2.3'] })
      expect(values(await at('first', 'shop.memory.test', 'A', other))).toEqual(['192.0.2.2'])
      expect(values(await resolve('shop.memory.test', 'A', { of: other }))).toEqual(['192.0.2.1'])
      expect((await resolve('new.memory.test', 'A', { of: other }))?.code).toBe(3)

      await other.forget()
      expect(values(await resolve('shop.memory.test', 'A', { of: other }))).toEqual(['192.0.2.2'])
      expect(values(await resolve('new.memory.test', 'A', { of: other }))).toEqual(['192.0.2.3'])
    } finally {
      await Promise.all([other.close(), third.close()])
    }
  })
})

describe('the cleanup', () => {
  const leftovers = (pid: number): string[] =>
    readdirSync(tmpdir()).filter((name) => name.startsWith(`petstore-world-${pid}-`))

  test('leaves no process, folder or open port after close', async () => {
    const short = await startWorld()
    expect(short.processIds.every(isRunning)).toBe(true)
    await short.close()
    expect(short.processIds.filter(isRunning)).toEqual([])
    expect(existsSync(short.directory)).toBe(false)
    expect(await at('parent', 'test', 'SOA', short)).toBeNull()
    await short.close()
  })

  test('leaves nothing of a test internet that cannot start', async () => {
    const before = leftovers(process.pid)
    await expect(startWorld({ zones: [{ zone: 'mistake.test', records: ['shop A nonsense'] }] })).rejects.toThrow(
      'does not take a zone',
    )
    expect(leftovers(process.pid)).toEqual(before)
  })

  test('ends the servers when their parent process is killed, and the next test internet removes the folder', async () => {
    // Of their own: any other test internet that starts at the same time would remove the folder.
    const folder = mkdtempSync(join(tmpdir(), 'petstore-killed-'))
    const file = new URL('../world.ts', import.meta.url).href
    const start = (then: string) => {
      const program = `import { startWorld } from ${JSON.stringify(file)}
        const world = await startWorld()
        ${then}`
      return spawn(process.execPath, ['--input-type=module', '-e', program], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, TMPDIR: folder },
      })
    }
    const parent = start(`const { processIds, directory } = world
      process.stdout.write(JSON.stringify({ processIds, directory }))`)
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const { processIds, directory } = JSON.parse(line.toString()) as { processIds: number[]; directory: string }
    expect(processIds.every(isRunning)).toBe(true)
    parent.kill('SIGKILL')
    await once(parent, 'exit')
    await until('The end of the servers', async () => !processIds.some(isRunning))
    expect(existsSync(directory)).toBe(true)
    expect(await once(start('await world.close()'), 'exit')).toEqual([0, null])
    expect(existsSync(directory)).toBe(false)
    rmSync(folder, { recursive: true })
  })
})
