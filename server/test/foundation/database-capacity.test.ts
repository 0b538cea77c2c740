// A database that is almost full: imports, uploads and sign-ups are refused, and everything else works. The size is measured
// at most once a minute.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/program/config.ts'
import { databaseCapacity } from '../../src/foundation/postgres/database-capacity.io.ts'
import { openDatabase, type Database, type Db } from '../../src/foundation/postgres/postgres.io.ts'
import { startService, type Service } from '../../src/program/serve.ts'
import { cloneDatabase } from '../../../testbed/harness/database.ts'
import { exchange } from '../../../testbed/harness/http.ts'
import {
  DASHBOARD,
  startTestPlatform,
  type PlatformOwner,
  type TestPlatform,
} from '../../../testbed/harness/platform.ts'
import { expectRefusal } from '../v1/responses.ts'

const MINUTE = 60_000

describe('the room of a database', () => {
  let database: Database
  let bytes: number
  beforeAll(async () => {
    const { appUrl } = await cloneDatabase()
    database = openDatabase({ url: appUrl, poolMax: 1, onError: () => {} })
    bytes = 0
    await capacityOf(1)
      .refuseFull((message) => void (bytes = Number(/\((\d+) of/.exec(message)?.[1])))
      .catch(() => {})
  })
  afterAll(() => database?.close())

  let now = 0
  let measured = 0
  const run: Db = (statement, ...values) => {
    measured += 1
    return database.run(statement, ...values)
  }
  const capacityOf = (bytesMax: number | undefined) => databaseCapacity({ run, now: () => now }, bytesMax)
  /** What is warned of and whether it is refused, of a database with that share of its room in use. */
  const withShare = async (share: number) => {
    const warnings: string[] = []
    const outcome = await capacityOf(Math.floor(bytes / share))
      .refuseFull((message) => void warnings.push(message))
      .then(
        () => 'accepted',
        (error: { status?: number }) => error.status,
      )
    return [outcome, warnings.length]
  }

  test('is logged from 85 %, and refused from 95 %', async () => {
    expect(await withShare(0.8)).toEqual(['accepted', 0])
    expect(await withShare(0.9)).toEqual(['accepted', 1])
    expect(await withShare(0.97)).toEqual([503, 1])
  })

  test('is measured once a minute, however often it is needed, and never without a limit', async () => {
    const capacity = capacityOf(bytes * 10)
    measured = 0
    for (let n = 0; n < 5; n++) await capacity.refuseFull(() => {})
    expect(measured).toBe(1)
    now += MINUTE + 1
    await capacity.refuseFull(() => {})
    expect(measured).toBe(2)
    await capacityOf(undefined).refuseFull(() => {})
    expect(measured).toBe(2)
  })
})

describe('an installation without room', () => {
  let people: TestPlatform
  let owner: PlatformOwner
  /** The same database, in a process that has no room. */
  let full: Service
  beforeAll(async () => {
    people = await startTestPlatform()
    owner = await people.owner()
    const settings = { HOST: '127.0.0.1', PORT: '0', DASHBOARD_ORIGIN: DASHBOARD, DNS_RESOLVERS: 'none=127.0.0.1:1' }
    const config = parseConfig({ ...settings, DATABASE_URL: people.test.database.appUrl, DATABASE_BYTES_MAX: '1' })
    full = await startService(config, { logger: { level: 'silent' } })
  })
  afterAll(() => full?.stop())

  const send = (method: string, path: string, body?: object) =>
    exchange(`http://127.0.0.1:${full.port}`, {
      method,
      path: `/platform/v1${path}`,
      headers: { Cookie: owner.cookie, Origin: DASHBOARD, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })

  test('refuses imports and sign-ups, and says what still works', async () => {
    const path = (rest: string) => `/projects/${owner.slug}${rest}`
    const refused = await send('POST', path('/imports'), { onBadLine: 'refuse' })
    expectRefusal(refused, 503, 'service_unavailable')
    expect(refused.text).toContain('Everything else works')
    expect(refused.headers['retry-after']).toBe('600')
    const secret = await people.invited('late@petstore.example')
    const signUp = { secret, password: 'seven otters juggle lanterns', name: 'Late' }
    expectRefusal(await send('POST', '/accounts', signUp), 503, 'service_unavailable')
    expect((await send('POST', path('/animals'), { name: 'Rex', categoryId: 1 })).status).toBe(201)
    expect((await send('GET', path('/animals'))).status).toBe(200)
  })
})
