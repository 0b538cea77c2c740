// One request of a trace and what came of it.

import type { ServedCertificate } from './trace-certificate.ts'

/** Everything in it is safe to show: what strangers wrote is cut and escaped. */
export type Hop = {
  /** From 1. */
  number: number
  url: string
  /** The address that answered, or the last one that did not; null if there was none to ask. */
  address: string | null
  /** Other addresses of the same name that were tried before, and gave no answer. */
  silentAddresses: readonly string[]
  status: number | null
  /** As it was sent. */
  location: string | null
  /** Where that is; null if it is no redirect, or one that leads nowhere. */
  leadsTo: string | null
  server: string | null
  cacheControl: string | null
  /** For how long browsers come over HTTPS alone (Strict-Transport-Security), as it was sent. */
  hsts: string | null
  setsCookie: boolean
  /** What was shown, good or not; null on plain HTTP. */
  certificate: ServedCertificate | null
  /** Why there is no answer; null if there is one. */
  failure: TraceFailure | null
  ms: number
}

export type TraceFailure = { why: FailureReason; detail: string }

export type FailureReason =
  | 'no_such_name'
  | 'no_address'
  /** No resolver could say: that is not "no address". */
  | 'dns_silent'
  /** A private or reserved address, which nobody on the internet can reach. */
  | 'not_allowed'
  /** Another port than those of the web, where only these are asked. */
  | 'other_port'
  | 'timeout'
  | 'refused'
  | 'reset'
  | 'tls'
  | 'not_http'
  /** There is no way from this machine to there. */
  | 'unreachable'
