// Lists: order, pages, cursors, filters, and what is refused instead of guessed.

import { describe, expect, test } from 'vitest'
import {
  addPets,
  asProject,
  expectRefusal,
  linksOf,
  namesOf,
  newTenant,
  nextOf,
  petOf,
  petsOf,
  type PetBody,
} from './responses.ts'
import { BASE_URL, STAGING_URL, startTestService, type Tenant } from '../../../testbed/harness/service.ts'

const service = await startTestService()
const tenant = await newTenant(service)
/** Three sold, then four available; their names are their numbers within each. */
const ids = [...(await addPets(service, tenant, 3, 'sold')), ...(await addPets(service, tenant, 4))]

const cursorOf = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64url')
const cursorIn = (address: string | undefined) => new URL(address ?? '').searchParams.get('cursor') ?? ''

/** All pages from this address on. `between` runs before each page but the first. */
async function walk(tenant: Tenant, start: string, between?: () => Promise<unknown>): Promise<PetBody[][]> {
  const pages: PetBody[][] = []
  for (let path: string | undefined = start; path !== undefined;) {
    if (pages.length > 0) await between?.()
    const page = await tenant.get(path)
    expect(page.status).toBe(200)
    pages.push(petsOf(page))
    path = nextOf(page)
  }
  return pages
}

describe('the order of a list', () => {
  test('is by descending id, newest first', async () => {
    const listed = petsOf(await tenant.get('/v1/pets')).map(({ id }) => id)
    expect(listed).toEqual(ids.toReversed())
  })

  test('has a just created animal first on page 1', async () => {
    const own = await newTenant(service)
    await addPets(service, own, 3)
    const added = petOf(await own.post('/v1/pets', '{"name":"Rex","categoryId":1}'))
    expect(petsOf(await own.get('/v1/pets?limit=1'))).toEqual([added])
  })
})

describe('the links between pages', () => {
  test('are in the Link header, rel="next" and rel="first", as absolute addresses built from BASE_URL, never from Host', async () => {
    const page = await tenant.get('/v1/pets?limit=2', { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' })
    const cursor = cursorOf({ v: 1, k: String(ids.at(-2)) })
    expect(page.headers.link).toBe(
      `<${BASE_URL}/pets?limit=2&cursor=${cursor}>; rel="next", <${BASE_URL}/pets?limit=2>; rel="first"`,
    )
  })

  test('are built from STAGING_URL on staging', async () => {
    const staging = await startTestService({ env: { ENVIRONMENT: 'staging' } })
    await addPets(staging, staging.north, 2)
    const links = linksOf(await staging.north.get('/v1/pets?limit=1'))
    expect(links['first']).toBe(`${STAGING_URL}/pets?limit=1`)
    expect(links['next']).toMatch(new RegExp(`^${STAGING_URL}/pets\\?limit=1&cursor=`))
  })

  test('carry limit, status and cursor', async () => {
    const links = linksOf(await tenant.get('/v1/pets?status=sold&limit=2'))
    const cursor = cursorOf({ v: 1, k: String(ids[1]), s: 'sold' })
    expect(links).toEqual({
      next: `${BASE_URL}/pets?limit=2&status=sold&cursor=${cursor}`,
      first: `${BASE_URL}/pets?limit=2&status=sold`,
    })
  })

  test('have no next on the last page', async () => {
    const pages = await walk(tenant, '/v1/pets?limit=3')
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1])
    const last = await tenant.get(`/v1/pets?limit=3&cursor=${cursorOf({ v: 1, k: String(ids[1]) })}`)
    expect(linksOf(last)).toEqual({ first: `${BASE_URL}/pets?limit=3` })
  })

  test('have no next on a page that ends exactly at the last animal', async () => {
    expect((await walk(tenant, '/v1/pets?limit=7')).length).toBe(1)
    expect((await walk(tenant, '/v1/pets?status=sold&limit=3')).length).toBe(1)
  })

  test('are absent when everything fits one page', async () => {
    expect((await tenant.get('/v1/pets?limit=7')).headers.link).toBeUndefined()
    expect((await tenant.get('/v1/pets?status=pending')).headers.link).toBeUndefined()
  })

  test('leave the body the bare array', async () => {
    expect((await tenant.get('/v1/pets?limit=2')).text).toMatch(/^\[\{"id":.*\}\]$/)
  })

  test('lead to every animal that matches the filter, once', async () => {
    const pages = await walk(tenant, '/v1/pets?status=available&limit=3')
    expect(pages.map((page) => page.map(({ name }) => name))).toEqual([['4', '3', '2'], ['1']])
  })
})

describe('a cursor', () => {
  test('is base64url of {"v":1,"k":"<last id>","s":"<status>"}, without s when there is no filter', async () => {
    const read = async (query: string) =>
      Buffer.from(cursorIn(linksOf(await tenant.get(`/v1/pets${query}`))['next']), 'base64url').toString()
    expect(await read('?limit=2')).toBe(`{"v":1,"k":"${ids.at(-2)}"}`)
    expect(await read('?limit=2&status=sold')).toBe(`{"v":1,"k":"${ids[1]}","s":"sold"}`)
  })

  test('stays valid after its row is deleted', async () => {
    const own = await newTenant(service)
    const [first, second, third] = await addPets(service, own, 3)
    const next = nextOf(await own.get('/v1/pets?limit=1')) ?? ''
    await asProject(service.database, own.project, (client) =>
      client.query('delete from pets where project_id = $1 and id = $2', [own.project, third]),
    )
    expect(petsOf(await own.get(next.replace('limit=1', 'limit=5'))).map(({ id }) => id)).toEqual([second, first])
  })

  test('stays valid when limit changes from page to page', async () => {
    const cursor = cursorIn(linksOf(await tenant.get('/v1/pets?limit=2'))['next'])
    expect(namesOf(await tenant.get(`/v1/pets?limit=3&cursor=${cursor}`))).toEqual(['2', '1', '3'])
    expect(namesOf(await tenant.get(`/v1/pets?cursor=${cursor}`))).toHaveLength(5)
  })

  test.each([
    ['another filter', 'status=available', 'status=sold'],
    ['a filter where there was none', '', 'status=sold'],
    ['no filter where there was one', 'status=available', ''],
  ])('with %s is refused as invalid_cursor', async (_, before, after) => {
    const cursor = cursorIn(linksOf(await tenant.get(`/v1/pets?limit=1&${before}`))['next'])
    expect((await tenant.get(`/v1/pets?cursor=${cursor}&${before}`)).status).toBe(200)
    expectRefusal(await tenant.get(`/v1/pets?cursor=${cursor}&${after}`), 400, 'invalid_cursor')
  })

  test.each([
    ['nothing', ''],
    ['nonsense', 'nonsense'],
    ['characters outside of base64url', 'e30%2B%2F'],
    ['padding', `${Buffer.from('{"v":1,"k":"5"}').toString('base64')}%3D`],
    ['another version', cursorOf({ v: 2, k: '5' })],
    ['no version', cursorOf({ k: '5' })],
    ['no key', cursorOf({ v: 1 })],
    ['a number as its key', cursorOf({ v: 1, k: 5 })],
    ['a key that is no integer', cursorOf({ v: 1, k: '5.0' })],
    ['a key with zeros in front', cursorOf({ v: 1, k: '05' })],
    ['a key beyond 2^63-1', cursorOf({ v: 1, k: '9223372036854775808' })],
    ['SQL as its key', cursorOf({ v: 1, k: '1 or true' })],
    ['a further member', cursorOf({ v: 1, k: '5', p: 1 })],
    ['members in another order', cursorOf({ k: '5', v: 1 })],
    ['a status that is none', cursorOf({ v: 1, k: '5', s: 'lost' })],
    ['a status that is no string', cursorOf({ v: 1, k: '5', s: 1 })],
    ['no object', cursorOf([1, '5'])],
    ['null', Buffer.from('null').toString('base64url')],
    ['513 characters', 'A'.repeat(513)],
  ])('forged with %s is refused as invalid_cursor', async (_, cursor) => {
    expectRefusal(await tenant.get(`/v1/pets?cursor=${cursor}`), 400, 'invalid_cursor')
  })

  test('of another project shows nothing foreign', async () => {
    const foreign = await newTenant(service)
    const [own] = await addPets(service, foreign, 1)
    const cursor = cursorOf({ v: 1, k: '9007199254740991' })
    expect(petsOf(await foreign.get(`/v1/pets?cursor=${cursor}`)).map(({ id }) => id)).toEqual([own])
    expect(petsOf(await tenant.get(`/v1/pets?cursor=${cursor}`)).map(({ id }) => id)).toEqual(ids.toReversed())
  })

  test.each(['-9223372036854775808', '0', '9223372036854775807'])(
    'with the key %s at the edge of the range is no error',
    async (k) => {
      expect((await tenant.get(`/v1/pets?cursor=${cursorOf({ v: 1, k })}`)).status).toBe(200)
    },
  )
})

describe('a walk during writes', () => {
  test.each(['', 'status=available&'])(
    'sees an animal that exists, and matches ?%s, for all of it exactly once',
    async (filter) => {
      const own = await newTenant(service)
      const doomed = await addPets(service, own, 10)
      const kept = await addPets(service, own, 40)
      const later = await addPets(service, own, 10)
      const remove = (id: number | undefined) =>
        asProject(service.database, own.project, (client) =>
          client.query('delete from pets where project_id = $1 and id = $2', [own.project, id]),
        )

      const walking = new AbortController()
      const writer = async () => {
        while (!walking.signal.aborted) {
          await own.post('/v1/pets', '{"name":"new","categoryId":1}')
          await remove(later.pop() ?? doomed.pop())
        }
      }
      const writing = writer()
      // Between two pages something is certainly added and removed, besides what the writer does in the meantime.
      const pages = await walk(own, `/v1/pets?${filter}limit=7`, async () => {
        await own.post('/v1/pets', '{"name":"between","categoryId":1}')
        await remove(doomed.shift())
      })
      walking.abort()
      await writing

      const seen = pages.flat().map(({ id }) => id)
      expect(new Set(seen).size).toBe(seen.length)
      expect(seen.filter((id) => kept.includes(id))).toEqual(kept.toReversed())
      expect(seen).toEqual(seen.toSorted((a, b) => b - a))
    },
  )
})

describe('a total count', () => {
  test('is in no header and not in the body', async () => {
    const { headers, json } = await tenant.get('/v1/pets?limit=2')
    expect(Object.keys(headers).filter((name) => /total|count/i.test(name))).toEqual([])
    expect(json).toHaveLength(2)
  })
})

describe('limit', () => {
  test.each(['1', '9', '10', '99', '100'])('%s is accepted', async (limit) => {
    expect((await tenant.get(`/v1/pets?limit=${limit}`)).status).toBe(200)
  })

  test.each([
    ['0', '0'],
    ['101', '101'],
    ['-1', '-1'],
    ['1000', '1000'],
    ['1e1', '1e1'],
    ['1.5', '1.5'],
    ['5.0', '5.0'],
    ['0x10', '0x10'],
    ['05', '05'],
    ['%2B5', '+5'],
    ['+5', ' 5'],
    ['5%20', '5 '],
    ['%D9%A5', '٥'],
    ['', ''],
    ['all', 'all'],
    ['1,2', '1,2'],
    ['9'.repeat(60), '9'.repeat(60)],
  ])('%s is refused as invalid_parameter', async (limit, shown) => {
    const message = `Query parameter 'limit' must be an integer from 1 to 100; got '${shown}'.`
    expectRefusal(await tenant.get(`/v1/pets?limit=${limit}`), 400, 'invalid_parameter', message)
    expectRefusal(await tenant.get(`/v1/store/orders?limit=${limit}`), 400, 'invalid_parameter', message)
  })

  test.each(['limit=5&limit=5', 'limit=5&limit=6', 'limit[]=5', 'limit=5&li%6Dit=5'])(
    'repeated or as a list is refused: %s',
    async (query) => {
      const code = query.includes('[]') ? 'unknown_parameter' : 'invalid_parameter'
      expectRefusal(await tenant.get(`/v1/pets?${query}`), 400, code)
    },
  )
})

describe('the status filter', () => {
  test.each([
    ['empty', 'status='],
    ['in capitals', 'status=Sold'],
    ['with white space', 'status=sold%20'],
    ['a list', 'status=sold,pending'],
    ['unknown', 'status=lost'],
    ['a name of every object', 'status=constructor'],
  ])('%s is refused as invalid_parameter', async (_, query) => {
    expectRefusal(
      await tenant.get(`/v1/pets?${query}`),
      400,
      'invalid_parameter',
      /^Query parameter 'status' must be one of available, pending, sold; got '.*'\.$/,
    )
  })

  test('repeated is refused as invalid_parameter', async () => {
    expectRefusal(await tenant.get('/v1/pets?status=sold&status=sold'), 400, 'invalid_parameter')
  })
})

describe('an unknown query parameter', () => {
  test.each([
    ['listPets', 'GET', '/v1/pets?staus=sold', 'staus'],
    ['listPets, beside known ones', 'GET', '/v1/pets?limit=5&offset=3', 'offset'],
    ['listPets, of another case', 'GET', '/v1/pets?Limit=5', 'Limit'],
    ['listPets, a name of every object', 'GET', '/v1/pets?__proto__=1', '__proto__'],
    ['listPets, without a name', 'GET', '/v1/pets?=1', ''],
    ['createPet', 'POST', '/v1/pets?limit=5', 'limit'],
    ['getPet', 'GET', '/v1/pets/1?status=sold', 'status'],
    ['getPet, for an animal that is not there', 'GET', '/v1/pets/0?fields=name', 'fields'],
    ['listOrders', 'GET', '/v1/store/orders?status=placed', 'status'],
  ])('on %s is refused and named', async (_, method, path, name) => {
    const answer = await tenant.send({ method, path })
    expectRefusal(answer, 400, 'unknown_parameter', new RegExp(`^Unknown query parameter '${name}'\\. `))
  })

  test('is not assumed for an empty query', async () => {
    expect((await tenant.get('/v1/pets?')).status).toBe(200)
    expect((await tenant.get('/v1/pets?&')).status).toBe(200)
  })
})

describe('an empty result', () => {
  test.each(['/v1/pets', '/v1/pets?status=sold', '/v1/store/orders'])('%s is 200 []', async (path) => {
    const empty = await newTenant(service)
    const answer = await empty.get(path)
    expect([answer.status, answer.text]).toEqual([200, '[]'])
  })

  test('after a cursor behind the last animal is 200 []', async () => {
    expect((await tenant.get(`/v1/pets?cursor=${cursorOf({ v: 1, k: '1' })}`)).text).toBe('[]')
  })
})
