// The protocol between the control plane and its edges, over HTTP on a network of their
// own. An edge replicates the host table and follows it by number: it requests the changes
// after the last number it has, which also acknowledges that number.
//
//   GET /edge/v1/changes?after=<seq>&wait=<ms>[&begun=<seq>]&protocol=2
//       the changes; the response comes at once if there are any, otherwise after `wait`. `begun` is the head of
//       the first response to an empty table, and is sent while it is larger than `after`: such a table may lack
//       deleted hostnames, since it never had them. Without `protocol` the edge speaks protocol 1, which has
//       neither wildcards nor the kinds `service` and `suspended` (audience.ts)
//   GET /edge/v1/certificates/<hostname>?generation=<generation>   of a wildcard, `*` is percent-encoded
//   GET /edge/v1/challenges/<hostname>/<token>
//   *   /edge/v1/site/<path and query>   a page of the site, for a visitor
//
// Each with `Authorization: Bearer <token of the edge>`. Unknown is 404; a token that is
// invalid or revoked is 401.

import type { RedirectStatus } from '@petstore-platform/contract/platform/domain-shapes'

export const PROTOCOL = 2

export const CHANGES_PATH = '/edge/v1/changes'
export const CERTIFICATES_PATH = '/edge/v1/certificates/'
export const CHALLENGES_PATH = '/edge/v1/challenges/'
export const SITE_PATH = '/edge/v1/site'

/** On requests for pages: the site, and the host as the visitor requested it. */
export const SITE_HEADER = 'petstore-site'
export const VISITED_HOST_HEADER = 'petstore-host'
export const VISITOR_HEADER = 'petstore-visitor'

/** The longest wait for changes. CONNECTED_MS is longer: an edge seen more recently than that is connected. */
export const WAIT_MAX_MS = 1000
export const CONNECTED_MS = 2000
/** The maximum number of changes in one response; if there are more, the next response contains them at once. */
export const CHANGES_MAX = 5000

/** What a hostname serves. Generations are decimal strings: they have 64 bits. */
export type Route =
  | { seq: number; hostname: string; kind: 'site'; slug: string; generation: string; serial: string }
  | {
      seq: number
      hostname: string
      kind: 'redirect'
      slug: string
      target: string
      status: RedirectStatus
      generation: string
      serial: string
    }
  /** The platform's own names: the dashboard and the API; every default address, by `*.<platform host>`. */
  | { seq: number; hostname: string; kind: 'service' | 'wildcard'; generation: string; serial: string }
  /** A site whose project is suspended. */
  | { seq: number; hostname: string; kind: 'suspended'; slug: string; generation: string; serial: string }
  | { seq: number; hostname: string; kind: 'gone'; generation: string }

export type Changes = {
  /** The number of the last change; with `routes` empty the edge has everything up to here. */
  head: number
  /**
   * The edge is further behind than changes are kept: it starts with an empty table, and these are
   * its first routes.
   */
  isReset: boolean
  /** In the order of their numbers. */
  routes: readonly Route[]
  /**
   * Which part of the table this edge receives; only in protocol 2. An edge whose table was of another part starts
   * with an empty one.
   */
  audience?: string
}

/** A certificate with its key, for the memory of an edge and its encrypted disk. */
export type CertificateResponse = {
  hostname: string
  generation: string
  serial: string
  /** RFC 3339. */
  notAfter: string
  /** PEM, the leaf first. */
  chain: string
  /** PEM, PKCS #8. */
  key: string
}

export type ChallengeResponse = { keyAuthorization: string }
