// Hostile nameservers, at the size of CI; `npm run experiment -- hostile` runs the full size.
// Each check runs the real code in a separate process, against the hostile responder of the
// test internet, with mutations on the wire.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { provenBy } from '../testbed/internet/hostile-truth.ts'
import { mutant } from '../testbed/internet/hostile-mutant.ts'
import { honest } from '../testbed/internet/hostile-class.ts'
import { flag, reply, types, wireName, type PacketQuestion } from '../testbed/internet/packets.ts'
import { startWorld, type World } from '../testbed/internet/world.ts'
import { checkControls } from '../testbed/experiments/hostile/negative-controls.ts'
import { brokenIn, drawClasses, runHostile } from '../testbed/experiments/hostile/run.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

const SEED = 20_260
const CLASSES = 60
const MUTATIONS = 10

test(`${CLASSES} classes of hostile answers with ${MUTATIONS} mutations each cause no crash, delay, leak or false proof`, async () => {
  const report = await runHostile(world, { seed: SEED, mutations: MUTATIONS, classes: drawClasses(SEED, CLASSES) })
  process.stdout.write(`${JSON.stringify(report)}\n`)
  expect(report.findings).toEqual([])
  expect(brokenIn(report)).toEqual([])
  expect(report.looks).toBe(CLASSES * MUTATIONS)
}, 180_000)

test('a broken observer, judge, decoder or output is reported (negative control)', async () => {
  expect(await checkControls(world, SEED)).toEqual([])
})

const truth = { target: 'happy-paws.petstore.test', token: 'petstore-verify=h0st1le', address: '127.0.80.1' }

function questionFor(name: string, type: number): PacketQuestion {
  const section = Buffer.concat([wireName(name), Buffer.from([0, type, 0, 1])])
  return { id: 7, name, type, section, message: Buffer.alloc(0), hasEdns: true }
}

test('only an answer that is correct in every respect counts as proof', () => {
  const question = questionFor('_petstore.m1-1.twice.hostile.test', types.TXT)
  const answer = honest(question, truth)
  expect(provenBy(reply(question, answer), question, truth)).toBe('txt')
  expect(provenBy(reply(question, { ...answer, id: 8 }), question, truth)).toBeNull()
  expect(provenBy(reply(question, { ...answer, rcode: 5 }), question, truth)).toBeNull()
  expect(provenBy(reply(question, { ...answer, flags: flag.response }), question, truth)).toBeNull()
  expect(provenBy(reply(question, answer), question, { ...truth, token: 'another' })).toBeNull()
  const alias = questionFor('m1-1.twice.hostile.test', types.CNAME)
  expect(provenBy(reply(alias, honest(alias, truth)), alias, truth)).toBe('cname')
  expect(provenBy(reply(alias, honest(alias, truth)), { ...alias, name: 'm1-2.twice.hostile.test' }, truth)).toBeNull()
})

test('the queried name selects the mutation, reproducibly; number 0 means none', () => {
  const bytes = reply(questionFor('a.test', types.A), {})
  const sent = (label: string) => mutant(bytes, questionFor(`${label}.twice.hostile.test`, types.A))
  expect(sent('m1-0').equals(bytes)).toBe(true)
  expect(sent('shop').equals(bytes)).toBe(true)
  expect(sent('m1-4').equals(bytes)).toBe(false)
  expect(sent('m1-4')).toEqual(sent('m1-4'))
  expect(sent('m1-4').equals(sent('m2-4'))).toBe(false)
})
