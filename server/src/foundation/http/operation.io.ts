// One operation of a contract as a route. Whatever the contract says of an
// operation is done here, once, in the order in which it is promised: who asks,
// whether it may be done, query and headers, Accept, body present, its type, its
// size, JSON, schema. A handler gets checked values and gives back a value; it
// knows nothing of headers, JSON or keys.

import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { BytesBody, JsonBody, OperationShape, Success } from '@petstore/contract/operation'
import type { Parameter } from '@petstore/contract/parameters'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { BODY_BYTES_MAX, hasBody, readBytes } from './body.io.ts'
import { header } from './http.io.ts'
import { JsonSyntaxError, readJson, type JsonValue } from '../json-reader.ts'
import { accepts, isIdentityEncoding, isJsonContent, matchesEntityTag, readIdempotencyKey } from './negotiation.ts'
import { Refusal } from '../refusal.ts'
import type { Instant } from '../time.ts'
import { bodyReader, queryReader } from './validate.ts'

/** What a handler is called with. */
export type Call<O extends OperationShape, Caller> = {
  caller: Caller
  query: Values<O['parameters']>
  path: Record<string, string>
  body: BodyOf<O>
  idempotencyKey: string | undefined
  /** The contract's time: the true one, or the one that a rehearsal asks for. */
  now: Instant
  stay: O['success'] extends { type: string } ? Stay : undefined
}

/** Of an answer that comes piece by piece, and may take its time. */
export type Stay = {
  /** Aborted when the client goes, or when we stop. */
  ended: AbortSignal
  /** Whether whoever asked would still be let in: refuses like the first time. */
  again: () => Promise<void>
}

type BodyOf<O> = O extends { body: { schema: infer Schema extends TSchema } }
  ? Static<Schema>
  : O extends { body: { types: readonly string[] } }
    ? OperationRequest
    : undefined

/** A body that is not JSON, and what it says it is. */
export type OperationRequest = { bytes: Buffer; type: string }

/** What a handler answers, as the operation's success says: JSON text, nothing, a text in pieces, or bytes. */
export type AnswerOf<O extends OperationShape> = (O['success'] extends { schema: object }
  ? { json: string }
  : O['success'] extends { type: string }
    ? { pieces: AsyncIterable<string> }
    : O['success'] extends { types: readonly (infer Type)[] }
      ? { bytes: Uint8Array; type: Type }
      : { json?: never }) & {
  /** Headers that only the handler can know. */
  headers?: Readonly<Record<string, string>>
}

export type OperationResponse = { json: string; headers?: Readonly<Record<string, string>> }

type Values<P extends Record<string, Parameter>> = {
  [Name in keyof P]?: P[Name] extends Parameter<infer Value> ? Value : never
}

export type Mounting<Caller, O extends OperationShape = OperationShape> = {
  /** Who is asking, or a refusal. */
  enter: (request: FastifyRequest, operation: O) => Promise<Caller>
  /** Whether this caller may do this now; refuses what may not be. */
  admit?: (caller: Caller, operation: O, now: Instant) => void
  /** What every answer of this operation carries, refusals too: names and values in turn. */
  headsOf: (operation: O) => readonly string[]
  now: (request: FastifyRequest) => Instant
}

export function mount<O extends Shape, Caller, Shape extends OperationShape>(
  app: FastifyInstance,
  operation: O,
  { enter, admit, headsOf, now }: Mounting<Caller, Shape>,
  handle: (call: Call<O, Caller>) => Promise<AnswerOf<O>>,
): void {
  const readQuery = queryReader(operation.parameters)
  const takesIdempotencyKey = 'Idempotency-Key' in operation.parameters
  const readBody = operation.body && bodyOf(operation.body)
  const heads = headsOf(operation)
  const media = mediaOf(operation.success)
  const url = operation.path.replace(/\{(\w+)\}/g, ':$1')
  const route = `${app.prefix}${url}`
  const comesInPieces = 'type' in operation.success
  const again = async (request: FastifyRequest) => {
    const caller = await enter(request, operation)
    admit?.(caller, operation, now(request))
  }

  app.route({
    method: operation.method === 'GET' ? ['GET', 'HEAD'] : operation.method,
    url,
    handler: async (request, reply) => {
      request.route = route
      request.heads.push(...heads)
      const caller = await enter(request, operation)
      const at = now(request)
      admit?.(caller, operation, at)
      const query = readQuery((request.query as { text: string }).text)
      const idempotencyKey = takesIdempotencyKey ? idempotencyKeyOf(request) : undefined
      const accept = header(request, 'accept')
      if (!media.some((type) => accepts(accept, type))) throw new Refusal('not_acceptable')
      const body = readBody && (await readBody(request, reply))

      const stay = comesInPieces ? stayOf(request, reply, again) : undefined
      const call = { caller, query, path: request.params, body, idempotencyKey, now: at, stay } as Call<O, Caller>
      return send(request, reply, operation.success, await handle(call))
    },
  })
}

function mediaOf(success: Success): readonly string[] {
  if ('types' in success) return success.types
  return ['type' in success ? success.type : 'application/json']
}

type Again = (request: FastifyRequest) => Promise<void>

function stayOf(request: FastifyRequest, { raw }: FastifyReply, again: Again): Stay {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  return {
    ended: AbortSignal.any([gone.signal, request.server.stopping]),
    async again() {
      const said = request.heads.length
      await again(request)
      // The head was sent long ago; what is put on it now would only pile up.
      request.heads.length = said
    },
  }
}

function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const sent = header(request, 'idempotency-key')
  if (sent === undefined) return undefined
  const key = readIdempotencyKey(sent)
  if (key === undefined) throw new Refusal('invalid_idempotency_key')
  return key
}

/** Reads a body as the operation says it is. */
function bodyOf(body: JsonBody | BytesBody): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  if ('schema' in body) {
    const readValue = bodyReader(body)
    return async (request, reply) => readValue(await jsonOf(request, reply, body.bytesMax ?? BODY_BYTES_MAX))
  }
  return async (request, reply) => {
    if (!hasBody(request.raw)) throw new Refusal('missing_body', 'A body is required.')
    const type = (header(request, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
    if (!body.types.includes(type)) throw wrongType(body.types)
    refuseEncoded(request)
    const bytes = await readBytes(request.raw, reply.raw, body.bytesMax)
    if (bytes.length === 0) throw new Refusal('missing_body', 'A body is required.')
    return { bytes, type } satisfies OperationRequest
  }
}

async function jsonOf(request: FastifyRequest, reply: FastifyReply, bytesMax: number): Promise<JsonValue> {
  if (!hasBody(request.raw)) throw new Refusal('missing_body')
  if (!isJsonContent(header(request, 'content-type') ?? '')) {
    throw new Refusal('unsupported_media_type', undefined, { Accept: 'application/json' })
  }
  refuseEncoded(request)
  const bytes = await readBytes(request.raw, reply.raw, bytesMax)
  if (bytes.length === 0) throw new Refusal('missing_body')
  try {
    return readJson(bytes)
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new Refusal('invalid_json', error.message)
    throw error
  }
}

const wrongType = (types: readonly string[]) =>
  new Refusal('unsupported_media_type', `Send ${types.join(' or ')}.`, { Accept: types.join(', ') })

function refuseEncoded(request: FastifyRequest): void {
  if (isIdentityEncoding(header(request, 'content-encoding'))) return
  throw new Refusal('unsupported_media_type', 'Send the body without Content-Encoding.', {
    'Accept-Encoding': 'identity',
  })
}

type AnyAnswer = {
  json?: string
  pieces?: AsyncIterable<string>
  bytes?: Uint8Array
  type?: unknown
  headers?: Readonly<Record<string, string>>
}

function send(request: FastifyRequest, reply: FastifyReply, success: Success, answer: AnyAnswer): FastifyReply {
  const { heads } = request
  const { json, pieces, bytes, headers } = answer
  const { status } = success
  if (headers) for (const [name, value] of Object.entries(headers)) append(heads, name, value)
  if (pieces !== undefined && 'type' in success) {
    heads.push('Cache-Control', 'no-store')
    reply.header('Content-Type', success.type)
    // Some answers never end, and nobody waits for the body of this one.
    return request.method === 'HEAD' ? reply.send('') : reply.send(Readable.from(pieces))
  }
  if (bytes !== undefined) {
    heads.push('Cache-Control', 'no-store', 'Content-Type', String(answer.type), 'Content-Length', String(bytes.length))
    reply.code(status).hijack()
    reply.raw.writeHead(status, heads).end(bytes)
    return reply
  }
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (json === undefined || status !== 200 || !isRead || ('noStore' in success && success.noStore)) {
    heads.push('Cache-Control', 'no-store')
    return json === undefined ? reply.code(204).send() : write(request, reply, status, json)
  }
  // Over the links too: the same rows can gain a next page.
  const tag = `W/"${hash('sha1', `${headers?.['Link'] ?? ''}\n${json}`, 'base64url')}"`
  heads.push('ETag', tag, 'Cache-Control', 'private, no-cache', 'Vary', 'Authorization, Accept-Encoding')
  const known = header(request, 'if-none-match')
  if (known !== undefined && matchesEntityTag(known, tag)) return reply.code(304).send()
  return write(request, reply, status, json)
}

/** Straight to the socket, head and body in one piece: there is nothing left that Fastify could do for it. */
function write({ heads }: FastifyRequest, reply: FastifyReply, status: number, json: string): FastifyReply {
  const length = Buffer.byteLength(json)
  heads.push('Content-Type', 'application/json', 'Content-Length', String(length))
  reply.code(status).hijack()
  // As many bytes as characters: it is ASCII, which needs no encoding.
  reply.raw.writeHead(status, heads).end(json, length === json.length ? 'latin1' : 'utf8')
  return reply
}

/** A deprecated operation has put its own links there already. */
function append(heads: string[], name: string, value: string): void {
  const at = heads.indexOf(name)
  if (at === -1) heads.push(name, value)
  else heads[at + 1] = `${heads[at + 1]}, ${value}`
}
