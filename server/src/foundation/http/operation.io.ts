// `mount` turns an operation of a contract into a route. It enforces everything the contract
// specifies, once, in the promised order: authentication, permission, query and headers, Accept,
// presence of a body, its type, its size, JSON, schema. A handler gets validated values and returns
// a value; it needs no knowledge of headers, JSON or keys.

import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { BytesBody, JsonBody, OperationShape, Success } from '@petstore-platform/contract/operation'
import type { Parameter } from '@petstore-platform/contract/parameters'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { BODY_BYTES_MAX, hasBody, readBytes, refuseDeclared } from './body.io.ts'
import { header } from './http.io.ts'
import { JsonSyntaxError, readJson, type JsonValue } from '../json-reader.ts'
import { nameOperation } from '../measurements.io.ts'
import { accepts, isIdentityEncoding, isJsonContent, matchesEntityTag, readIdempotencyKey } from './negotiation.ts'
import { Refusal } from '../refusal.ts'
import type { Instant } from '../time.ts'
import type { Pacing } from '../load/arrival-pace.ts'
import { receiveFile, type ReceivedFile } from './receive-file.io.ts'
import { bodyReader, queryReader } from './validate.ts'

/** The arguments of a handler. */
export type Call<O extends OperationShape, Caller> = {
  caller: Caller
  query: Values<O['parameters']>
  path: Record<string, string>
  body: BodyOf<O>
  idempotencyKey: string | undefined
  /** The contract's time: the actual one, or the one that a rehearsal sets. */
  now: Instant
  client: O['success'] extends { type: string } ? StreamClient : undefined
}

/** The client of a streamed response, which may stay connected for long. */
export type StreamClient = {
  /** Aborted when the client disconnects, or sends nothing more, and at shutdown. */
  ended: AbortSignal
}

type BodyOf<O> = O extends { body: { schema: infer Schema extends TSchema } }
  ? Static<Schema>
  : O extends { body: { isStreamed: true } }
    ? StreamedBody
    : O extends { body: { types: readonly string[] } }
      ? OperationRequest
      : undefined

/** A body that is not JSON, with its declared type. */
export type OperationRequest = { bytes: Buffer; type: string }

/** A body that is not read yet: a handler may refuse it before. */
export type StreamedBody = {
  type: string
  /** Undefined if the client did not declare it. */
  declaredBytes: number | undefined
  /** At most once. */
  receive: (pacing: Pacing) => Promise<ReceivedFile>
}

/** A handler's result, as specified by the operation's success: JSON text, nothing, streamed text, or bytes. */
export type AnswerOf<O extends OperationShape> = (O['success'] extends { schema: object }
  ? { json: string }
  : O['success'] extends { type: string }
    ? { pieces: AsyncIterable<string> }
    : O['success'] extends { types: readonly (infer Type)[] }
      ? { bytes: Uint8Array; type: Type }
      : { json?: never }) & {
  /** Headers that only the handler knows; of several values, each is a header of its own. */
  headers?: ResponseHeaders
}

type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>

export type OperationResponse = { json: string; headers?: ResponseHeaders }

type Values<P extends Record<string, Parameter>> = {
  [Name in keyof P]?: P[Name] extends Parameter<infer Value> ? Value : never
}

export type Mounting<Caller, O extends OperationShape = OperationShape> = {
  /** Authenticates the caller, or throws a refusal. */
  enter: (request: FastifyRequest, operation: O) => Promise<Caller>
  /** Authorises the caller for this operation now, or throws a refusal. */
  admit?: (caller: Caller, operation: O, now: Instant) => void
  /** Headers of every response of this operation, including refusals: names and values in turn. */
  headersOf: (operation: O) => readonly string[]
  now: (request: FastifyRequest) => Instant
}

export function mount<O extends Shape, Caller, Shape extends OperationShape>(
  app: FastifyInstance,
  operation: O,
  { enter, admit, headersOf, now }: Mounting<Caller, Shape>,
  handle: (call: Call<O, Caller>) => Promise<AnswerOf<O>>,
): void {
  const readQuery = queryReader(operation.parameters)
  const takesIdempotencyKey = 'Idempotency-Key' in operation.parameters
  const readBody = operation.body && bodyOf(operation.body)
  const always = headersOf(operation)
  const media = mediaOf(operation.success)
  const url = operation.path.replace(/\{(\w+)\}/g, ':$1')
  const route = `${app.prefix}${url}`
  const comesInPieces = 'type' in operation.success

  app.route({
    method: operation.method === 'GET' ? ['GET', 'HEAD'] : operation.method,
    url,
    handler: async (request, reply) => {
      request.route = route
      nameOperation(reply.raw, operation.operationId)
      request.responseHeaders.push(...always)
      const caller = await enter(request, operation)
      const at = now(request)
      admit?.(caller, operation, at)
      const query = readQuery((request.query as { text: string }).text)
      const idempotencyKey = takesIdempotencyKey ? idempotencyKeyOf(request) : undefined
      const accept = header(request, 'accept')
      if (!media.some((type) => accepts(accept, type))) throw new Refusal('not_acceptable')
      const body = readBody && (await readBody(request, reply))

      const client = comesInPieces ? streamClientOf(request, reply) : undefined
      const call = { caller, query, path: request.params, body, idempotencyKey, now: at, client } as Call<O, Caller>
      return send(request, reply, operation.success, await handle(call))
    },
  })
}

function mediaOf(success: Success): readonly string[] {
  if ('types' in success) return success.types
  return ['type' in success ? success.type : 'application/json']
}

function streamClientOf({ server, socket }: FastifyRequest, { raw }: FastifyReply): StreamClient {
  const gone = new AbortController()
  const leave = () => gone.abort()
  // A client may have disconnected while it was authenticated.
  if (raw.closed || socket.readableEnded) leave()
  // Otherwise only the next piece would show that the client is gone: half of a connection may stay open.
  socket.once('end', leave)
  raw.once('close', () => {
    socket.off('end', leave)
    leave()
  })
  return { ended: AbortSignal.any([gone.signal, server.stopping]) }
}

function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const sent = header(request, 'idempotency-key')
  if (sent === undefined) return undefined
  const key = readIdempotencyKey(sent)
  if (key === undefined) throw new Refusal('invalid_idempotency_key')
  return key
}

/** Reads a body as the operation specifies it. */
function bodyOf(body: JsonBody | BytesBody): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  if ('schema' in body) {
    const readValue = bodyReader(body)
    return async (request, reply) => readValue(await jsonOf(request, reply, body.bytesMax ?? BODY_BYTES_MAX))
  }
  return async (request, reply) => {
    if (!hasBody(request.raw)) throw new Refusal('missing_body', 'A body is required.')
    const type = (header(request, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
    if (!isAmong(body.types, type)) throw wrongType(body.types)
    refuseEncoded(request)
    if (body.isStreamed) return streamed(request, reply, type, body.bytesMax)
    const bytes = await readBytes(request.raw, reply.raw, body.bytesMax)
    if (bytes.length === 0) throw new Refusal('missing_body', 'A body is required.')
    return { bytes, type } satisfies OperationRequest
  }
}

const isAmong = (types: readonly string[], type: string): boolean =>
  types.includes(type) || (types.includes('image/*') && /^image\/[\w.+-]+$/.test(type))

function streamed(request: FastifyRequest, reply: FastifyReply, type: string, bytesMax: number): StreamedBody {
  const { raw, server } = request
  refuseDeclared(raw, bytesMax)
  const declared = raw.headers['content-length']
  return {
    type,
    declaredBytes: declared === undefined ? undefined : Number(declared),
    receive: (pacing) => receiveFile(raw, reply.raw, { bytesMax, windowMs: server.requestTimeoutMs, pacing }),
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
  headers?: ResponseHeaders
}

function send(request: FastifyRequest, reply: FastifyReply, success: Success, answer: AnyAnswer): FastifyReply {
  const { responseHeaders } = request
  const { json, pieces, bytes, headers } = answer
  const { status } = success
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (typeof value === 'string') append(responseHeaders, name, value)
    else responseHeaders.push(...value.flatMap((each) => [name, each]))
  }
  if (pieces !== undefined && 'type' in success) {
    responseHeaders.push('Cache-Control', 'no-store')
    reply.header('Content-Type', success.type)
    // Some responses never end, and a HEAD response has no body.
    return request.method === 'HEAD' ? reply.send('') : reply.send(Readable.from(pieces))
  }
  if (bytes !== undefined) {
    const caching = 'isImmutable' in success && success.isImmutable ? IMMUTABLE : 'no-store'
    responseHeaders.push(
      'Cache-Control',
      caching,
      'Content-Type',
      String(answer.type),
      'Content-Length',
      String(bytes.length),
    )
    reply.code(status).hijack()
    reply.raw.writeHead(status, responseHeaders).end(bytes)
    return reply
  }
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (json === undefined || status !== 200 || !isRead || ('noStore' in success && success.noStore)) {
    responseHeaders.push('Cache-Control', 'no-store')
    return json === undefined ? reply.code(204).send() : write(request, reply, status, json)
  }
  // Includes the links: the same rows can gain a next page.
  const tag = `W/"${hash('sha1', `${String(headers?.['Link'] ?? '')}\n${json}`, 'base64url')}"`
  responseHeaders.push('ETag', tag, 'Cache-Control', 'private, no-cache', 'Vary', 'Authorization, Accept-Encoding')
  const known = header(request, 'if-none-match')
  if (matchesEntityTag(known, tag)) return reply.code(304).send()
  return write(request, reply, status, json)
}

/** For a week, in the browser of a person who may see it. */
const IMMUTABLE = 'private, max-age=604800, immutable'

/** Writes headers and body straight to the socket in one piece: Fastify has nothing left to do for it. */
function write({ responseHeaders }: FastifyRequest, reply: FastifyReply, status: number, json: string): FastifyReply {
  const length = Buffer.byteLength(json)
  responseHeaders.push('Content-Type', 'application/json', 'Content-Length', String(length))
  reply.code(status).hijack()
  // As many bytes as characters: it is ASCII, which needs no encoding.
  reply.raw.writeHead(status, responseHeaders).end(json, length === json.length ? 'latin1' : 'utf8')
  return reply
}

/** Appends, because a deprecated operation has already set links of its own. */
function append(headers: string[], name: string, value: string): void {
  const at = headers.indexOf(name)
  if (at === -1) headers.push(name, value)
  else headers[at + 1] = `${headers[at + 1]}, ${value}`
}
