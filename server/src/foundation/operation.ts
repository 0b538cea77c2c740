// One operation of the contract as a route. Whatever the contract says of an
// operation is done here, once, in the order in which it is promised: removed or
// not, scope, query and headers, Accept, body present, its type, its size, JSON,
// schema. A handler gets checked values and gives back a value; it knows nothing
// of headers, JSON or keys.

import { hash } from 'node:crypto'
import type { Operation, Scope } from '@petstore/contract/operations'
import type { Parameter } from '@petstore/contract/parameters'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { hasBody, readBody } from './body.ts'
import { refuseRemoved } from './deprecation.ts'
import { header } from './http.ts'
import { JsonSyntaxError, readJson, type JsonValue } from './json-reader.ts'
import { accepts, isIdentityEncoding, isJsonContent, matchesEntityTag, readIdempotencyKey } from './negotiation.ts'
import { Refusal } from './refusal.ts'
import type { Instant } from './time.ts'
import { bodyReader, queryReader } from './validate.ts'

/** What a handler is called with. */
export type Call<O extends Operation, Caller> = {
  caller: Caller
  query: Values<O['parameters']>
  path: Record<string, string>
  body: O extends { body: { schema: infer Schema extends TSchema } } ? Static<Schema> : undefined
  idempotencyKey: string | undefined
  /** The contract's time: the true one, or the one that a rehearsal asks for. */
  now: Instant
}

/** What a handler answers: the value as JSON text, and headers that only it can know. */
export type Answer = { json: string; headers?: Readonly<Record<string, string>> }

type Values<P extends Record<string, Parameter>> = {
  [Name in keyof P]?: P[Name] extends Parameter<infer Value> ? Value : never
}

export type Mounting<Caller> = {
  /** Who is asking, or a refusal. */
  enter: (request: FastifyRequest) => Promise<Caller & { scopes: readonly Scope[] }>
  /** What every answer of this operation carries, refusals too: names and values in turn. */
  headsOf: (operation: Operation) => readonly string[]
  now: (request: FastifyRequest) => Instant
}

export function mount<O extends Operation, Caller>(
  app: FastifyInstance,
  operation: O,
  { enter, headsOf, now }: Mounting<Caller>,
  handle: (call: Call<O, Caller>) => Promise<Answer>,
): void {
  const readQuery = queryReader(operation.parameters)
  const takesIdempotencyKey = 'Idempotency-Key' in operation.parameters
  const readValue = operation.body && bodyReader(operation.body)

  const heads = headsOf(operation)
  const url = operation.path.replace(/\{(\w+)\}/g, ':$1')
  const route = `${app.prefix}${url}`

  app.route({
    method: operation.method === 'GET' ? ['GET', 'HEAD'] : operation.method,
    url,
    handler: async (request, reply) => {
      request.route = route
      request.heads.push(...heads)
      const caller = await enter(request)
      const at = now(request)
      refuseRemoved(operation, at)
      refuseNarrow(caller.scopes, operation.scope)
      const query = readQuery((request.query as { text: string }).text)
      const idempotencyKey = takesIdempotencyKey ? idempotencyKeyOf(request) : undefined
      if (!accepts(header(request, 'accept'))) throw new Refusal('not_acceptable')
      const body = readValue && readValue(await jsonOf(request, reply))

      const call = { caller, query, path: request.params, body, idempotencyKey, now: at } as Call<O, Caller>
      return send(request, reply, operation.success.status, await handle(call))
    },
  })
}

function refuseNarrow(scopes: readonly Scope[], scope: Scope): void {
  if (scopes.includes(scope)) return
  throw new Refusal('insufficient_scope', `This key lacks the scope '${scope}'.`, {
    'WWW-Authenticate': `Bearer realm="petstore", error="insufficient_scope", scope="${scope}"`,
  })
}

function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const sent = header(request, 'idempotency-key')
  if (sent === undefined) return undefined
  const key = readIdempotencyKey(sent)
  if (key === undefined) throw new Refusal('invalid_idempotency_key')
  return key
}

async function jsonOf(request: FastifyRequest, reply: FastifyReply): Promise<JsonValue> {
  if (!hasBody(request.raw)) throw new Refusal('missing_body')
  if (!isJsonContent(header(request, 'content-type') ?? '')) {
    throw new Refusal('unsupported_media_type', undefined, { Accept: 'application/json' })
  }
  if (!isIdentityEncoding(header(request, 'content-encoding'))) {
    throw new Refusal('unsupported_media_type', 'Send the body without Content-Encoding.', {
      'Accept-Encoding': 'identity',
    })
  }
  const bytes = await readBody(request.raw, reply.raw)
  if (bytes.length === 0) throw new Refusal('missing_body')
  try {
    return readJson(bytes)
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new Refusal('invalid_json', error.message)
    throw error
  }
}

function send(request: FastifyRequest, reply: FastifyReply, status: 200 | 201, answer: Answer): FastifyReply {
  const { heads } = request
  const { json, headers } = answer
  if (headers) for (const [name, value] of Object.entries(headers)) append(heads, name, value)
  if (status === 201) {
    heads.push('Cache-Control', 'no-store')
    return write(request, reply, status, json)
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
