// What the control plane and an edge say to each other, over HTTP on a network of
// their own. An edge holds a copy of the host table and follows it by number: it asks
// for what comes after the last number it has, and by asking says that it has it.
//
//   GET /edge/v1/changes?after=<seq>&wait=<ms>[&begun=<seq>]
//       what changed; answered at once if something did, else after `wait`. `begun` is the head of the first answer
//       to a table that was begun empty, and is sent while it is larger than `after`: such a table may miss names
//       that were gone, since it never had them
//   GET /edge/v1/certificates/<hostname>?generation=<generation>
//   GET /edge/v1/challenges/<hostname>/<token>
//   *   /edge/v1/site/<path and query>   a page of the site, for a visitor
//
// Each with `Authorization: Bearer <token of the edge>`. Unknown is 404, a token that
// is not, or no longer, accepted is 401.

import type { RedirectStatus } from '@petstore/contract/platform/domain-shapes'

export const CHANGES_PATH = '/edge/v1/changes'
export const CERTIFICATES_PATH = '/edge/v1/certificates/'
export const CHALLENGES_PATH = '/edge/v1/challenges/'
export const SITE_PATH = '/edge/v1/site'

/** On requests for pages: whose site, and how the visitor asked for it. */
export const SITE_HEADER = 'petstore-site'
export const VISITED_HOST_HEADER = 'petstore-host'
export const VISITOR_HEADER = 'petstore-visitor'

/** Longer than an edge ever waits for changes; what was seen more recently is connected. */
export const WAIT_MAX_MS = 1000
export const CONNECTED_MS = 2000
/** So many changes come in one answer at most; if there are more, the next answer has them at once. */
export const CHANGES_MAX = 5000

/** What is served under a hostname. Generations and numbers are decimal texts: they have 64 bits. */
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
  | { seq: number; hostname: string; kind: 'gone'; generation: string }

export type Changes = {
  /** The number of the last change there is; with `routes` empty the edge has everything up to here. */
  head: number
  /** The edge knows less than what is remembered: it begins with an empty table, and these are the first routes of it. */
  isReset: boolean
  /** In the order of their numbers. */
  routes: readonly Route[]
}

/** A certificate with its key, for the memory of an edge and its sealed disk. */
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
