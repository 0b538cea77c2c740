// The client of `/platform/v1`: what it sends and how it parses responses, without a server;
// and that the generated table of calls matches the operations.

import { readFileSync } from 'node:fs'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { calls } from './calls.ts'
import { printedCalls } from './calls-printing.ts'
import { createPlatformClient, NoAnswer, PlatformError } from './client.ts'
import type { Domain } from './domain-shapes.ts'
import { platformOperations } from './operations.ts'

type SentRequest = { url: string; init: RequestInit }

function clientWithRecorder(answer: () => Response) {
  const requests: SentRequest[] = []
  const client = createPlatformClient({
    baseUrl: '/platform/v1',
    fetch: (url, init) => {
      requests.push({ url, init })
      return Promise.resolve(answer())
    },
  })
  return { client, requests }
}
const json = (text: string, init: ResponseInit = {}) => new Response(text, init)

describe('the client of the platform', () => {
  test('uses the table of calls that is generated from the operations', () => {
    expect(readFileSync(new URL('calls.ts', import.meta.url), 'utf8')).toBe(printedCalls())
    expect(Object.keys(calls)).toHaveLength(platformOperations.length)
  })

  test('puts values into path and query, encoded, and omits undefined ones', async () => {
    const { client, requests } = clientWithRecorder(() => json('[]'))
    await client.call('listAnimals', { project: 'a/b?', name: 'Rex & Co', limit: 5, status: undefined })
    expect(requests[0]?.url).toBe('/platform/v1/projects/a%2Fb%3F/animals?name=Rex%20%26%20Co&limit=5')
    expect(requests[0]?.init).toMatchObject({ method: 'GET', redirect: 'error' })
    expect(client.addressOf('exportAnimals', { project: 'paws' })).toBe('/platform/v1/projects/paws/animals.csv')
  })

  test('writes and parses identifiers with all their digits, and counts as numbers', async () => {
    const { client, requests } = clientWithRecorder(() =>
      json('{"id":9007199254740993,"name":"Rex","categoryId":-9223372036854775808,"status":"sold","createdAt":"x"}'),
    )
    const animal = await client.call('createAnimal', {
      project: 'paws',
      body: { name: 'Rex', categoryId: 9007199254740993n },
    })
    expect(requests[0]?.init.body).toBe('{"name":"Rex","categoryId":9007199254740993}')
    expect(animal).toMatchObject({ id: 9007199254740993n, categoryId: -9223372036854775808n })
    const site = clientWithRecorder(() => json('{"version":3,"hiddenCategories":[9007199254740993]}'))
    expect(await site.client.call('getSite', { project: 'paws' })).toEqual({
      version: 3,
      hiddenCategories: [9007199254740993n],
    })
  })

  test('finds the next page of a list', async () => {
    const link = '<https://api.example/platform/v1/projects/paws/animals?limit=1&cursor=abc>; rel="next"'
    const { client } = clientWithRecorder(() => json('[]', { headers: { Link: link } }))
    expect(await client.page('listAnimals', { project: 'paws' })).toEqual({ items: [], next: 'abc' })
    const end = clientWithRecorder(() => json('[]'))
    expect(await end.client.page('listAnimals', { project: 'paws' })).toEqual({ items: [], next: undefined })
  })

  test('throws a refusal with its code, and distinguishes it from a missing response', async () => {
    const body = '{"code":"plan_required","message":"Needs Pro.","status":403}'
    const refused = clientWithRecorder(() => json(body, { status: 403 }))
    const error = await refused.client.call('listProjects').catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(PlatformError)
    expect(error).toMatchObject({ code: 'plan_required', status: 403, message: 'Needs Pro.' })
    const foreign = clientWithRecorder(() => json('<html>', { status: 502 }))
    await expect(foreign.client.call('listProjects')).rejects.toBeInstanceOf(NoAnswer)
    const silent = createPlatformClient({ baseUrl: '', fetch: () => Promise.reject(new TypeError('failed')) })
    await expect(silent.call('listProjects')).rejects.toBeInstanceOf(NoAnswer)
  })

  test('sends a file as raw bytes, and returns text and empty responses as such', async () => {
    const nothing = clientWithRecorder(() => new Response(null, { status: 204 }))
    expect(await nothing.client.call('signOut')).toBeUndefined()
    const text = clientWithRecorder(() => new Response('id,name\n'))
    expect(await text.client.call('exportAnimals', { project: 'paws' })).toBe('id,name\n')
    const file = clientWithRecorder(() => json('{}'))
    const body = new Blob(['x'], { type: 'text/csv' })
    await file.client.call('putImportPart', { project: 'paws', importId: 'imp_1', number: '1', body })
    expect(file.requests[0]?.init).toMatchObject({ body, headers: { 'Content-Type': 'text/csv' } })
  })

  test('takes its types from the operations', () => {
    const { client } = clientWithRecorder(() => json('{}'))
    const domain = () => client.call('getDomain', { project: 'paws', hostname: 'a.test' })
    expectTypeOf(domain).returns.resolves.toEqualTypeOf<Domain>()
    // @ts-expect-error a hostname is missing
    void (() => client.call('getDomain', { project: 'paws' }))
    // @ts-expect-error there is no such status
    void (() => client.call('listAnimals', { project: 'paws', status: 'lost' }))
  })
})
