// Ways to start the program unsafely in production. Each names what the refusal must say.

import pg from 'pg'
import { parseConfig } from '../../server/src/program/config.ts'
import { checkAtStart } from '../../server/src/operations/doctor/at-start.io.ts'
import { openDatabaseOf } from '../../server/src/program/database.ts'
import { openFitDatabase } from '../../server/src/foundation/postgres/startup-checks.io.ts'
import { release } from '../../server/src/program/release.ts'
import { startTransactionPooler } from '../harness/transaction-pooler.ts'

export type UnsafeStart = { what: string; refusal: string; start: () => Promise<void> }

type Urls = { appUrl: string; ownerUrl: string }

/** `isDeclared`: the server still says that its data may be lost, as those of tests do. */
export function unsafeStarts({ appUrl, ownerUrl }: Urls, isDeclared: boolean): UnsafeStart[] {
  // Only the declaration is taken back: the server of this suite runs without fsync and full_page_writes.
  const fast = isDeclared ? appUrl : withOptions(appUrl, '-c petstore.data_may_be_lost=off')
  const start = async (env: Record<string, string>) => {
    const config = parseConfig({ DATABASE_URL: appUrl, ...env })
    await (await openDatabaseOf(config, 'serve', () => {})).close()
  }
  const of = (what: string, refusal: string, env: Record<string, string>): UnsafeStart => ({
    what,
    refusal,
    start: () => start(env),
  })
  return [
    of('fsync', 'fsync is off', { DATABASE_URL: fast }),
    of('full_page_writes', 'full_page_writes is off', { DATABASE_URL: fast }),
    of('synchronous_commit', 'synchronous_commit is off', { DATABASE_URL: fast }),
    of('more connections than there are', 'connections, more than 100 % of', { DATABASE_POOL_MAX: '900' }),
    of('the owner of the tables', 'step over row level security', { DATABASE_URL: ownerUrl }),
    of('a setting for tests', 'TEST_SUFFIXES is for tests only', { TEST_SUFFIXES: 'test' }),
    of('a clock that clients move', 'refused in production', { SUNSET_REHEARSAL: 'true' }),
    { what: 'an encoding', refusal: 'encoding of the database is LATIN1', start: () => startInLatin1(ownerUrl, start) },
    { what: 'a pooler', refusal: 'leads to a pooler', start: () => startBehindPooler(appUrl, start) },
    { what: 'a clock', refusal: 'The clock of this machine', start: () => startWithWrongClock(appUrl) },
    {
      what: 'an example as a secret',
      refusal: 'is an example, not a secret',
      start: async () => checkAtStart([{ name: 'PROBE_SECRET', text: 'x'.repeat(32), path: undefined }], () => {}),
    },
  ]
}

type Start = (env: Record<string, string>) => Promise<void>

const withOptions = (url: string, options: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(options)}`

async function startInLatin1(ownerUrl: string, start: Start): Promise<void> {
  const name = `latin_${crypto.randomUUID().slice(0, 8)}`
  const client = new pg.Client(ownerUrl)
  await client.connect()
  await client.query(`create database ${name} encoding 'LATIN1' template template0`)
  await client.end()
  await start({ DATABASE_URL: ownerUrl.replace('petstore_owner', 'petstore_app').replace(/[^/]+$/, name) })
}

async function startBehindPooler(appUrl: string, start: Start): Promise<void> {
  const url = new URL(appUrl)
  const pooler = await startTransactionPooler(Number(url.port))
  try {
    await start({ DATABASE_URL: appUrl.replace(`:${url.port}/`, `:${pooler.port}/`) })
  } finally {
    await pooler.close()
  }
}

async function startWithWrongClock(appUrl: string): Promise<void> {
  const database = await openFitDatabase(
    { url: appUrl, poolMax: 1, onError: () => {} },
    { version: release.version, needs: { processes: 1, poolMax: 1 }, isProduction: true },
    { now: () => Date.now() - 60_000 },
  )
  await database.close()
}
