// One sender with a whole IPv6 network cannot empty a shop window: it gets no further than what one network may ask for in a
// day, which holds no animal before a visitor confirms or the owner decides; and a visitor from elsewhere is served as if the
// sender were not there. An address and a /64 get fewer, whichever process they ask.

import { parseConfig } from '../../../server/src/program/config.ts'
import { startEdge } from '../../../server/src/program/edge.ts'
import { openDatabase } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { countRates, type CountRates } from '../../../server/src/foundation/load/rate-directory.io.ts'
import { heldAnimals, openShopWindow, storedRequests, type ShopWindow } from '../../harness/shop-window.ts'
import { inParallel } from '../clients.ts'
import { must, type SafetyLine, type SafetyRun } from '../line.ts'

const tiers = {
  small: { addresses: 60, animals: 30, honest: 4, rounds: 2 },
  large: { addresses: 10_000, animals: 200, honest: 20, rounds: 60 },
}

/** In a day, in one project: the defaults of REQUESTS_PER_ADDRESS and REQUESTS_PER_NETWORK. */
const PER_ADDRESS = 5
const PER_NETWORK = 20
const HOUR = 3_600_000
const START = Date.UTC(2026, 0, 5, 12, 0, 30)
const PROCESSES = 2

export const safetyLine: SafetyLine = {
  title: 'One network cannot empty a shop window',
  sizes: { small: '60 addresses, 2 rounds', large: '10,000 addresses, 60 rounds' },
  guards: [
    { name: 'address-groups', instead: 'raw addresses', isQuick: false },
    { name: 'shared-caps', instead: 'counters in the memory of each process', isQuick: true },
  ],
  run,
}

const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Petstore <no-reply@petstore.example>' }
const ways = { 'without mail': { env: {}, most: PER_NETWORK }, 'with mail': { env: mail, most: 0 } }

async function run(options: SafetyRun): Promise<void> {
  const { addresses, animals, honest } = tiers[options.tier]
  await confirmations(options)
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
function hoard(run: SafetyRun, env: Record<string, string>) {
  const { addresses, animals, honest, rounds } = tiers[run.tier]
  return withShopWindow(run, { env, animals }, async (shop, setClock) => {
    const perRound = Math.ceil(addresses / rounds)
    for (let round = 0; round < rounds; round++) {
      setClock(START + Math.floor((round * HOUR) / rounds))
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
  })
}

const senders = {
  address: () => '192.0.2.7',
  '/64': (n: number) => `2001:db8:1:2::${(n + 1).toString(16)}`,
}
const ASKED = 30

/** Without limits for a minute, which a sender could wait for. */
const patient = {
  RATE_LIMIT_RESERVATIONS_PER_ADDRESS: '1000000',
  RATE_LIMIT_RESERVATIONS_PER_PROJECT: '1000000',
}

/** Confirmations that an address and a /64 cause, each asking for every animal again and again; and the next day. */
function confirmations(run: SafetyRun): Promise<void> {
  const animals = 9
  return withShopWindow(run, { env: { ...mail, ...patient }, animals }, async (shop, setClock) => {
    for (const [sender, addressOf] of Object.entries(senders)) {
      const before = await shop.count(storedRequests)
      await inParallel(8, ASKED, (n) => shop.ask({ animal: n % animals, server: n, from: addressOf(n) }))
      const caused = (await shop.count(storedRequests)) - before
      run.report({ [`confirmations for one ${sender}`]: caused })
      must(caused <= PER_ADDRESS, `${caused} confirmations for one ${sender}; at most ${PER_ADDRESS} are allowed`)
    }
    const again = () => shop.ask({ animal: 0, server: 0, from: senders.address() })
    const sameDay = await again()
    setClock(START + 25 * HOUR)
    await shop.readForms()
    const nextDay = await again()
    must(sameDay === 429 && nextDay === 303, `the form answers ${sameDay}, and ${nextDay} a day later`)
  })
}

type WithShop<T> = (shop: ShopWindow, setClock: (now: number) => void) => Promise<T>

/** Behind servers that share the database and nothing else. Limits are those that an installation has by default. */
async function withShopWindow<T>(
  { without, createDatabase }: SafetyRun,
  { env, animals }: { env: Record<string, string>; animals: number },
  use: WithShop<T>,
): Promise<T> {
  const { appUrl } = await createDatabase()
  let now = START
  const config = parseConfig({ ...settings, ...env, DATABASE_URL: appUrl })
  const quiet = { logger: { level: 'silent' }, admission: { least: 1024 } }
  const start = () => startEdge(config, { ...quiet, now: () => now, ...seamOf(without) })
  const edges = await Promise.all(Array.from({ length: PROCESSES }, start))
  const database = openDatabase({ url: appUrl, poolMax: 2, onError: () => {} })
  try {
    const origins = edges.map(({ port }) => `http://127.0.0.1:${port}`)
    return await use(await openShopWindow(database, { origins, animals }), (then) => void (now = then))
  } finally {
    await Promise.all(edges.map((edge) => edge.stop()))
    await database.close()
  }
}

const settings = { PLATFORM_HOST: 'petstore.test:3080', EDGE_PORT: '0', TRUSTED_PROXIES: '127.0.0.1' }

function seamOf(without: string | undefined): { countRates?: CountRates } {
  if (without === undefined) return {}
  return { countRates: without === 'address-groups' ? byRawAddress : inMemory() }
}

/** Every address of the sender asks once, so that by its address alone it never reaches a cap. */
const byRawAddress: CountRates = (db, counted, period) =>
  countRates(
    db,
    counted.filter(({ kind }) => kind === 'request_project'),
    period,
  )

/** Without an end: the sender asks for an hour, and a period lasts a day. */
function inMemory(): CountRates {
  const counts = new Map<string, number>()
  return (_, counted) => {
    const keyOf = ({ kind, key }: (typeof counted)[number]) => `${kind} ${key.toString('hex')}`
    const countOf = (one: (typeof counted)[number]) => counts.get(keyOf(one)) ?? 0
    const refused = counted.filter((one) => countOf(one) >= one.most).map(({ kind }) => kind)
    if (refused.length === 0) for (const one of counted) counts.set(keyOf(one), countOf(one) + 1)
    return Promise.resolve(refused)
  }
}
