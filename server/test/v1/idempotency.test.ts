// Idempotency: the same request twice creates one animal. Key and animal commit together, so
// a failure in between leaves both or neither.

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { newId } from '../../src/foundation/ids.io.ts'
import { rotateKey } from '../../src/projects/api-keys.io.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'
import { asProject, clientOf, expectRefusal, newTenant, petOf } from './responses.ts'
import { asOwner } from '../../../testbed/harness/database.ts'
import { BASE_URL, startTestService, type Tenant, type TestService } from '../../../testbed/harness/service.ts'
import { removeExpired } from '../../../testbed/harness/retention.ts'

let service: TestService
let tenant: Tenant

beforeAll(async () => {
  service = await startTestService()
  tenant = await newTenant(service)
})

const rex = '{"name":"Rex","categoryId":1}'
const mia = '{"name":"Mia","categoryId":1}'
const create = (key: string | string[], body = rex, by = tenant) =>
  by.post('/v1/pets', body, { 'Idempotency-Key': key })
const freshKey = () => crypto.randomUUID()
const count = (by = tenant) =>
  asProject(service.database, by.project, async (client) => {
    const { rows } = await client.query<{ pets: number; answers: number }>(
      `select (select count(*)::integer from pets where project_id = $1) as pets,
         (select count(*)::integer from idempotency where project_id = $1) as answers`,
      [by.project],
    )
    return rows[0]
  })
/** Makes the stored key so much older. */
const age = (key: string, interval: string, by = tenant) =>
  asProject(service.database, by.project, (client) =>
    client.query('update idempotency set created_at = created_at - $3::interval where project_id = $1 and key = $2', [
      by.project,
      key,
      interval,
    ]),
  )

describe('the form of a key', () => {
  test.each([
    ['1 character', 'k'],
    ['255 characters', 'k'.repeat(255)],
    ['255 characters in quotes', `"${'q'.repeat(255)}"`],
    ['a UUID, bare', '8e03978e-40d5-43e8-bc93-6894a57f9324'],
    ['a UUID, quoted', '"6a1ff1f6-7f6e-4e7a-9f4e-0b3c7c0f4a55"'],
    ['every visible character but two', "!#$%&'()*+,-./0123456789:;<=>?@AZ[]^_`az{|}~"],
  ])('%s is accepted', async (_, key) => {
    expect((await create(key)).status).toBe(201)
  })

  test.each([
    ['empty', ''],
    ['empty in quotes', '""'],
    ['256 characters', 'k'.repeat(256)],
    ['256 characters in quotes', `"${'k'.repeat(256)}"`],
    ['a space within', 'a b'],
    ['a tab within', 'a\tb'],
    ['a quote within', 'a"b'],
    ['a quote at one end only', '"a'],
    ['a backslash', 'a\\b'],
    ['a letter outside of ASCII', 'caf\u00e9'],
    ['two headers', ['a', 'b']],
  ])('%s is refused as invalid_idempotency_key', async (_, key) => {
    expectRefusal(await create(key), 400, 'invalid_idempotency_key')
  })

  test('bare and quoted name the same key', async () => {
    const key = freshKey()
    const first = await create(key)
    const second = await create(`"${key}"`)
    expect([second.text, second.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
  })

  test('a key is case-sensitive', async () => {
    const key = freshKey()
    const [lower, upper] = [await create(`a${key}`), await create(`A${key}`)]
    expect(petOf(lower).id).not.toBe(petOf(upper).id)
  })

  test('the header is optional, and without it every request creates an animal', async () => {
    const [one, two] = [await tenant.post('/v1/pets', rex), await tenant.post('/v1/pets', rex)]
    expect(petOf(one).id).not.toBe(petOf(two).id)
  })
})

describe('a repeated request with the same validated value', () => {
  test('is the stored 201 and body with Idempotent-Replayed: true, and creates no other animal', async () => {
    const key = freshKey()
    const first = await create(key)
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined])
    const before = await count()
    const second = await create(key)
    expect([second.status, second.text]).toEqual([201, first.text])
    expect(second.headers).toMatchObject({
      'idempotent-replayed': 'true',
      'cache-control': 'no-store',
      location: `${BASE_URL}/pets/${petOf(first).id}`,
    })
    expect(await count()).toEqual(before)
  })

  test('is the original response, even when the animal has changed', async () => {
    const key = freshKey()
    const first = await create(key)
    await asProject(service.database, tenant.project, (client) =>
      client.query(`update pets set status = 'sold' where project_id = $1 and id = $2`, [
        tenant.project,
        petOf(first).id,
      ]),
    )
    expect((await create(key)).text).toBe(first.text)
  })

  test.each([
    ['fields in another order', '{"categoryId":1,"name":"Rex"}'],
    ['white space', '{ "name" : "Rex" , "categoryId" : 1 }'],
    ['escapes', '{"n\\u0061me":"R\\u0065x","categoryId":1}'],
    ['another number of the same value', '{"name":"Rex","categoryId":10e-1}'],
    ['the default status written out', '{"name":"Rex","categoryId":1,"status":"available"}'],
  ])('in another spelling is the same: %s', async (_, body) => {
    const key = freshKey()
    const first = await create(key)
    const second = await create(key, body)
    expect([second.status, second.text, second.headers['idempotent-replayed']]).toEqual([201, first.text, 'true'])
  })
})

describe('a repeated key with another value', () => {
  test.each([
    ['another name', mia],
    ['another categoryId', '{"name":"Rex","categoryId":2}'],
    ['another status', '{"name":"Rex","categoryId":1,"status":"sold"}'],
    ['a name in another normal form', '{"name":"Rex\\u200b","categoryId":1}'],
  ])('is 422 idempotency_key_reused and creates no animal: %s', async (_, body) => {
    const key = freshKey()
    await create(key)
    const before = await count()
    const message = 'This Idempotency-Key was used with a different body.'
    expectRefusal(await create(key, body), 422, 'idempotency_key_reused', message)
    expect(await count()).toEqual(before)
  })

  test('two int64 with the same double are two values', async () => {
    const key = freshKey()
    await create(key, '{"name":"Rex","categoryId":9007199254740992}')
    expect((await create(key, '{"name":"Rex","categoryId":9007199254740993}')).status).toBe(422)
  })
})

describe('a repeated request while the first is in progress', () => {
  /** A service whose new animals wait at a gate. */
  let gated: TestService
  beforeAll(async () => {
    gated = await startTestService()
    await asOwner(gated.database, (client) =>
      client.query(`
        create table gate (closed boolean);
        grant select on gate to petstore_app;
        create function wait_at_gate() returns trigger language plpgsql as $$
          begin
            while exists (select from gate) loop perform pg_sleep(0.01); end loop;
            return new;
          end $$;
        create trigger gate before insert on pets for each row execute function wait_at_gate()`),
    )
  })
  const close = () => asOwner(gated.database, (client) => client.query('insert into gate values (true)'))
  const open = () => asOwner(gated.database, (client) => client.query('delete from gate'))
  /** Resolves with the process that waits at the gate. */
  const arrival = async (): Promise<number> => {
    const client = new pg.Client({ connectionString: gated.database.appUrl })
    await client.connect()
    const found = await vi.waitUntil(
      async () =>
        (
          await client.query<{ pid: number }>(
            `select pid from pg_stat_activity where datname = current_database() and query like '%insert into pets%'
             and state = 'active' and wait_event = 'PgSleep'`,
          )
        ).rows[0],
      { timeout: 10_000, interval: 5 },
    )
    await client.end()
    return found.pid
  }

  test('is 409 idempotency_key_in_use with Retry-After: 1, at once; then the first gets its 201', async () => {
    const { north } = gated
    await close()
    const first = create('running', rex, north)
    await arrival()
    const second = await create('running', rex, north)
    const message = 'A request with this Idempotency-Key is still in progress.'
    expectRefusal(second, 409, 'idempotency_key_in_use', message)
    expect(second.headers['retry-after']).toBe('1')
    await open()
    const { status, text } = await first
    expect(status).toBe(201)
    expect((await create('running', rex, north)).text).toBe(text)
  })

  test('does not delay other keys, or the same key in another project', async () => {
    await close()
    const first = create('alone', rex, gated.north)
    await arrival()
    const others = [create('other', rex, gated.north), create('alone', rex, gated.south)]
    await open()
    expect((await Promise.all([first, ...others])).map(({ status }) => status)).toEqual([201, 201, 201])
  })

  test('after a connection that broke leaves neither animal nor key, and can be repeated', async () => {
    await close()
    const first = create('broken', rex, gated.north)
    const pid = await arrival()
    await asProject(gated.database, gated.north.project, (client) =>
      client.query('select pg_terminate_backend($1)', [pid]),
    )
    expectRefusal(await first, 503, 'service_unavailable')
    await open()
    const before = (await gated.north.get('/v1/pets')).json as unknown[]
    const again = await vi.waitUntil(
      async () => {
        const answer = await create('broken', rex, gated.north)
        return answer.status === 201 && answer
      },
      { timeout: 30_000 },
    )
    expect(again.headers['idempotent-replayed']).toBeUndefined()
    expect((await gated.north.get('/v1/pets')).json).toHaveLength(before.length + 1)
  })

  test('creates one animal for twenty concurrent requests', async () => {
    const crowd = await newTenant(gated)
    const answers = await Promise.all(Array.from({ length: 20 }, () => create('crowd', rex, crowd)))
    const made = answers.filter(({ status }) => status === 201)
    expect(new Set(answers.map(({ status }) => status)).difference(new Set([201, 409]))).toEqual(new Set())
    expect(new Set(made.map(({ text }) => text)).size).toBe(1)
    expect(made.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1)
    expect((await crowd.get('/v1/pets')).json).toHaveLength(1)
  })
})

describe('a repeated request after the first failed', () => {
  test.each([
    ['invalid_json', '{'],
    ['missing_field', '{}'],
    ['invalid_field', '{"name":"","categoryId":1}'],
    ['unknown_field', '{"nam":"Rex"}'],
  ])('with %s: nothing is stored, and the request runs', async (code, body) => {
    const key = freshKey()
    const before = await count()
    expect((await create(key, body)).json).toMatchObject({ code, status: 400 })
    expect(await count()).toEqual(before)
    const second = await create(key)
    expect([second.status, second.headers['idempotent-replayed']]).toEqual([201, undefined])
  })

  test.each([
    ['animal', 'pets'],
    ['key', 'idempotency'],
  ])('because the %s could not be stored: neither is, and the request runs', async (_, table) => {
    const own = await startTestService()
    await asOwner(own.database, (client) =>
      client.query(`
        create function fail() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
        create trigger fail after insert on ${table} for each row execute function fail()`),
    )
    expectRefusal(await create('k', rex, own.north), 500, 'internal_error')
    await asOwner(own.database, (client) => client.query(`drop trigger fail on ${table}`))
    expect((await own.north.get('/v1/pets')).text).toBe('[]')
    const second = await create('k', rex, own.north)
    expect([second.status, second.headers['idempotent-replayed']]).toEqual([201, undefined])
  })
})

describe('the scope of a key is the project', () => {
  test('two projects may use the same key', async () => {
    const key = freshKey()
    const other = await newTenant(service)
    const [one, two] = [await create(key, rex), await create(key, mia, other)]
    expect([one.status, two.status, two.headers['idempotent-replayed']]).toEqual([201, 201, undefined])
  })

  test('it survives the rotation of the API key', async () => {
    const key = freshKey()
    const old = await service.keyFor(tenant, { label: 'old' })
    const first = await create(key, rex, clientOf(service, tenant.project, old.key))
    const inProject = inProjectOf(service.service.database)
    const fresh = await rotateKey({ inProject, kind: 'live', newId, randomBytes }, tenant.project, old.id, 0)
    const second = await create(key, rex, clientOf(service, tenant.project, fresh.key))
    expect([second.text, second.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
  })
})

describe('a key is stored for 24 hours', () => {
  test('a minute before they end it is a replay', async () => {
    const key = freshKey()
    const first = await create(key)
    await age(key, '23 hours 59 minutes')
    expect((await create(key)).text).toBe(first.text)
  })

  test('after them the request runs again, whatever its value, and is stored again', async () => {
    const key = freshKey()
    const first = await create(key)
    await age(key, '24 hours 1 second')
    const second = await create(key, mia)
    expect([second.status, second.headers['idempotent-replayed']]).toEqual([201, undefined])
    expect(petOf(second).id).not.toBe(petOf(first).id)
    const third = await create(key, mia)
    expect([third.text, third.headers['idempotent-replayed']]).toEqual([second.text, 'true'])
  })

  test('a sweep deletes older ones, of every project and however many, and nothing else', async () => {
    const [one, two] = [await newTenant(service), await newTenant(service)]
    const sweep = () => removeExpired(service.service.database, 'idempotency')
    await sweep()
    for (const by of [one, two]) {
      await create('old', rex, by)
      await age('old', '24 hours 1 second', by)
      await create('young', rex, by)
      await age('young', '23 hours 59 minutes', by)
    }
    await asProject(service.database, one.project, (client) =>
      client.query(
        `insert into idempotency (project_id, key, fingerprint, pet_id, answer, created_at)
         select $1, 'old' || n, sha256('x'), 1, '{}', now() - interval '25 hours' from generate_series(1, 1500) as n`,
        [one.project],
      ),
    )
    expect(await sweep()).toBe(60)
    expect([await count(one), await count(two)]).toEqual([
      { pets: 2, answers: 1 },
      { pets: 2, answers: 1 },
    ])
    expect((await create('young', rex, one)).headers['idempotent-replayed']).toBe('true')
  })
})

describe('other operations', () => {
  test('do not read the header', async () => {
    for (const path of ['/v1/pets', '/v1/store/orders']) {
      expect((await tenant.get(path, { 'Idempotency-Key': 'a b' })).status).toBe(200)
    }
  })
})
