// Rules for faults of certificate authorities that pebble cannot produce. Texts are Let's
// Encrypt's own, because part of what owners are shown is derived from them. Each rule applies
// to the next request that matches it, or to `times` requests; `hostname` restricts it to
// requests about that hostname.

import { makeFakeChain, type FakeLeaf } from '../harness/fake-chain.ts'
import {
  jsonFrom,
  jsonReply,
  type AcmeExchange,
  type AcmeEndpoint,
  type AcmeJson,
  type AcmeState,
  type AcmeReply,
} from './acme-exchange.ts'

export type AcmeFault = {
  on: AcmeEndpoint | readonly AcmeEndpoint[] | 'any'
  hostname?: string
  /** Default: 1. */
  times?: number
  action: FaultAction
}

export type FaultAction =
  /** In place of the authority. */
  | { does: 'answer'; reply: AcmeReply }
  /** The response of the authority, changed. */
  | { does: 'bend'; bend: (reply: AcmeReply, asked: AcmeExchange, memory: AcmeState) => AcmeReply | Promise<AcmeReply> }
  /** The challenge fails without validation. */
  | { does: 'fail'; problem: AcmeJson }
  /** The challenge is accepted and never validated. */
  | { does: 'ignore' }
  | { does: 'reset' }
  /** The authority acts on the request, and the response is lost. */
  | { does: 'lose' }
  | { does: 'hang' }
  /** Headers and half a body, and then nothing. */
  | { does: 'stall' }
  | { does: 'babble' }

export type Problem = { type: string; detail?: string; status?: number; subproblems?: readonly AcmeJson[] }
type More = Omit<AcmeFault, 'on' | 'action'>

const documentOf = ({ type, detail, status = 400, subproblems }: Problem): AcmeJson => ({
  type: `urn:ietf:params:acme:error:${type}`,
  detail: detail ?? details[type] ?? `The authority says ${type}.`,
  status,
  ...(subproblems === undefined ? {} : { subproblems }),
})

const details: Readonly<Record<string, string>> = {
  caa: 'CAA record for shop.test prevents issuance',
  dns: 'DNS problem: NXDOMAIN looking up A for shop.test - check that a DNS record exists for this domain',
  connection: '127.0.80.200: Fetching http://shop.test/.well-known/acme-challenge/x: Connection refused',
  unauthorized: '127.0.80.200: Invalid response from http://shop.test/.well-known/acme-challenge/x: 404',
  tls: '127.0.80.200: Fetching https://shop.test/: remote error: tls: handshake failure',
  rejectedIdentifier:
    'Cannot issue for "shop.test": The ACME server refuses to issue a certificate for this domain name, because it is forbidden by policy',
  accountDoesNotExist: 'Account "https://authority.test/acct/1" not found',
  serverInternal: 'The service is down for maintenance.',
}

const utc = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
const limitsPage = 'https://letsencrypt.org/docs/rate-limits/'

/** In Let's Encrypt's words. */
export const rateLimits: Readonly<Record<string, (until: number) => string>> = {
  failures: (until) =>
    `too many failed authorizations (5) for "shop.test" in the last 1h0m0s, retry after ${utc(until)}: see ${limitsPage}#authorization-failures-per-hostname-per-account`,
  duplicate: (until) =>
    `too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s, retry after ${utc(until)}: see ${limitsPage}#new-certificates-per-exact-set-of-identifiers`,
  domain: (until) =>
    `too many certificates (50) already issued for "shop.test" in the last 168h0m0s, retry after ${utc(until)}: see ${limitsPage}#new-certificates-per-registered-domain`,
  account: (until) =>
    `too many new orders (300) from this account in the last 3h0m0s, retry after ${utc(until)}: see ${limitsPage}#new-orders-per-account`,
  registrations: (until) =>
    `too many new registrations (10) from this IP address in the last 3h0m0s, retry after ${utc(until)}: see ${limitsPage}#new-registrations-per-ip-address`,
  paused: () =>
    'Your account is temporarily prevented from requesting certificates for shop.test and possibly others. Please visit: https://portal.letsencrypt.org/sfe/v1/unpause?jwt=x',
}

export function problemReply(problem: Problem, retryAfter?: string): AcmeReply {
  const document = documentOf(problem)
  const headers = {
    'content-type': 'application/problem+json',
    ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
  }
  return { status: Number(document['status']), headers, body: JSON.stringify(document) }
}

const answer = (on: AcmeFault['on'], reply: AcmeReply, more: More = {}): AcmeFault => ({
  on,
  action: { does: 'answer', reply },
  ...more,
})

const bendJson = (
  on: AcmeFault['on'],
  change: (body: AcmeJson, asked: AcmeExchange) => AcmeJson,
  more: More = {},
): AcmeFault => ({
  on,
  action: {
    does: 'bend',
    bend: (reply, asked) => {
      const body = jsonFrom(reply.body)
      return body === null || reply.status >= 400 ? reply : jsonReply(reply, change(body, asked))
    },
  },
  ...more,
})

const bendCertificate = (
  change: (reply: AcmeReply, asked: AcmeExchange, memory: AcmeState) => string | Promise<string>,
  more: More,
): AcmeFault => ({
  on: 'certificate',
  action: {
    does: 'bend',
    bend: async (reply, asked, memory) => ({ ...reply, body: await change(reply, asked, memory) }),
  },
  ...more,
})

const blocksOf = (pem: string): readonly string[] => pem.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----\n?/g) ?? []

export const acmeFault = {
  problem: (
    on: AcmeFault['on'],
    problem: Problem,
    { retryAfter, ...more }: More & { retryAfter?: string } = {},
  ): AcmeFault => answer(on, problemReply(problem, retryAfter), more),
  /** Seconds, or an HTTP date; only in the sentence if there is none. */
  rateLimited: (
    kind: string,
    { retryAfter, until = Date.now() + 3_600_000, ...more }: More & { retryAfter?: string; until?: number } = {},
  ): AcmeFault =>
    answer(
      'newOrder',
      problemReply({ type: 'rateLimited', status: 429, detail: rateLimits[kind]?.(until) ?? kind }, retryAfter),
      more,
    ),
  /** From a load balancer, which returns no problem documents. */
  page: (on: AcmeFault['on'], status: number, more: More & { retryAfter?: string } = {}): AcmeFault => {
    const { retryAfter, ...rest } = more
    const headers = { 'content-type': 'text/html', ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }) }
    return answer(on, { status, headers, body: `<html><h1>${status}</h1></html>` }, rest)
  },
  /** A success that cannot be parsed. */
  garbage: (on: AcmeFault['on'], more: More = {}): AcmeFault =>
    answer(
      on,
      { status: 200, headers: { 'content-type': 'application/json', 'replay-nonce': 'x' }, body: '{"status": ' },
      more,
    ),
  /** A server that does not speak HTTP. */
  babble: (on: AcmeFault['on'], more: More = {}): AcmeFault => ({ on, action: { does: 'babble' }, ...more }),
  reset: (on: AcmeFault['on'], more: More = {}): AcmeFault => ({ on, action: { does: 'reset' }, ...more }),
  lose: (on: AcmeFault['on'], more: More = {}): AcmeFault => ({ on, action: { does: 'lose' }, ...more }),
  hang: (on: AcmeFault['on'], more: More = {}): AcmeFault => ({ on, action: { does: 'hang' }, ...more }),
  stall: (on: AcmeFault['on'], more: More = {}): AcmeFault => ({ on, action: { does: 'stall' }, ...more }),
  /** The nonce of every request is rejected. */
  badNonce: (on: AcmeFault['on'], more: More = {}): AcmeFault =>
    answer(on, problemReply({ type: 'badNonce', detail: 'JWS has an invalid anti-replay nonce' }), {
      times: Infinity,
      ...more,
    }),
  /** The order is finalised and stays in processing for ever. */
  processingForEver: (more: More = {}): AcmeFault =>
    bendJson(['order', 'finalize'], ({ certificate: _, ...order }) => ({ ...order, status: 'processing' }), {
      times: Infinity,
      ...more,
    }),
  pendingForEver: (more: More = {}): AcmeFault => ({
    on: 'challenge',
    action: { does: 'ignore' },
    times: Infinity,
    ...more,
  }),
  /** The authority validates and rejects: the problem is in the authorization afterwards. */
  failedValidation: (problem: Problem, more: More = {}): AcmeFault => ({
    on: 'challenge',
    action: { does: 'fail', problem: documentOf({ status: 403, ...problem }) },
    ...more,
  }),
  secondaryValidation: (more: More = {}): AcmeFault =>
    acmeFault.failedValidation(
      { type: 'unauthorized', detail: `During secondary validation: ${details['unauthorized'] ?? ''}` },
      more,
    ),
  accountUnknown: (more: More = {}): AcmeFault =>
    answer(
      ['newOrder', 'order', 'authorization', 'challenge', 'finalize', 'certificate'],
      problemReply({ type: 'accountDoesNotExist' }),
      more,
    ),
  /** Our key, and other fields of the leaf: another name, other dates. */
  wrongLeaf: (leaf: Partial<FakeLeaf>, more: More = {}): AcmeFault =>
    bendCertificate(async (_, { hostname }, memory) => {
      const publicKey = memory.publicKeyFor(hostname)
      const own = publicKey === undefined ? {} : { publicKey }
      return (await makeFakeChain({ hostnames: [hostname ?? ''], ...own, ...leaf })).chainPem
    }, more),
  otherKey: (more: More = {}): AcmeFault =>
    bendCertificate(async (_, { hostname }) => (await makeFakeChain({ hostnames: [hostname ?? ''] })).chainPem, more),
  /** Cut in the middle of the last certificate. */
  truncated: (more: More = {}): AcmeFault => bendCertificate(({ body }) => body.slice(0, -200), more),
  /** Cut after the leaf: seems complete. */
  leafOnly: (more: More = {}): AcmeFault => bendCertificate(({ body }) => blocksOf(body)[0] ?? '', more),
  swappedChain: (more: More = {}): AcmeFault =>
    bendCertificate(({ body }) => blocksOf(body).toReversed().join(''), more),
  /** A foreign intermediate behind the right leaf. */
  foreignIssuer: (more: More = {}): AcmeFault =>
    bendCertificate(async ({ body }) => {
      const { issuerPem } = await makeFakeChain({ hostnames: ['x.test'] })
      return `${blocksOf(body)[0] ?? ''}${issuerPem}`
    }, more),
  alreadyReplaced: (more: More = {}): AcmeFault =>
    answer(
      'newOrder',
      problemReply({
        type: 'alreadyReplaced',
        status: 409,
        detail: 'cannot indicate an order replaces a certificate which already has a replacement order',
      }),
      more,
    ),
}
