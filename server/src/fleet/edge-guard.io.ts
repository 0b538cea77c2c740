// `createEdgeGuard` authenticates edges: by the signature on their requests, or by the token of an edge that an earlier
// release has added and that has not enrolled yet. Edges are cached for less than half a second, so that a revoked one
// is rejected within a second.
//
// Wrong credentials are cheap to reject, and lock out no edge behind the same address. In this order are rejected:
// - what is malformed, was rejected before, or is not of this time;
// - ids and tokens that no edge has: they are no longer looked up once their address group has too many failures;
// - signatures that are not by the key of their edge: they are no longer verified once their address group has too many
//   failures of this edge. So a client that does not know the id of an edge cannot use that up, and one that does cannot
//   affect a connection that has authenticated as this edge, on which a signature is always verified.

import type { KeyObject } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { addressGroup } from '../foundation/address-group.ts'
import type { Context } from '../foundation/context.ts'
import { readBearer } from '../foundation/http/negotiation.ts'
import { requestIdsFrom } from '../foundation/http/proxies.io.ts'
import type { ServerSettings } from '../foundation/http/server-settings.io.ts'
import { newRequestId } from '../foundation/ids.io.ts'
import { guardAdmission } from '../foundation/load/admission.io.ts'
import type { AdmissionRules, RequestKind } from '../foundation/load/admission.ts'
import { batched } from '../foundation/load/batch.ts'
import { RecentKeys } from '../foundation/load/bounded-map.ts'
import { FreshCache } from '../foundation/load/cache.ts'
import { capConnections, type Caps, type ConnectionCaps } from '../foundation/load/connection-caps.io.ts'
import { RateLimit, tooMany } from '../foundation/load/rate-limit.io.ts'
import { isRefusedData, type Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { SECOND, type Instant } from '../foundation/time.ts'
import { edgeKeys, findEdges, type EdgeCredentials } from './directory.io.ts'
import { enrolEdge, type Misuse } from './edge-tokens.io.ts'
import { publicKeyOf } from './key-delivery.io.ts'
import { CHANGES_PATH, SITE_PATH, type EdgeKeys } from './protocol.ts'
import { isSignedBy, readSignature, SKEW_MS, type SignableRequest, type Signature } from './request-signature.io.ts'
import { isToken, tokenDigest } from './token-format.ts'

/** An edge whose request was accepted. */
export type KnownEdge = {
  id: string
  name: string
  servesApi: boolean
  /** Undefined for an edge that an earlier release has added: its token identifies it. */
  identity: { signKey: KeyObject; sealKey: KeyObject; enrolledAt: Instant } | undefined
}

export type EdgeGuard = {
  /** Returns the edge, or throws a refusal. `knownAs` is the edge that its connection has authenticated as. */
  authenticate(request: SignableRequest, address: string, knownAs?: string): Promise<KnownEdge>
  /** Throws a refusal if the edge of a request that was accepted has been revoked since. */
  confirm(request: SignableRequest): Promise<void>
  /** Enrols the edge of a token, and returns its id; or throws a refusal. */
  enrol(authorization: string | undefined, keys: EdgeKeys, address: string): Promise<{ id: string }>
}

const CACHE_MS = 450
const CACHED_MAX = 100_000
const REFUSED_MS = 10 * SECOND
const REFUSED_MAX = 10_000
const KEYS_MS = SECOND

/**
 * `now` is the clock by which signatures are dated. `onRefused` is called at the first failure from an address within
 * its rate-limit window.
 */
export function createEdgeGuard({
  run,
  monotonic,
  now,
  failures,
  onRefused,
  onMisused,
}: Pick<Context, 'monotonic' | 'now'> & {
  run: Db
  failures: { points: number; windowSeconds: number }
  onRefused: (address: string) => void
  onMisused: (misuse: Misuse, address: string) => void
}): EdgeGuard {
  const known = new FreshCache<KnownEdge>({ holdMs: CACHE_MS, countMax: CACHED_MAX, now: monotonic })
  /** What was rejected is never accepted again: every new edge gets another id and another token. */
  const refused = new RecentKeys({ holdMs: REFUSED_MS, countMax: REFUSED_MAX, now: monotonic })
  const failed = new RateLimit({ name: 'edge', ...failures })
  const lookUp = batched<string, KnownEdge | undefined>({
    together: async (keys) => (await findEdges(run, keys)).map((found) => found && knownEdge(found)),
    isBlamed: isRefusedData,
    groupOf: (key) => key,
    weightOf: () => 1,
    weightMax: 500,
    lanes: 1,
  })

  /** The keys of all edges, read at most once a second, and only while an address group has too many failures. */
  const all = new FreshCache<ReadonlySet<string>>({ holdMs: KEYS_MS, countMax: 1, now: monotonic })

  /** `edge`: whose signature it was not. */
  const refuse = async (address: string, edge = ''): Promise<never> => {
    const usage = await failed.use(addressGroup(address) + edge)
    if (usage.isOver) throw tooManyFailures(usage.resetSeconds)
    if (usage.remaining === usage.quota.points - 1) onRefused(address)
    throw notAccepted()
  }
  const checkAllowance = async (address: string, edge = '', isEdge = async () => false) => {
    const usage = await failed.look(addressGroup(address) + edge)
    if (usage.isOver && !(await isEdge())) throw tooManyFailures(usage.resetSeconds)
  }
  const isOnTime = ({ at }: Signature) => Math.abs(now() - at) <= SKEW_MS

  return {
    async authenticate(request, address, knownAs) {
      const sent = credentialsOf(request)
      if (!sent) return refuse(address)
      const { key, signature } = sent
      // A revoked edge keeps retrying; it is rejected, and does not count as guessing.
      if (refused.has(key)) throw notAccepted()
      // An edge whose clock is wrong keeps retrying as well. It is the same for an id that does not exist.
      if (signature && !isOnTime(signature)) throw wrongClock(now() - signature.at)
      const isEdge = async () => (await all.get('', async () => new Set(await edgeKeys(run))))?.has(key) === true
      if (!known.has(key)) await checkAllowance(address, '', isEdge)
      const edge = await known.get(key, () => lookUp(key))
      if (edge === undefined) {
        refused.add(key)
        return refuse(address)
      }
      if (knownAs !== edge.id) await checkAllowance(address, edge.id)
      return isBy(edge, signature, request) ? edge : refuse(address, edge.id)
    },
    async confirm(request) {
      const key = credentialsOf(request)?.key ?? ''
      if ((await known.get(key, () => lookUp(key))) === undefined) throw notAccepted()
    },
    async enrol(authorization, keys, address) {
      const token = tokenIn(authorization)
      if (token === undefined) return refuse(address)
      await checkAllowance(address)
      const outcome = await enrolEdge(run, token, keys)
      if (outcome && 'id' in outcome) return outcome
      if (outcome) onMisused(outcome.misuse, address)
      return refuse(address)
    },
  }
}

/** The key under which the edge is looked up: the id in a signature, or the digest of a token. */
function credentialsOf({ headers }: SignableRequest): { key: string; signature?: Signature } | undefined {
  const { authorization } = headers
  const text = typeof authorization === 'string' ? authorization : undefined
  const signature = readSignature(text)
  if (signature) return { key: signature.id, signature }
  const token = tokenIn(text)
  return token === undefined ? undefined : { key: tokenDigest(token) }
}

function tokenIn(authorization: string | undefined): string | undefined {
  const token = authorization === undefined ? undefined : readBearer(authorization)
  return token !== undefined && isToken(token) ? token : undefined
}

/** An edge without keys was found by the digest of its token. */
const isBy = ({ identity }: KnownEdge, signature: Signature | undefined, request: SignableRequest): boolean =>
  identity === undefined || (signature !== undefined && isSignedBy(identity.signKey, signature, request))

function knownEdge(found: EdgeCredentials): KnownEdge {
  const { id, name, servesApi } = found
  if (found.enrolledAt === null) return { id, name, servesApi, identity: undefined }
  const signKey = publicKeyOf('Ed25519', found.signKey)
  const sealKey = publicKeyOf('X25519', found.sealKey)
  return { id, name, servesApi, identity: { signKey, sealKey, enrolledAt: found.enrolledAt.getTime() } }
}

const CHALLENGE = { 'WWW-Authenticate': 'Petstore-Edge realm="edges"' }

const notAccepted = () => new Refusal('invalid_api_key', 'The credentials of the edge are not valid.', CHALLENGE)

const wrongClock = (behindMs: number) =>
  new Refusal(
    'invalid_api_key',
    `The clock of the edge differs by ${Math.round(Math.abs(behindMs) / SECOND)} s; ${SKEW_MS / SECOND} s are allowed.`,
    CHALLENGE,
  )

const tooManyFailures = (seconds: number) => tooMany('wrong credentials from this address', seconds)

// `admitEdges` puts admission control and caps of connections ahead of the listener for edges (decision 10).
// - The sender is the edge that a connection has authenticated as, otherwise its address group.
// - Edges keep polling whatever else is rejected: one that receives no removals serves what is gone. Certificates and forms
//   are rejected after pages, of which an edge has copies; photos have a queue of their own, as the store may be slow.

export function admitEdges(
  app: FastifyInstance,
  { trustedProxies, headersTimeoutMs }: ServerSettings,
  rules: AdmissionRules,
  caps: Caps,
): ConnectionCaps {
  const connections = capConnections(app.server, caps, {
    patienceMs: headersTimeoutMs,
    trustedProxies,
    hold: (socket) => admission.hold(socket),
  })
  const admission = guardAdmission(app.server, {
    rules,
    connections,
    kindOf: (request) => kindOf(request, connections),
    senderOf: ({ socket }) => connections.knownAs(socket),
    requestIdOf: requestIdsFrom(trustedProxies, newRequestId),
    log: app.log,
  })
  app.addHook('preClose', () => admission.stop())
  return connections
}

function kindOf({ method, url = '', socket }: IncomingMessage, connections: ConnectionCaps): RequestKind {
  if (url.startsWith(`${SITE_PATH}/photos/`)) return 'export'
  if (url.startsWith(`${SITE_PATH}/`)) return method === 'POST' ? 'write' : 'read'
  return url.startsWith(`${CHANGES_PATH}?`) && connections.knownAs(socket) !== undefined ? 'poll' : 'write'
}
