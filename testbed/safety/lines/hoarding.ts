// One sender with a whole IPv6 network cannot empty a shop window: it gets no further than what one network may ask for in a
// day, which holds no animal before a visitor confirms or the owner decides; and a visitor from elsewhere is served as if the
// sender were not there.

import { parseConfig } from '../../../server/src/program/config.ts'
import { startEdge } from '../../../server/src/program/edge.ts'
import { openDatabase } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { countRates, type CountRates } from '../../../server/src/foundation/load/rate-directory.io.ts'
import { heldAnimals, openShopWindow, storedRequests } from '../../harness/shop-window.ts'
import { inParallel } from '../clients.ts'
import { must, type SafetyLine, type SafetyRun } from '../line.ts'

const tiers = {
  small: { addresses: 60, animals: 30, honest: 4, rounds: 2 },
  large: { addresses: 10_000, animals: 200, honest: 20, rounds: 60 },
}

/** In a day, of one /48 in one project: the default of REQUESTS_PER_NETWORK. */
const PER_NETWORK = 20
const HOUR = 3_600_000
const START = Date.UTC(2026, 0, 5, 12, 0, 30)

export const safetyLine: SafetyLine = {
  title: 'One network cannot empty a shop window',
  sizes: { small: '60 addresses, 2 rounds', large: '10,000 addresses, 60 rounds' },
  guards: [{ name: 'address-groups', instead: 'raw addresses', isQuick: false }],
  run,
}

const ways = {
  'without mail': { env: {}, most: PER_NETWORK },
  'with mail': {
    env: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Petstore <no-reply@petstore.example>' },
    most: 0,
  },
}

async function run(options: SafetyRun): Promise<void> {
  const { addresses, animals, honest } = tiers[options.tier]
  for (const [way, { env, most }] of Object.entries(ways)) {
    const { held, stored, served } = await hoard(options, env)
    const figures = `${stored} requests stored of ${addresses}, ${held} of ${animals} animals held`
    options.report({ [way]: `${figures}, ${served} of ${honest} visitors served` })
    must(held <= most, `${way}, ${addresses} addresses of one /48 hold ${held} animals; at most ${most} are allowed`)
    must(stored <= PER_NETWORK, `${way}, ${stored} requests of one /48 were stored; at most ${PER_NETWORK} are allowed`)
    must(served === honest, `${way}, ${served} of ${honest} visitors from elsewhere were served`)
  }
}

/** An hour, by a clock that is moved: every address of the sender asks once, for the next animal. */
async function hoard({ tier, without, createDatabase }: SafetyRun, env: Record<string, string>) {
  const { addresses, animals, honest, rounds } = tiers[tier]
  const { appUrl } = await createDatabase()
  let now = START
  const config = parseConfig({ ...settings, ...env, DATABASE_URL: appUrl })
  const edgeOptions = { logger: { level: 'silent' }, now: () => now }
  const seam = without === undefined ? {} : { countRates: byRawAddress }
  const edges = await Promise.all([1, 2].map(() => startEdge(config, { ...edgeOptions, ...seam })))
  const database = openDatabase({ url: appUrl, poolMax: 2, onError: () => {} })
  try {
    const origins = edges.map(({ port }) => `http://127.0.0.1:${port}`)
    const shop = await openShopWindow(database, { origins, animals })
    const perRound = Math.ceil(addresses / rounds)
    for (let round = 0; round < rounds; round++) {
      now = START + Math.floor((round * HOUR) / rounds)
      await inParallel(8, perRound, (k) => {
        const n = round * perRound + k
        return shop.ask({ animal: n % animals, server: n, from: `2001:db8:2:${(n + 1).toString(16)}::1` })
      })
    }
    const held = await shop.count(heldAnimals)
    const stored = await shop.count(storedRequests)
    // Each from a network of its own, for animals that the sender has asked for as well.
    const statuses = await inParallel(2, honest, (n) =>
      shop.ask({ animal: animals - 1 - n, server: n, from: `203.0.${n}.9` }),
    )
    return { held, stored, served: statuses.filter((status) => status === 303).length }
  } finally {
    await Promise.all(edges.map((edge) => edge.stop()))
    await database.close()
  }
}

/** Limits are those that an installation has by default. */
const settings = { PLATFORM_HOST: 'petstore.test:3080', EDGE_PORT: '0', TRUSTED_PROXIES: '127.0.0.1' }

/** Every address of the sender asks once, so that by its address alone it never reaches a cap. */
const byRawAddress: CountRates = (db, counted, period) =>
  countRates(
    db,
    counted.filter(({ kind }) => kind === 'request_project'),
    period,
  )
