// Tests of the hostile responder: every class sends an answer, or none, and it survives every
// query. The tests of our own client against the classes are with the client.

import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import { encode, decode } from 'dns-packet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answersFor, hostileClasses, mutate } from '../hostile.ts'
import { readQuestion, type PacketQuestion } from '../packets.ts'
import { edns, question } from '../dns-query.ts'
import { startWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

const truth = { target: 'happy-paws.petstore.test', token: 'petstore-verification=hostile', address: '127.0.80.1' }
const names = Object.keys(hostileClasses)

function asking(name: string, type: 'A' | 'TXT' | 'CNAME' | 'SOA'): PacketQuestion {
  const packet = encode({
    type: 'query',
    id: 4_711,
    questions: [{ name, type, class: 'IN' }],
    additionals: [edns],
  })
  const read = readQuestion(packet)
  if (read === null) throw new Error('The question cannot be read.')
  return read
}

const isDecodable = (bytes: Buffer): boolean => {
  try {
    return decode(bytes).id === 4_711
  } catch {
    return false
  }
}

test('there are at least 60 classes, each with a description, and most of them are lies', () => {
  process.stdout.write(`${names.length} hostile classes\n`)
  expect(names.length).toBeGreaterThanOrEqual(60)
  expect(Object.values(hostileClasses).filter(({ about }) => !/^["A-Z0-9].*\.$/.test(about))).toEqual([])
  expect(Object.values(hostileClasses).filter(({ mayBeBelieved }) => mayBeBelieved).length).toBeLessThan(30)
  expect(names.filter((name) => !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name))).toEqual([])
})

test.each(names)('class %s defines what to send for every query, and sends the same each time', (name) => {
  for (const [host, type] of [
    ['shop', 'A'],
    ['shop', 'CNAME'],
    ['_petstore.shop', 'TXT'],
  ] as const) {
    const sentQuery = asking(`${host}.${name}.rude.test`, type)
    const play = answersFor(sentQuery, truth)
    expect(play).not.toBeNull()
    expect(answersFor(sentQuery, truth)).toEqual(play)
  }
})

test('the zone itself answers honestly in hostile.test and by its class in rude.test', async () => {
  const ask = (zone: string) =>
    question({
      address: world.addressOf('hostile'),
      port: world.ports.authoritative,
      name: `refused.${zone}`,
      type: 'SOA',
    })
  expect(await ask('hostile.test')).toMatchObject({ code: 0, flag_aa: true })
  expect(await ask('rude.test')).toMatchObject({ code: 5 })
  expect(
    await question({
      address: world.addressOf('parent'),
      port: world.ports.authoritative,
      name: 'x.refused.rude.test',
      type: 'A',
    }),
  ).toMatchObject({
    authorities: [{ name: 'refused.rude.test', type: 'NS' }],
  })
})

test('a real resolver resolves a strange but true class to its target, and no lie', async () => {
  const { address = '', port = 0 } = world.dns.resolvers[0] ?? {}
  const resolve = (name: string) => question({ address, port, name, type: 'A', rd: true, waitMs: 8_000 })
  expect((await resolve('shop.tcp-only.hostile.test'))?.answers?.map(({ name }) => name)).toContain(truth.target)
  expect((await resolve('shop.ttl-0.hostile.test'))?.answers?.map(({ name }) => name)).toContain(truth.target)
  expect((await resolve('shop.compression-self.hostile.test'))?.code).toBe(2)
})

test('the responder survives queries for every class over UDP and TCP, with mutations', async () => {
  const seed = { value: 42 }
  const random = (): number => (seed.value = (seed.value * 16_807) % 2_147_483_647) / 2_147_483_647
  world.hostile.bend((bytes) => mutate(bytes, random))
  const udp = createSocket('udp4')
  const before = world.hostile.asked()
  let received = 0
  udp.on('message', () => (received += 1))
  await new Promise<void>((done) => udp.connect(world.ports.authoritative, world.addressOf('hostile'), done))
  for (const name of names) {
    const { message } = asking(`shop.${name}.rude.test`, 'A')
    udp.send(message)
    for (let n = 0; n < 10; n++) udp.send(mutate(message, random))
    // Lets the received data be read before more comes.
    await new Promise((next) => setImmediate(next))
  }
  await Promise.all(names.map((name) => overTcp(asking(`shop.${name}.rude.test`, 'TXT').message)))
  world.hostile.bend(null)
  const honest = await question({
    address: world.addressOf('hostile'),
    port: world.ports.authoritative,
    name: 'late.hostile.test',
    type: 'SOA',
  })
  expect(honest).toMatchObject({ code: 0, flag_aa: true })
  udp.close()
  expect(world.hostile.asked() - before).toBeGreaterThan(names.length * 2)
  expect(received).toBeGreaterThan(100)
})

/** Resolves when data came, the other side closed, or 200 ms are over. */
function overTcp(message: Buffer): Promise<void> {
  return new Promise((done) => {
    const length = Buffer.from([message.length >> 8, message.length & 255])
    const socket = connect(world.ports.authoritative, world.addressOf('hostile'), () =>
      socket.write(Buffer.concat([length, message])),
    )
    socket.on('error', () => undefined)
    socket.on('data', () => socket.destroy())
    socket.setTimeout(200, () => socket.destroy())
    socket.on('close', () => done())
  })
}

test('mutations change messages, and most mutated messages cannot be parsed or differ in content', () => {
  const seed = { value: 7 }
  const random = (): number => (seed.value = (seed.value * 16_807) % 2_147_483_647) / 2_147_483_647
  const { message } = asking('shop.twice.hostile.test', 'A')
  const mutants = Array.from({ length: 1_000 }, () => mutate(message, random))
  expect(mutants.filter((mutant) => mutant.equals(message)).length).toBeLessThan(100)
  expect(mutants.some(isDecodable)).toBe(true)
  expect(mutants.filter((mutant) => !isDecodable(mutant)).length).toBeGreaterThan(100)
})
