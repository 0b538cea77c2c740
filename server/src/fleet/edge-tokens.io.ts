// Credentials of edges. Each has a token of its own, shown once; only its digest is kept
// and looked up, so that neither the database nor the time of an answer tells anything
// about it. What the database said is held for less than half a second, so that a token
// that was revoked is refused within a second.
//
// Whoever guesses costs us next to nothing: what was refused once is refused from memory,
// and from an address with too many wrong tokens no other one is looked up.

import { hash } from 'node:crypto'
import { FreshCache } from '../foundation/fresh-cache.ts'
import { batched } from '../foundation/batch.ts'
import { readBearer } from '../foundation/http/negotiation.ts'
import { isRefusedData, type Db } from '../foundation/postgres/postgres.io.ts'
import { RateLimit } from '../foundation/http/rate-limit.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { SECOND } from '../foundation/time.ts'
import { addressGroup } from '../projects/guard.io.ts'
import { findEdges, insertEdge, markRevoked } from './directory.io.ts'

export type CredentialDeps = {
  run: Db
  newId: (kind: string) => string
  randomBytes: (count: number) => Uint8Array
}

const nameForm = /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/

/** The token is in here and nowhere else. A name whose edge was revoked may be used again. */
export async function addEdge(deps: CredentialDeps, name: string): Promise<{ id: string; token: string }> {
  if (!nameForm.test(name)) {
    throw new Refusal(
      'invalid_field',
      'The name of an edge must have 1 to 63 lower-case letters, digits, dots and hyphens.',
    )
  }
  const id = deps.newId('edg')
  const token = `edge_${Buffer.from(deps.randomBytes(32)).toString('base64url')}`
  if (!(await insertEdge(deps.run, { id, name, digest: digestOf(token) }))) {
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

const HELD_MS = 450
const HELD_MAX = 100_000
const REFUSED_MS = 10 * SECOND
const REFUSED_MAX = 10_000

export type EdgeGuardDeps = {
  run: Db
  monotonic: () => number
  failures: { points: number; windowSeconds: number }
  /** Called at the first wrong token of an address in a while. */
  onRefused: (address: string) => void
}

export type EdgeGuard = {
  /** Which edge that is, if its token was looked up just now: the common case, without waiting. */
  recognise(authorization: string | undefined): string | undefined
  /** Refuses whoever is no edge. */
  authenticate(authorization: string | undefined, address: string): Promise<string>
}

export function createEdgeGuard({ run, monotonic, failures, onRefused }: EdgeGuardDeps): EdgeGuard {
  const known = new FreshCache<string>({ holdMs: HELD_MS, sizeMax: HELD_MAX, now: monotonic })
  const refused = rememberRefused(monotonic)
  const failed = new RateLimit({ name: 'edge', ...failures })
  const lookUp = batched<string, string | undefined>({
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
      // An edge that was revoked asks again and again; it is told so, and does not count as one who guesses.
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

/** A token that is not accepted never becomes so again: whoever is added gets a new one. */
function rememberRefused(monotonic: () => number) {
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

const tooManyFailures = (seconds: number) =>
  new Refusal('rate_limited', `Too many wrong tokens from this address. Retry in ${seconds} s.`, {
    'Retry-After': String(seconds),
  })
