// PostgreSQL is killed, stopped, full or silent while clients add animals: what was acknowledged is stored, no request
// hangs, and the service serves again soon after PostgreSQL does, without a restart.

import { setTimeout as pause } from 'node:timers/promises'
import { parseConfig } from '../../../server/src/program/config.ts'
import { openDatabase, type Database, type Db } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { startService } from '../../../server/src/program/serve.ts'
import { postgresFaults, startBreakablePostgres, type BreakablePostgres } from '../breakable-postgres.ts'
import { must, type SafetyLine, type SafetyRun } from '../line.ts'
import { newStore, startWriters, storedNames } from '../writers.ts'

const tiers = {
  /** A busy machine delays every deadline. */
  small: { rounds: 5, clients: 8, betweenFaults: 20, hangMs: 30_000, servingMs: 30_000 },
  large: { rounds: 200, clients: 32, betweenFaults: 200, hangMs: 3_000, servingMs: 2_000 },
}

export const safetyLine: SafetyLine = {
  title: 'Nothing that was acknowledged is lost when PostgreSQL fails, and the service recovers',
  sizes: { small: '5 rounds, 8 clients', large: '200 rounds, 32 clients' },
  guards: [{ name: 'commit-first', instead: 'responses before the commit', isQuick: false }],
  run,
}

async function run({ tier, without, report }: SafetyRun): Promise<void> {
  const { rounds, clients, betweenFaults, hangMs, servingMs } = tiers[tier]
  const postgres = await startBreakablePostgres()
  const config = parseConfig({
    DATABASE_URL: postgres.appUrl,
    PORT: '0',
    DNS_RESOLVERS: 'none=127.0.0.1:1',
    RATE_LIMIT_PER_KEY: '100000000',
    RATE_LIMIT_PER_PROJECT: '100000000',
  })
  const database = openDatabase({ url: postgres.appUrl, poolMax: 10, onError: () => {} })
  const isHasty = without === 'commit-first'
  const service = await startService(config, {
    logger: { level: 'silent' },
    ...(isHasty && { database: hasty(database) }),
  })
  const store = await newStore(config, database)
  const writers = startWriters(`http://127.0.0.1:${service.port}`, { key: store.key, clients })
  try {
    const faults = postgresFaults.filter((fault) => postgres.can(fault))
    const seen = faults.map((fault) => ({ fault, times: 0, slowest: 0, recovery: 0 }))
    /** Requests that a fault delays end before the next one, or soon after. */
    const endOf = (one: (typeof seen)[number] | undefined) => {
      if (one) one.slowest = Math.max(one.slowest, writers.slowestSince())
    }
    for (let round = 0; round < rounds; round += 1) {
      const one = seen[round % seen.length]
      if (!one) throw new Error('no fault can be caused')
      await writers.acknowledged(betweenFaults)
      endOf(seen.at((round - 1) % seen.length))
      await postgres.cause(one.fault, writers.failed)
      await postgres.repair()
      const repairedAt = performance.now()
      await writers.acknowledged(1)
      one.recovery = Math.max(one.recovery, Math.round(performance.now() - repairedAt))
      one.times += 1
    }
    const { names, slowest, statuses } = await writers.stop()
    endOf(seen.at((rounds - 1) % seen.length))
    const slowestRecovery = Math.max(...seen.map(({ recovery }) => recovery))
    const stored = await storedNames(database, store.project)
    const lost = names.filter((name) => !stored.has(name)).length
    report({
      faults: seen
        .map(
          (one) =>
            `${one.fault} ${one.times} times, slowest request ${one.slowest} ms, serving after ${one.recovery} ms`,
        )
        .join('; '),
      acknowledged: names.length,
      lost,
      'slowest request (ms)': slowest,
      'serving again after (ms)': slowestRecovery,
      'other responses': JSON.stringify(statuses),
    })
    must(lost === 0, `${lost} of ${names.length} acknowledged animals are lost`)
    must(slowest <= hangMs, `a request took ${slowest} ms`)
    must(slowestRecovery <= servingMs, `it took ${slowestRecovery} ms to serve again`)
    const others = Object.keys(statuses).filter((status) => status !== '503')
    must(others.length === 0, `responses other than 503: ${others.join(', ')}`)
  } finally {
    await writers.stop()
    await closed(service, database, postgres)
  }
}

async function closed(service: { stop(): Promise<void> }, database: Database, postgres: BreakablePostgres) {
  await service.stop()
  await database.close()
  await postgres.close()
}

/** Responds as soon as everything is written, and commits a moment later. */
function hasty(database: Database): Database {
  const transaction: Database['transaction'] = (settings, work) =>
    new Promise((resolve, reject) => {
      const responding = async (db: Db) => {
        const result = await work(db)
        resolve(result)
        await pause(50)
        return result
      }
      database.transaction(settings, responding).catch(reject)
    })
  return { ...database, transaction, run: (one, ...values) => transaction({}, (db) => db(one, ...values)) }
}
