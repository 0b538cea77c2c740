// The protocol between the control plane and its edges, over HTTP on a network of their
// own. An edge replicates the host table and follows it by number: it requests the changes
// after the last number it has, which also acknowledges that number.
//
//   GET /edge/v1/changes?after=<seq>&wait=<ms>[&begun=<seq>]&protocol=3
//       the changes; the response comes at once if there are any, otherwise after `wait`. `begun` is the head of
//       the first response to an empty table, and is sent while it is larger than `after`: such a table may lack
//       deleted hostnames, since it never had them. Without `protocol` the edge speaks protocol 1, which has
//       neither wildcards nor the kinds `service` and `suspended` (audience.ts)
//   GET /edge/v1/certificates/<hostname>?generation=<generation>   of a wildcard, `*` is percent-encoded
//   GET /edge/v1/challenges/<hostname>/<token>
//   GET /edge/v1/settings   what the settings of all edges have in common, for `petstore setup --edge` and `doctor`
//   *   /edge/v1/site/<path and query>   a page of the site, for a visitor
//   POST /edge/v1/enrolment   sign=<Ed25519>&seal=<X25519>, public keys in base64url, as a form, with
//       `Authorization: Bearer <enrolment token>`; the response is the id of the edge. A token enrols one pair of keys,
//       and the same pair again, in case the response was lost
//
// Each of the others is signed by the edge (request-signature.io.ts). This is protocol 3, in which the private key of a
// certificate is encrypted to the edge (key-delivery.io.ts). Before it, each request had `Authorization: Bearer <token>`
// and keys came as they are; that is how edges continue that an earlier release has added, until they enrol. Unknown is
// 404; credentials that are invalid or revoked are 401; more private keys than an edge may receive in an hour are 429.

import type { RedirectStatus } from '@petstore-platform/contract/platform/domain-shapes'

export const PROTOCOL = 3

export const CHANGES_PATH = '/edge/v1/changes'
export const CERTIFICATES_PATH = '/edge/v1/certificates/'
export const CHALLENGES_PATH = '/edge/v1/challenges/'
export const SITE_PATH = '/edge/v1/site'
export const ENROLMENT_PATH = '/edge/v1/enrolment'
export const SETTINGS_PATH = '/edge/v1/settings'

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
  /** All sites of a slug are closed; the name is `suspensionOf(slug)`. */
  | { seq: number; hostname: string; kind: 'suspended'; slug: string; generation: string }
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
   * Which part of the table this edge receives; from protocol 2 on. An edge whose table was of another part starts
   * with an empty one.
   */
  audience?: string
}

/** A certificate with its key, for the memory of an edge and its encrypted disk; sent as it is before protocol 3. */
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

/** The same on its way to an edge that signs its requests. */
export type DeliveredCertificate = Omit<CertificateResponse, 'key'> & {
  /** Encrypted to the edge. */
  sealedKey: string
}

/** The public keys of an edge, in base64url: with one its signatures are verified, to the other private keys are encrypted. */
export type EdgeKeys = { signKey: string; sealKey: string }

export type EnrolmentResponse = { id: string }

/** They come as JSON, encrypted to the edge like a private key, and for what no certificate is. */
export type SharedSettings = Readonly<Record<string, string>>
export const SETTINGS_FOR = { hostname: 'settings', generation: '0', serial: '' } as const

export type ChallengeResponse = { keyAuthorization: string }
