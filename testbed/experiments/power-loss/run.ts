// Cuts the power of PostgreSQL again and again while clients add animals through the service, and counts the animals that
// were acknowledged before a cut and are missing afterwards.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { provision, startPostgres, type RunningPostgres } from '../../../devserver/postgres.ts'
import { parseConfig } from '../../../server/src/program/config.ts'
import { openDatabaseOf } from '../../../server/src/program/database.ts'
import { migrate } from '../../../server/src/foundation/postgres/migrate.io.ts'
import { openDatabase } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { startService } from '../../../server/src/program/serve.ts'
import { newStore, startWriters, storedNames, type Store } from '../../safety/writers.ts'
import { openDisk } from './disk.ts'

export type PowerLossFigures = {
  cuts: number
  acknowledged: number
  lost: number
  /** Why a process of production does not start with this PostgreSQL; null if it does. */
  refusal: string | null
}

const DATABASE = 'petstore'
const CLIENTS = 8
/** Before each cut, and up to as many more. */
const ANIMALS_MIN = 50

/** `isLazy`: PostgreSQL acknowledges what it has not written yet. */
export async function cutPower({ cuts, isLazy }: { cuts: number; isLazy: boolean }): Promise<PowerLossFigures> {
  const disk = openDisk()
  const directory = join(disk.folder, 'data')
  const settings: Record<string, string> = isLazy ? { synchronous_commit: 'off', wal_writer_delay: '10s' } : {}
  const acknowledged: string[] = []
  let store: Store | undefined
  let refusal: string | null = null
  let stored = new Set<string>()
  let postgres: RunningPostgres | undefined
  try {
    for (let cut = 0; cut <= cuts; cut += 1) {
      postgres = await startPostgres({ directory, settings })
      // A machine that recovers is busy.
      const url = `${postgres.urlOf('petstore_app', DATABASE)}?connect_timeout=10`
      const config = configOf(url)
      if (!store) {
        await provision(postgres.superuserUrl, DATABASE)
        await migrate(postgres.urlOf('petstore_owner', DATABASE))
        refusal = await refusalOf(url)
      }
      const database = openDatabase({ url, poolMax: 2, onError: () => {} })
      store ??= await newStore(config, database)
      stored = await storedNames(database, store.project)
      // What is there before the first cut is not the question.
      if (cut === 0) await checkpoint(postgres.superuserUrl)
      if (cut === 0) disk.sync()
      if (cut < cuts) {
        const service = await startService(config, { logger: { level: 'silent' } })
        const prefix = `${cut}-`
        const writers = startWriters(`http://127.0.0.1:${service.port}`, { key: store.key, clients: CLIENTS, prefix })
        await writers.acknowledged(ANIMALS_MIN + Math.floor(Math.random() * ANIMALS_MIN))
        acknowledged.push(...writers.names)
        const postmaster = postmasterOf(directory)
        disk.cut()
        killed(postmaster)
        await writers.stop()
        await service.stop()
      }
      await database.close().catch(() => {})
      await postgres.stop()
      if (cut < cuts) await disk.powerOn()
    }
  } finally {
    await postgres?.stop()
    await disk.close()
  }
  return {
    cuts,
    acknowledged: acknowledged.length,
    lost: acknowledged.filter((name) => !stored.has(name)).length,
    refusal,
  }
}

async function checkpoint(superuserUrl: string): Promise<void> {
  const client = new pg.Client(superuserUrl)
  await client.connect()
  await client.query('checkpoint')
  await client.end()
}

/** Not production, so that it starts with a PostgreSQL that loses data. */
const configOf = (url: string) =>
  parseConfig({
    ENVIRONMENT: 'staging',
    DATABASE_URL: url,
    PORT: '0',
    DNS_RESOLVERS: 'none=127.0.0.1:1',
    RATE_LIMIT_PER_KEY: '100000000',
    RATE_LIMIT_PER_PROJECT: '100000000',
  })

async function refusalOf(url: string): Promise<string | null> {
  try {
    await (await openDatabaseOf(parseConfig({ DATABASE_URL: url }), 'serve', () => {})).close()
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/** It may have ended already: it cannot write any more. */
function killed(postmaster: number): void {
  try {
    process.kill(postmaster, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The first line of the file is the process id. */
const postmasterOf = (directory: string): number =>
  Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0])
