// Credentials of edges. Each edge has a token of its own, shown once; only its digest is stored and
// looked up, so that neither the database nor response times reveal anything about it. Results are
// cached for less than half a second, so that a revoked token is rejected within a second.
//
// Guessing tokens is cheap to reject: a rejected token is rejected from memory, and an address with
// too many wrong tokens gets no further lookups.

import { hash } from 'node:crypto'
import { FreshCache } from '../foundation/fresh-cache.ts'
import { batched } from '../foundation/batch.ts'
import { readBearer } from '../foundation/http/negotiation.ts'
import { isRefusedData, type Db } from '../foundation/postgres/postgres.io.ts'
import { RateLimit, tooMany } from '../foundation/http/rate-limit.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { SECOND } from '../foundation/time.ts'
import { addressGroup } from '../foundation/address-group.ts'
import { findEdges, insertEdge, markRevoked, type KnownEdge, type NewEdge } from './directory.io.ts'

export type CredentialDeps = {
  run: Db
  newId: (kind: string) => string
  randomBytes: (count: number) => Uint8Array
}

const nameForm = /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/

/** The token is returned here and nowhere else. The name of a revoked edge may be reused. */
export async function addEdge(
  deps: CredentialDeps,
  name: string,
  more: Pick<NewEdge, 'servesApi' | 'takesOver'> = {},
): Promise<{ id: string; token: string }> {
  if (!nameForm.test(name)) {
    throw new Refusal(
      'invalid_field',
      'The name of an edge must have 1 to 63 lower-case letters, digits, dots and hyphens.',
    )
  }
  const id = deps.newId('edg')
  const token = `edge_${Buffer.from(deps.randomBytes(32)).toString('base64url')}`
  if (!(await insertEdge(deps.run, { id, name, digest: digestOf(token), ...more }))) {
    throw new Refusal('invalid_field', `An edge with the name ${name} already exists.`)
  }
  return { id, token }
}

export async function revokeEdge({ run }: Pick<CredentialDeps, 'run'>, name: string) {
  const revoked = await markRevoked(run, name)
  if (!revoked) throw new Refusal('not_found', `There is no edge with the name ${name}.`)
  return { ...revoked, name }
}

const tokenForm = /^edge_[\w-]{43}$/
const digestOf = (token: string) => hash('sha256', token, 'hex')

const CACHE_MS = 450
const CACHED_MAX = 100_000
const REFUSED_MS = 10 * SECOND
const REFUSED_MAX = 10_000

export type EdgeGuardDeps = {
  run: Db
  monotonic: () => number
  failures: { points: number; windowSeconds: number }
  /** Called at the first wrong token from an address within its rate-limit window. */
  onRefused: (address: string) => void
}

export type EdgeGuard = {
  /** The edge, if its token is cached: the common case, without waiting. */
  recognise(authorization: string | undefined): KnownEdge | undefined
  /** Returns the edge, or throws a refusal. */
  authenticate(authorization: string | undefined, address: string): Promise<KnownEdge>
}

export function createEdgeGuard({ run, monotonic, failures, onRefused }: EdgeGuardDeps): EdgeGuard {
  const known = new FreshCache<KnownEdge>({ holdMs: CACHE_MS, sizeMax: CACHED_MAX, now: monotonic })
  const refused = createRejectedCache(monotonic)
  const failed = new RateLimit({ name: 'edge', ...failures })
  const lookUp = batched<string, KnownEdge | undefined>({
    together: (digests) => findEdges(run, digests),
    isBlamed: isRefusedData,
    groupOf: (digest) => digest,
    weightOf: () => 1,
    weightMax: 500,
    lanes: 1,
  })

  const refuse = async (address: string): Promise<never> => {
    const usage = await failed.use(addressGroup(address))
    if (usage.isOver) throw tooManyFailures(usage.resetSeconds)
    if (usage.remaining === usage.quota.points - 1) onRefused(address)
    throw notAccepted()
  }

  return {
    recognise: (authorization) => {
      const digest = sentDigest(authorization)
      return digest === undefined ? undefined : known.peek(digest)
    },
    async authenticate(authorization, address) {
      const digest = sentDigest(authorization)
      if (digest === undefined) return refuse(address)
      // A revoked edge keeps retrying; it is rejected, and does not count as guessing.
      if (refused.has(digest)) throw notAccepted()
      if (!known.has(digest)) {
        const usage = await failed.look(addressGroup(address))
        if (usage.isOver) throw tooManyFailures(usage.resetSeconds)
      }
      const edge = await known.get(digest, () => lookUp(digest))
      if (edge !== undefined) return edge
      refused.add(digest)
      return refuse(address)
    },
  }
}

function sentDigest(authorization: string | undefined): string | undefined {
  const token = authorization === undefined ? undefined : readBearer(authorization)
  return token !== undefined && tokenForm.test(token) ? digestOf(token) : undefined
}

/** A rejected token is never accepted again: every new edge gets a new token. */
function createRejectedCache(monotonic: () => number) {
  const until = new Map<string, number>()
  return {
    has: (digest: string) => (until.get(digest) ?? 0) > monotonic(),
    add(digest: string): void {
      until.delete(digest)
      until.set(digest, monotonic() + REFUSED_MS)
      const oldest = until.size > REFUSED_MAX ? until.keys().next().value : undefined
      if (oldest !== undefined) until.delete(oldest)
    },
  }
}

const notAccepted = () =>
  new Refusal('invalid_api_key', 'The edge token is not valid.', { 'WWW-Authenticate': 'Bearer realm="edges"' })

const tooManyFailures = (seconds: number) => tooMany('wrong tokens from this address', seconds)
