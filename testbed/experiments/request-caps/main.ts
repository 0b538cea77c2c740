// One sender against a shop window. For an hour, by a clock that is moved, an IPv4 address, then a /64 and then a /48
// ask for nine animals again and again, through four processes that share the database and nothing else. No animal is
// held, all nine stay on the home page, and 5, 5 and 20 confirmations are mailed. Meanwhile another visitor is served,
// and a day later the first one is.
//
//   npm run experiment -- request-caps --help
//
// `--broken` is the negative control: each process counts in its own memory, and more are mailed. It exits non-zero
// whenever a cap was exceeded.

import { join } from 'node:path'
import { openDatabase } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { heldAnimals, openShopWindow, queuedLinks, type ShopWindow } from '../../harness/shop-window.ts'
import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { startWorkerProcess } from '../../harness/worker-process.ts'
import { readFlags } from '../flags.ts'
import type { ClockJob, ServerAddress } from './server.ts'

const PROCESSES = 4
const ANIMALS = 9
const HOUR = 3_600_000
const START = Date.UTC(2026, 0, 5, 12, 0, 30)
const serverScript = join(import.meta.dirname, 'server.ts')

/** An IPv4 address; a /64, in which one sender has every address; a /48 with all its networks. */
const senders = {
  address: ['192.0.2.7'],
  group: Array.from({ length: 40 }, (_, n) => `2001:db8:1:2::${(n + 1).toString(16)}`),
  network: Array.from({ length: 40 }, (_, n) => `2001:db8:2:${(n + 1).toString(16)}::1`),
} as const
export type Sender = keyof typeof senders

/** The confirmations that each sender may cause in a day. */
const caps: Readonly<Record<Sender, number>> = { address: 5, group: 5, network: 20 }

export type CapOptions = { rounds: number; senders?: readonly Sender[]; isBroken?: boolean }
export type CapFigures = {
  processes: number
  /** Requests of each sender. */
  sent: number
  mailed: Readonly<Record<Sender, number>>
  /** Animals that a visitor no longer sees as available. */
  held: number
  /** Animals on the home page. */
  shown: number
  /** What the form answered to another visitor, to the first sender, and to the same one a day later. */
  statuses: { other: number; same: number; nextDay: number }
}

/** What was exceeded; undefined if nothing was. */
export function faultOf({ mailed, held, shown, statuses }: CapFigures): string | undefined {
  const { other, same, nextDay } = statuses
  const exceeded = (Object.keys(caps) as Sender[]).find((sender) => mailed[sender] > caps[sender])
  if (exceeded !== undefined) return `${mailed[exceeded]} confirmations for one ${exceeded}`
  if (held > 0 || shown < ANIMALS) return `${held} animals held, ${shown} of ${ANIMALS} on the home page`
  if (other !== 303 || same !== 429 || nextDay !== 303) return `answered ${other}, ${same} and ${nextDay}`
  return undefined
}

export async function measureRequestCaps({ appUrl }: { appUrl: string }, options: CapOptions): Promise<CapFigures> {
  const { rounds, senders: attackers = Object.keys(senders) as Sender[], isBroken = false } = options
  const database = openDatabase({ url: appUrl, poolMax: 2, onError: () => {} })
  const start = () =>
    startWorkerProcess<ClockJob, ServerAddress>(serverScript, isBroken ? [appUrl, 'broken'] : [appUrl])
  const processes = await Promise.all(Array.from({ length: PROCESSES }, start))
  try {
    const setClock = (now: number) => Promise.all(processes.map((each) => each.send({ now })))
    const origins = (await setClock(START)).map(({ port }) => `http://127.0.0.1:${port}`)
    const shop = { ...(await openShopWindow(database, { origins, animals: ANIMALS })), setClock }
    const mailed = { address: 0, group: 0, network: 0 }
    for (const sender of attackers) {
      const before = await shop.count(queuedLinks)
      await attack(shop, senders[sender], rounds)
      mailed[sender] = (await shop.count(queuedLinks)) - before
    }
    const shown = await shop.shown()
    const send = (from: string) => shop.ask({ animal: 0, server: 0, from })
    const statuses = { other: await send('198.51.100.9'), same: await send(senders.address[0]), nextDay: 0 }
    await shop.setClock(START + 25 * HOUR)
    await shop.readForms()
    statuses.nextDay = await send(senders.address[0])
    const held = await shop.count(heldAnimals)
    return { processes: PROCESSES, sent: rounds * ANIMALS, mailed, held, shown, statuses }
  } finally {
    await Promise.all(processes.map((each) => each.stop()))
    await database.close()
  }
}

/** Every animal at once, each through the next process and from the next address, in every round of an hour. */
async function attack(
  { ask, setClock }: Pick<ShopWindow, 'ask'> & { setClock: (now: number) => Promise<unknown> },
  addresses: readonly string[],
  rounds: number,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await setClock(START + Math.floor((round * HOUR) / rounds))
    const statuses = await Promise.all(
      Array.from({ length: ANIMALS }, (_, animal) => {
        const from = addresses[(round * ANIMALS + animal) % addresses.length] ?? ''
        return ask({ animal, server: animal + round, from })
      }),
    )
    const wrong = statuses.find((status) => status !== 303 && status !== 429)
    if (wrong !== undefined) throw new Error(`a form was answered with ${wrong}`)
  }
}

export const lineOf = ({ processes, sent, mailed, held, shown }: CapFigures): string =>
  `request-caps: ${sent} requests of each sender over ${processes} processes: ${mailed.address} confirmations of one ` +
  `address, ${mailed.group} of one /64, ${mailed.network} of one /48; ${held} animals held, ${shown} on the home page`

if (import.meta.main) {
  const flags = readFlags('request-caps')
  await using postgres = await startTemporaryPostgres()
  const database = await postgres.createDatabase()
  const figures = await measureRequestCaps(database, { rounds: Number(flags.rounds), isBroken: flags.broken })
  const fault = faultOf(figures)
  if (flags.json) process.stdout.write(`${JSON.stringify(figures)}\n`)
  else process.stdout.write(`${lineOf(figures)}${fault === undefined ? '' : `\n${fault}`}\n`)
  process.exitCode = fault === undefined ? 0 : 1
}
