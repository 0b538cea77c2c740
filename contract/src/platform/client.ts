// A typed client of `/platform/v1`, for the dashboard and the command line. The compiler
// derives the types of requests and responses from the operations; at run time the client uses
// the generated table of calls, so that no schema is loaded.
//
// A refusal is thrown as a `PlatformError` with the Error body; a missing response is a
// `NoAnswer`, since the two need different messages.

import type { Static, TSchema } from 'typebox'
import { Digits, addressOf, nextTarget, parseAnswer, plain, written } from '../client.ts'
import type { ErrorBody, RefusalCode } from '../errors.ts'
import type { Parameter } from '../parameters.ts'
import type * as accountAudit from './account-audit.ts'
import type * as accountDeletion from './account-deletion.ts'
import type * as accounts from './accounts.ts'
import type * as animalChanges from './animal-changes.ts'
import type * as animalStatuses from './animal-statuses.ts'
import type * as animals from './animals.ts'
import type * as audit from './audit.ts'
import { calls } from './calls.ts'
import type * as deployments from './deployments.ts'
import type * as domainSharing from './domain-sharing.ts'
import type * as domainTracing from './domain-tracing.ts'
import type * as domains from './domains.ts'
import type * as emailChange from './email-change.ts'
import type * as importReview from './import-review.ts'
import type * as imports from './imports.ts'
import type * as keys from './keys.ts'
import type * as members from './members.ts'
import type * as notifications from './notifications.ts'
import type * as orderHolds from './order-holds.ts'
import type * as orderMoves from './order-moves.ts'
import type * as orderNotes from './order-notes.ts'
import type * as orders from './orders.ts'
import type * as overview from './overview.ts'
import type * as passkeys from './passkeys.ts'
import type * as planRequests from './plan-requests.ts'
import type * as photos from './photos.ts'
import type * as profiles from './profiles.ts'
import type * as projects from './projects.ts'
import type * as reauthentication from './reauthentication.ts'
import type * as recovery from './recovery.ts'
import type * as search from './search.ts'
import type * as signInLinks from './sign-in-links.ts'
import type * as signUp from './sign-up.ts'
import type * as site from './site.ts'
import type * as watching from './watching.ts'

type OperationsOf<Module> = {
  [Name in keyof Module as Module[Name] extends { operationId: infer Id extends string } ? Id : never]: Module[Name]
}
type Operations = OperationsOf<typeof accounts> &
  OperationsOf<typeof accountAudit> &
  OperationsOf<typeof accountDeletion> &
  OperationsOf<typeof animals> &
  OperationsOf<typeof animalChanges> &
  OperationsOf<typeof animalStatuses> &
  OperationsOf<typeof audit> &
  OperationsOf<typeof deployments> &
  OperationsOf<typeof domains> &
  OperationsOf<typeof domainSharing> &
  OperationsOf<typeof domainTracing> &
  OperationsOf<typeof emailChange> &
  OperationsOf<typeof importReview> &
  OperationsOf<typeof imports> &
  OperationsOf<typeof keys> &
  OperationsOf<typeof members> &
  OperationsOf<typeof notifications> &
  OperationsOf<typeof orderHolds> &
  OperationsOf<typeof orderMoves> &
  OperationsOf<typeof orderNotes> &
  OperationsOf<typeof orders> &
  OperationsOf<typeof overview> &
  OperationsOf<typeof passkeys> &
  OperationsOf<typeof planRequests> &
  OperationsOf<typeof photos> &
  OperationsOf<typeof profiles> &
  OperationsOf<typeof projects> &
  OperationsOf<typeof reauthentication> &
  OperationsOf<typeof signInLinks> &
  OperationsOf<typeof recovery> &
  OperationsOf<typeof search> &
  OperationsOf<typeof signUp> &
  OperationsOf<typeof site> &
  OperationsOf<typeof watching>

/** Operations of a module that is missing above would not compile below. */
export type OperationId = keyof typeof calls

type ParametersOf<O> = O extends { parameters: infer P } ? P : never
type ValueOf<P> = P extends Parameter<infer Value> ? Value : never
type InPath<P> = { [Name in keyof P as P[Name] extends { in: 'path' } ? Name : never]: ValueOf<P[Name]> }
type InQuery<P> = {
  [Name in keyof P as P[Name] extends { in: 'query' } ? Name : never]?: ValueOf<P[Name]> | undefined
}
type BodyOf<O> = O extends { body: { schema: infer Schema extends TSchema } }
  ? { body: Static<Schema> }
  : O extends { body: { types: readonly string[] } }
    ? { body: Blob }
    : unknown

/** Path, query and body in one object: no operation uses a name twice. */
export type Sent<Id extends OperationId> = InPath<ParametersOf<Operations[Id]>> &
  InQuery<ParametersOf<Operations[Id]>> &
  BodyOf<Operations[Id]>
export type Received<Id extends OperationId> = Operations[Id] extends {
  success: { schema: infer Schema extends TSchema }
}
  ? Static<Schema>
  : Operations[Id] extends { success: { status: 204 } }
    ? undefined
    : string

type Arguments<Id extends OperationId> = object extends Sent<Id> ? [sent?: Sent<Id>] : [sent: Sent<Id>]

export type Page<Item> = { items: Item[]; next: string | undefined }

export type PlatformClient = {
  call<Id extends OperationId>(operation: Id, ...sent: Arguments<Id>): Promise<Received<Id>>
  /** For paginated lists: returns the cursor of the next page too. */
  page<Id extends OperationId>(
    operation: Id,
    ...sent: Arguments<Id>
  ): Promise<Page<Received<Id> extends readonly (infer Item)[] ? Item : never>>
  /** For links, images, frames and event streams, which browsers fetch themselves. */
  addressOf<Id extends OperationId>(operation: Id, ...sent: Arguments<Id>): string
}

/** A request that was refused. */
export class PlatformError extends Error {
  readonly status: number
  readonly code: RefusalCode | (string & {})
  readonly headers: Headers

  constructor({ code, message, status }: ErrorBody, headers: Headers) {
    super(message)
    this.name = 'PlatformError'
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** There was no response, or not one of this API. */
export class NoAnswer extends Error {
  constructor(cause: unknown) {
    super('No answer', { cause })
    this.name = 'NoAnswer'
  }
}

export type PlatformOptions = {
  /** Ends in `/platform/v1`; relative to the page in a browser. */
  baseUrl: string
  /** A personal access token; browsers use the cookie. */
  token?: string
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

export function createPlatformClient({ baseUrl, token, fetch = globalThis.fetch }: PlatformOptions): PlatformClient {
  async function ask(id: OperationId, sent: Record<string, unknown>) {
    const { method, answer, int64 } = calls[id]
    const { body } = sent
    const headers: Record<string, string> = { Accept: answer === 'text' ? '*/*' : 'application/json' }
    if (token !== undefined) headers['Authorization'] = `Bearer ${token}`
    if (body instanceof Blob) headers['Content-Type'] = body.type
    else if (body !== undefined) headers['Content-Type'] = 'application/json'
    const init: RequestInit = { method, headers, redirect: 'error', cache: 'no-cache' }
    if (body !== undefined) init.body = body instanceof Blob ? body : written(body)
    try {
      const response = await fetch(urlOf(baseUrl, id, sent), init)
      const text = await response.text()
      const isText = response.ok && answer === 'text'
      const value = isText || (response.ok && answer === 'nothing') ? text : parseAnswer(text, response)
      return { response, value: isText ? value : read(value, int64) }
    } catch (error) {
      throw new NoAnswer(error)
    }
  }
  async function call(id: OperationId, sent: Record<string, unknown> = {}) {
    const { response, value } = await ask(id, sent)
    if (!response.ok) throw new PlatformError(value as ErrorBody, response.headers)
    return { value: calls[id].answer === 'nothing' ? undefined : value, headers: response.headers }
  }
  return {
    call: async (id, ...[sent]) => (await call(id, sent)).value as never,
    async page(id, ...[sent]) {
      const { value, headers } = await call(id, sent)
      return { items: value as never[], next: cursorOf(headers) }
    },
    addressOf: (id, ...[sent]) => urlOf(baseUrl, id, sent ?? {}),
  }
}

function urlOf(baseUrl: string, id: OperationId, sent: Record<string, unknown>): string {
  const { body: _, ...query } = sent
  const path = calls[id].path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = query[name]
    delete query[name]
    return encodeURIComponent(String(value))
  })
  return addressOf(`${baseUrl}${path}`, query)
}

/** Only the cursor is taken from the link: whatever its target, nothing is sent there. */
function cursorOf(headers: Headers): string | undefined {
  const query = nextTarget(headers)?.replace(/^[^?]*/, '')
  return new URLSearchParams(query).get('cursor') ?? undefined
}

/** 64-bit integers become `bigint`, by the names of their fields; all other numbers are ordinary ones. */
function read(value: unknown, int64: readonly string[]): unknown {
  if (int64.length === 0) return plain(value)
  if (Array.isArray(value)) return value.map((item) => read(item, int64))
  if (typeof value !== 'object' || value === null || value instanceof Digits) return plain(value)
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      int64.includes(name) && !isRecord(member) ? wide(member) : read(member, int64),
    ]),
  )
}

const isRecord = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Digits)

function wide(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wide)
  return value instanceof Digits ? BigInt(value.text) : plain(value)
}
