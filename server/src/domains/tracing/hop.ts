// A hop: one request of a trace, and its result.

import type { ServedCertificate } from './trace-certificate.ts'

/** Everything in it is safe to show: text of third parties is truncated and escaped. */
export type Hop = {
  /** From 1. */
  number: number
  url: string
  /** The address that responded, or the last one that did not; null if there was none to dial. */
  address: string | null
  /** Other addresses of the same name that were tried before and did not respond. */
  silentAddresses: readonly string[]
  status: number | null
  /** As it was sent. */
  location: string | null
  /** The target as a URL; null if it is not a redirect, or one that leads nowhere. */
  leadsTo: string | null
  server: string | null
  cacheControl: string | null
  /** For how long browsers use HTTPS alone (Strict-Transport-Security), as it was sent. */
  hsts: string | null
  setsCookie: boolean
  /** The certificate of the server, valid or not; null on plain HTTP. */
  certificate: ServedCertificate | null
  /** Why there is no response; null if there is one. */
  failure: TraceFailure | null
  ms: number
}

export type TraceFailure = { why: FailureReason; detail: string }

export type FailureReason =
  | 'no_such_name'
  | 'no_address'
  /** No resolver answered: that is not "no address". */
  | 'dns_silent'
  /** A private or reserved address, which is not reachable from the internet. */
  | 'not_allowed'
  /** A port other than those of HTTP and HTTPS, where only these are allowed. */
  | 'other_port'
  | 'timeout'
  | 'refused'
  | 'reset'
  | 'tls'
  | 'not_http'
  /** There is no route from this machine. */
  | 'unreachable'
