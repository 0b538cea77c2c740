// Issuance survives kill -9 at each step, with real workers, a real authority and a real
// database: testbed/experiments/issuance-kill at the size of a test. Its checks are tried on
// workers that break a guarantee, and on histories that do.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openEnvironment, type IssuanceEnvironment } from '../../../testbed/experiments/issuance-kill/environment.ts'
import { harass } from '../../../testbed/experiments/issuance-kill/chaos.ts'
import {
  killAtEach,
  overtakeAtEach,
  stepNames,
  type StepOutcome,
  type Watched,
} from '../../../testbed/experiments/issuance-kill/steps.ts'
import { faultsOf } from '../../../testbed/experiments/issuance-kill/main.ts'
import { asOwner, cloneDatabase, type TestDatabase } from '../../../testbed/harness/database.ts'
import { issuanceSteps } from './issuance-steps.ts'

const nothing: Watched = { lives: [], activeMax: 0 }
const faultsIn = (watched: Partial<Record<'killed' | 'overtaken', Watched>>) =>
  faultsOf({ killed: nothing, overtaken: nothing, chaos: null, ...watched })

// Dozens of processes are started one after the other, which is slow on a busy machine.
describe('the workers of the program', { timeout: 180_000 }, () => {
  let storage: TestDatabase
  let environment: IssuanceEnvironment
  beforeAll(async () => {
    storage = await cloneDatabase()
    environment = await openEnvironment(storage)
  })
  afterEach(() => environment.killAll())
  afterAll(() => environment?.close())

  test('take these steps', async () => {
    expect(await stepNames(environment)).toEqual(issuanceSteps)
  })

  test('can be killed at each step: the next one continues, and only one moment costs a second order', async () => {
    const killed = await killAtEach(environment, issuanceSteps)
    expect(faultsIn({ killed })).toEqual([])
    expect(killed.lives.filter(({ placed }) => placed > 1).map(({ step }) => step)).toEqual(['order_asked'])
  })

  test('that were slow store nothing for a former owner', async () => {
    const some = ['intent_stored', 'order_placed', 'certificate_downloaded']
    expect(faultsIn({ overtaken: await overtakeAtEach(environment, some) })).toEqual([])
  })

  test('can be killed at random', async () => {
    const chaos = await harass(environment, { seconds: 3, domains: 15 })
    expect(faultsOf({ killed: nothing, overtaken: nothing, chaos })).toEqual([])
    // Work that a busy machine did not finish in time is retried.
    expect(chaos.errors.filter((error) => !error.includes('PostgreSQL cannot answer now'))).toEqual([])
  })

  test('that store no intent place one more order after each death (negative control)', async () => {
    const killed = await killAtEach(environment, ['order_placed'], 'forgetful')
    expect(faultsIn({ killed })).toEqual(['forgetful-0.killed.test (order_placed): 2 orders were placed, and 1 may be'])
  })

  test('that do not check their claim store a certificate of an earlier owner (negative control)', async () => {
    const overtaken = await overtakeAtEach(environment, ['certificate_downloaded'], 'unfenced')
    expect(faultsIn({ overtaken })).toEqual([
      'unfenced-0.killed.test (certificate_downloaded): a certificate of an earlier owner was stored',
    ])
  })

  test('that open two orders for one hostname are reported (negative control)', async () => {
    await asOwner(storage, async (client) => {
      await client.query('drop index one_active_order')
      await client.query(
        `insert into certificate_orders (id, hostname, generation, state, is_renewal, evidence, created_at)
         select 'cor_' || repeat(number::text, 24), 'undisturbed.killed.test', 1, 'wanted', false, '', now()
         from generate_series(1, 2) as number`,
      )
    })
    const activeMax = await environment.active()
    expect(faultsIn({ killed: { lives: [], activeMax } })).toEqual(['2 orders were open for one name at once'])
  })
})

describe('the check', () => {
  test.each<[Partial<StepOutcome>, string]>([
    [{ isServed: false }, 'a (told): there is no certificate in the end'],
    [{ placed: 2 }, 'a (told): 2 orders were placed, and 1 may be'],
    [{ older: 1 }, 'a (told): a certificate of an earlier owner was stored'],
  ])('reports a history with %o (negative control)', (broken, fault) => {
    const good = { hostname: 'a', step: 'told', placed: 1, mayHaveLost: 0, isServed: true, older: 0 }
    expect(faultsIn({ killed: { lives: [good], activeMax: 1 } })).toEqual([])
    expect(faultsIn({ killed: { lives: [{ ...good, ...broken }], activeMax: 1 } })).toEqual([fault])
  })
})
