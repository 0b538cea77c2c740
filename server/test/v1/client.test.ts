// The typed client against the real service: its results are exact, and match their types.

import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import {
  PetstoreError,
  createClient,
  type Answer,
  type Client,
  type ClientOptions,
} from '@petstore-platform/contract/client'
import type { ErrorBody } from '@petstore-platform/contract/errors'
import type { Order } from '@petstore-platform/contract/orders'
import type { NewPet, Pet, PetStatus } from '@petstore-platform/contract/pets'
import { afterEach, beforeAll, describe, expect, expectTypeOf, test, vi } from 'vitest'
import { asOwner } from '../../../testbed/harness/database.ts'
import { BASE_URL, startTestService, type TestService } from '../../../testbed/harness/service.ts'

const MAX = 2n ** 63n - 1n
const MIN = -(2n ** 63n)
const ABOVE_DOUBLE = 2n ** 53n + 1n

let service: TestService
let client: Client
let calls: { url: string; init: RequestInit }[]

/** The installation's address differs from the one the test connects to, as behind a proxy. */
const throughProxy: ClientOptions['fetch'] = (url, init) => {
  calls.push({ url, init })
  return fetch(url.replace(BASE_URL, `${service.origin}/v1`), init)
}
const clientOf = (apiKey: string) => createClient({ baseUrl: BASE_URL, apiKey, fetch: throughProxy })

beforeAll(async () => {
  service = await startTestService()
  calls = []
  client = clientOf(service.north.key)
})
afterEach(() => vi.restoreAllMocks())

function dataOf<Status extends number, Data>(answer: Answer<Status, Data>): Data {
  if (!answer.ok) throw new PetstoreError(answer)
  return answer.data
}

describe('The client', () => {
  test.each([MAX, MIN, ABOVE_DOUBLE, -ABOVE_DOUBLE, 0n, 1n])('keeps the category %s exact both ways', async (id) => {
    const created = dataOf(await client.createPet({ name: 'Rex', categoryId: id }))
    expect(created).toEqual({ id: created.id, name: 'Rex', categoryId: id, status: 'available' })
    // eslint-disable-next-line typescript/no-deprecated -- it works until it is removed
    expect(dataOf(await client.getPet(created.id))).toEqual(created)
    expect(dataOf(await client.listPets({ limit: 1 }))).toEqual([created])
  })

  test('sends the same digits where JSON.rawJSON is not available', async () => {
    vi.spyOn(JSON as { rawJSON?: unknown }, 'rawJSON', 'get').mockReturnValue(undefined)
    const pet = { name: 'Mia "the cat" \u2028', categoryId: MAX, status: 'pending' } satisfies NewPet
    const created = dataOf(await client.createPet(pet))
    expect(calls.at(-1)?.init.body).toContain('"categoryId":9223372036854775807')
    expect(created).toEqual({ id: created.id, ...pet })
  })

  test('refuses to round where the source text of numbers is not available', async () => {
    const { parse } = JSON
    dataOf(await client.createPet({ name: 'Rex', categoryId: ABOVE_DOUBLE }))
    vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) =>
      parse(text, (key, value: unknown) => (reviver ? (reviver(key, value) as unknown) : value)),
    )
    await expect(client.listPets({ limit: 1 })).rejects.toThrow('not one of this API')
    dataOf(await client.createPet({ name: 'Rex', categoryId: 7n }))
    expect(dataOf(await client.listPets({ limit: 1 }))[0]?.categoryId).toBe(7n)
  })

  test('adds one animal for one idempotency key', async () => {
    const pet: NewPet = { name: 'Juno', categoryId: 1n }
    const first = await client.createPet(pet, { idempotencyKey: 'juno-1' })
    const again = await client.createPet(pet, { idempotencyKey: 'juno-1' })
    expect(dataOf(again)).toEqual(dataOf(first))
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  })

  test('returns a refusal as a result with the Error body', async () => {
    const wrong = await clientOf('pets_live_nonsense').listPets()
    expect(wrong).toMatchObject({ ok: false, status: 401, error: { code: 'invalid_api_key', status: 401 } })
    const over = await client.listPets({ limit: 101 })
    expect(over).toMatchObject({ ok: false, status: 400, error: { code: 'invalid_parameter', status: 400 } })
    // eslint-disable-next-line typescript/no-deprecated -- it works until it is removed
    const missing = await client.getPet(MAX)
    expect(missing).toMatchObject({ ok: false, status: 404, error: { code: 'not_found' } })
    expect(missing.headers.get('Sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT')
  })

  test('reads orders with their identifiers as bigint and their quantity as a number', async () => {
    const pet = dataOf(await client.createPet({ name: 'Rex', categoryId: 1n }))
    await asOwner(service.database, async (owner) => {
      const { project } = service.north
      await owner.query(`select set_config('petstore.projects', $1, false)`, [`{${project}}`])
      await owner.query(`insert into orders (project_id, pet_id, status) values ($1, $2, 'placed')`, [project, pet.id])
    })
    const [order] = dataOf(await client.listOrders({ limit: 1 }))
    expect(order).toMatchObject({ petId: pet.id, quantity: 1, status: 'placed', complete: false, shipDate: null })
    expect(order?.id).toBeTypeOf('bigint')
  })

  test('walks through all pages by their links, each animal once', async () => {
    const { south } = service
    const walker = clientOf(south.key)
    for (let count = 1; count <= 7; count++) {
      await south.post('/v1/pets', `{"name":"${count}","categoryId":1,"status":"${count % 2 ? 'sold' : 'pending'}"}`)
    }
    const namesOf = async (query: { status?: PetStatus; limit?: number }) => {
      const names: string[] = []
      for await (const pet of walker.eachPet(query)) names.push(pet.name)
      return names.join('')
    }
    expect(await namesOf({ limit: 2 })).toBe('7654321')
    expect(await namesOf({ status: 'sold', limit: 2 })).toBe('7531')
    expect(await namesOf({ status: 'available' })).toBe('')
  })

  test('throws where a page is refused in the middle of the walk', async () => {
    const walk = clientOf('pets_live_nonsense').eachPet()
    await expect(walk.next()).rejects.toThrow('401 invalid_api_key: The API key is not valid.')
    await expect(clientOf('').eachPet().next()).rejects.toBeInstanceOf(PetstoreError)
  })

  test.each([
    'https://evil.example/v1/pets?cursor=a',
    'https://api.petstore.example.evil.example/v1/pets',
    'https://api.petstore.example/v2/pets',
    'https://api.petstore.example/v1/../admin',
    '//evil.example/v1/pets',
  ])('never sends its key to %s', async (next) => {
    const requested: string[] = []
    const walk = createClient({
      baseUrl: BASE_URL,
      apiKey: 'secret',
      fetch: async (url) => {
        requested.push(url)
        return Response.json([], { headers: { Link: `<${BASE_URL}/pets>; rel="first", <${next}>; rel="next"` } })
      },
    }).eachPet()
    await expect(walk.next()).rejects.toThrow('outside of https://api.petstore.example/v1')
    expect(requested).toEqual([`${BASE_URL}/pets`])
  })

  test('follows no redirect, and reports a response that is not of this API', async () => {
    await client.listPets()
    expect(calls.at(-1)?.init.redirect).toBe('error')
    const fetch = async () => new Response('<html>', { status: 502, headers: { 'Content-Type': 'text/html' } })
    const lost = createClient({ baseUrl: BASE_URL, apiKey: '', fetch })
    await expect(lost.listPets()).rejects.toThrow('The response is not one of this API: 502, text/html.')
  })

  test('keeps unknown fields, with ordinary numbers in them', async () => {
    const text = '[{"id":1,"name":"Rex","categoryId":2,"weight":{"id":3.5},"tags":[4]}]'
    const fetch = async () => new Response(text)
    const answer = await createClient({ baseUrl: BASE_URL, apiKey: '', fetch }).listPets()
    expect(dataOf(answer)).toEqual([{ id: 1n, name: 'Rex', categoryId: 2n, weight: { id: 3.5 }, tags: [4] }])
  })

  test('imports nothing once its types are erased', () => {
    const source = readFileSync(new URL('../../../contract/src/client.ts', import.meta.url), 'utf8')
    expect(stripTypeScriptTypes(source)).not.toMatch(/^\s*import\b|require\(/m)
  })
})

test('The types of the client are those of the contract', () => {
  type Awaited1<Name extends keyof Client> = Awaited<ReturnType<Extract<Client[Name], (...input: never[]) => unknown>>>
  type DataOf<Name extends keyof Client> = Extract<Awaited1<Name>, { ok: true }>

  expectTypeOf<DataOf<'listPets'>['data']>().toEqualTypeOf<Pet[]>()
  expectTypeOf<DataOf<'listPets'>['status']>().toEqualTypeOf<200>()
  expectTypeOf<DataOf<'createPet'>['data']>().toEqualTypeOf<Pet>()
  expectTypeOf<DataOf<'createPet'>['status']>().toEqualTypeOf<201>()
  expectTypeOf<DataOf<'getPet'>['data']>().toEqualTypeOf<Pet>()
  expectTypeOf<DataOf<'listOrders'>['data']>().toEqualTypeOf<Order[]>()
  expectTypeOf<Extract<Awaited1<'listPets'>, { ok: false }>['error']>().toEqualTypeOf<ErrorBody>()
  expectTypeOf<Pet['id']>().toEqualTypeOf<bigint>()
  expectTypeOf<NewPet>().toEqualTypeOf<{ name: string; categoryId: bigint; status?: PetStatus }>()
  expectTypeOf<Parameters<Client['getPet']>>().toEqualTypeOf<[id: bigint]>()
  expectTypeOf<keyof NonNullable<Parameters<Client['listPets']>[0]>>().toEqualTypeOf<'limit' | 'status' | 'cursor'>()
  expectTypeOf<keyof NonNullable<Parameters<Client['listOrders']>[0]>>().toEqualTypeOf<'limit' | 'cursor'>()
  expectTypeOf<NonNullable<Parameters<Client['eachPet']>[0]>['status']>().toEqualTypeOf<PetStatus | undefined>()
  expectTypeOf<ReturnType<Client['eachPet']>>().toEqualTypeOf<AsyncGenerator<Pet, void, undefined>>()

  // @ts-expect-error a number may have been rounded already
  expectTypeOf<{ name: string; categoryId: number }>().toExtend<NewPet>()
  // @ts-expect-error the error is only there where the answer is not ok
  expectTypeOf<DataOf<'listPets'>>().toHaveProperty('error')
})
