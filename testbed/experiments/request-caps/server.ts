// A server of published sites, in a process of its own: its parent sets the clock, and learns the port from the answer.
//
// `broken` (negative control) counts in the memory of the process instead of the database.

import { parseConfig } from '../../../server/src/program/config.ts'
import { startEdge } from '../../../server/src/program/edge.ts'
import type { CountRates } from '../../../server/src/foundation/load/rate-directory.io.ts'

export type ClockJob = { now: number }
export type ServerAddress = { port: number }

/** The caps are those that a project has by default. */
const settings = {
  PLATFORM_HOST: 'petstore.test:3080',
  EDGE_PORT: '0',
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'Petstore <no-reply@petstore.example>',
  TRUSTED_PROXIES: '127.0.0.1',
  RATE_LIMIT_RESERVATIONS_PER_ADDRESS: '1000000',
  RATE_LIMIT_RESERVATIONS_PER_PROJECT: '1000000',
}

const [, , url = '', mode] = process.argv
let now = Date.now()
const edge = await startEdge(parseConfig({ ...settings, DATABASE_URL: url }), {
  logger: { level: 'silent' },
  now: () => now,
  ...(mode === 'broken' && { countRates: inMemory() }),
})

process.on('message', (job: ClockJob) => {
  now = job.now
  process.send?.({ port: edge.port })
})
process.on('disconnect', () => void edge.stop().then(() => process.exit(0)))
process.send?.('ready')

/** Without an end: the attack lasts an hour, and a period lasts a day. */
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
