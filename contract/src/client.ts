// A typed client of `/v1`, for browsers and for Node. All of its imports are types and
// disappear at compile time, so it can be copied anywhere as one file.
//
// 64-bit integers are `bigint` in both directions. They are parsed from the digits in the JSON
// text and written as digits: a JavaScript number in between would round them.

import type { Static } from 'typebox'
import type { ErrorBody } from './errors.ts'
import type * as operations from './operations.ts'
import type { Order } from './orders.ts'
import type { Parameter } from './parameters.ts'
import type { NewPet, Pet } from './pets.ts'

export type ClientOptions = {
  /** Ends in `/v1`. */
  baseUrl: string
  apiKey: string
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

export type Success<Status extends number, Data> = { ok: true; status: Status; data: Data; headers: Headers }
export type Failure = { ok: false; status: number; error: ErrorBody; headers: Headers }
export type Answer<Status extends number, Data> = Success<Status, Data> | Failure

type Operation = { parameters: Record<string, Parameter>; success: { status: number; schema: object } }
type AnswerOf<O extends Operation> = Answer<O['success']['status'], Static<O['success']['schema']>>
type QueryOf<O extends Operation> = {
  [Name in keyof O['parameters'] as O['parameters'][Name] extends { in: 'query' } ? Name : never]?:
    | (O['parameters'][Name] extends Parameter<infer Value> ? Value : never)
    | undefined
}
export type ListPetsQuery = QueryOf<typeof operations.listPets>
export type ListOrdersQuery = QueryOf<typeof operations.listOrders>

export type Client = {
  /** One page of animals, newest first. */
  listPets(query?: ListPetsQuery): Promise<AnswerOf<typeof operations.listPets>>
  /** Every animal, newest first, page after page. Throws a `PetstoreError` if a page is refused. */
  eachPet(query?: Omit<ListPetsQuery, 'cursor'>): AsyncGenerator<Pet, void, undefined>
  /** With an `idempotencyKey` it may be called again until it succeeds, and creates one animal. */
  createPet(pet: NewPet, options?: { idempotencyKey?: string }): Promise<AnswerOf<typeof operations.createPet>>
  /** @deprecated Removed on 5 December 2030. Use `listPets` with the status filter. */
  getPet(id: bigint): Promise<AnswerOf<typeof operations.getPet>>
  /** Experimental: its shape may change without notice. */
  listOrders(query?: ListOrdersQuery): Promise<AnswerOf<typeof operations.listOrders>>
}

/** A refusal, where it cannot be returned as a response. */
export class PetstoreError extends Error {
  readonly answer: Failure

  constructor(answer: Failure) {
    super(`${answer.status} ${answer.error.code}: ${answer.error.message}`)
    this.name = 'PetstoreError'
    this.answer = answer
  }
}

export function createClient({ baseUrl, apiKey, fetch = globalThis.fetch }: ClientOptions): Client {
  const base = baseUrl.replace(/\/+$/, '')

  async function call<Status extends number, Data>(
    url: string,
    read: (value: unknown) => Data,
    init: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ): Promise<Answer<Status, Data>> {
    const headers = { Accept: 'application/json', Authorization: `Bearer ${apiKey}`, ...init.headers }
    // A redirect would send the key to its target.
    const response = await fetch(url, { ...init, headers, redirect: 'error' })
    const { status } = response
    const value = parseAnswer(await response.text(), response)
    return response.ok
      ? { ok: true, status: status as Status, data: read(value), headers: response.headers }
      : { ok: false, status, error: plain(value) as ErrorBody, headers: response.headers }
  }
  const petsPage = (url: string) => call<200, Pet[]>(url, listOf(readPet))

  return {
    listPets: (query = {}) => petsPage(addressOf(`${base}/pets`, query)),

    async *eachPet(query = {}) {
      for (let url: string | undefined = addressOf(`${base}/pets`, query); url !== undefined;) {
        const page: Answer<200, Pet[]> = await petsPage(url)
        if (!page.ok) throw new PetstoreError(page)
        yield* page.data
        url = nextOf(page.headers, base)
      }
    },

    createPet: (pet, { idempotencyKey } = {}) =>
      call<201, Pet>(`${base}/pets`, readPet, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }) },
        body: written(pet),
      }),

    getPet: (id) => call<200, Pet>(`${base}/pets/${id}`, readPet),

    listOrders: (query = {}) => call<200, Order[]>(addressOf(`${base}/store/orders`, query), listOf(readOrder)),
  }
}

export function addressOf(url: string, query: Record<string, unknown>): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map((pair) => pair.map((part) => encodeURIComponent(String(part))).join('='))
  return pairs.length === 0 ? url : `${url}?${pairs.join('&')}`
}

/** The URL of the next page. The key is sent with it, so a URL outside of the base URL is refused. */
function nextOf(headers: Headers, base: string): string | undefined {
  const target = nextTarget(headers)
  if (target === undefined) return undefined
  const { href } = new URL(target, `${base}/`)
  if (!href.startsWith(`${new URL(base).href}/`)) throw new Error(`The next page is outside of ${base}: ${href}`)
  return href
}

/** The target in the `Link` header. */
export function nextTarget(headers: Headers): string | undefined {
  for (const [, target = '', parameters = ''] of (headers.get('link') ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    const relations = /;\s*rel="?([^";,]*)/i.exec(parameters)?.[1]?.split(' ') ?? []
    if (relations.includes('next')) return target
  }
  return undefined
}

/** A number as it was in the JSON text. */
export class Digits {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown
/** The types of the compiler do not yet include the source text that a reviver receives. */
const parseWith = (text: string, reviver: Reviver): unknown => JSON.parse(text, reviver) as unknown

export function parseAnswer(text: string, { status, headers }: Response): unknown {
  try {
    return parseWith(text, (_, value, context) =>
      typeof value === 'number' ? new Digits(context?.source ?? safeDigits(value)) : value,
    )
  } catch (cause) {
    const type = headers.get('content-type') ?? 'no content type'
    throw new Error(`The response is not one of this API: ${status}, ${type}.`, { cause })
  }
}

/** For engines that do not pass the source text: better an error than a rounded number. */
function safeDigits(value: number): string {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new RangeError('an integer beyond 2^53')
  return String(value)
}

/** 64-bit fields, by type: leaving one out, or naming one too many, does not compile. */
type Int64Fields<T> = { [Name in keyof T as bigint extends T[Name] ? Name : never]-?: true }
const petIntegers: Int64Fields<Pet> = { id: true, categoryId: true }
const orderIntegers: Int64Fields<Order> = { id: true, petId: true }

const readPet = (value: unknown): Pet => record(value, petIntegers) as Pet
const readOrder = (value: unknown): Order => record(value, orderIntegers) as Order

function listOf<Item>(read: (value: unknown) => Item): (value: unknown) => Item[] {
  return (value) => {
    if (!Array.isArray(value)) throw new TypeError('The response is not a list.')
    return value.map(read)
  }
}

function record(value: unknown, integers: object): object {
  if (typeof value !== 'object' || value === null) throw new TypeError('The response is not an object.')
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      member instanceof Digits && Object.hasOwn(integers, name) ? BigInt(member.text) : plain(member),
    ]),
  )
}

/** Converts all other numbers to ordinary ones. */
export function plain(value: unknown): unknown {
  if (value instanceof Digits) return Number(value.text)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}

/** `JSON.stringify` throws on a bigint; in engines that cannot write raw digits, the text is built by hand. */
export function written(value: unknown): string {
  const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown }
  if (!rawJSON) return writtenByHand(value)
  return JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? rawJSON(String(member)) : member))
}

function writtenByHand(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(writtenByHand).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}:${writtenByHand(member)}`)
  return `{${members.join(',')}}`
}
