// The port to a certificate authority (RFC 8555, RFC 9773). A rejection by the authority, a missing
// response and mistakes of ours are values: the owner of the order decides when to retry, never the
// client.

/** An ACME problem document, or its substitute when there was no response. */
export type AcmeProblem = {
  /** Without the prefix `urn:ietf:params:acme:error:`; `unreachable`, `timeout` and `nonsense` are ours. */
  type: string
  /** Escaped, at most 200 characters. */
  detail: string
  status: number | null
  subproblems: readonly { type: string; detail: string; hostname: string | null }[]
  /** The wait that the authority requests. */
  retryAfterMs: number | null
}

export type AcmeResult<T> = { ok: true; value: T } | { ok: false; problem: AcmeProblem }

export type AcmeOrder = {
  url: string
  status: 'pending' | 'ready' | 'processing' | 'valid' | 'invalid'
  authorizations: readonly string[]
  finalize: string
  certificate: string | null
  problem: AcmeProblem | null
  retryAfterMs: number | null
}

/** How control of a name is shown: a file on its servers, or a TXT record in its zone (RFC 8555, 8.3 and 8.4). */
export type ChallengeType = 'http-01' | 'dns-01'

export type AcmeChallenge = {
  url: string
  token: string
  /** The content to serve at /.well-known/acme-challenge/<token>; for dns-01 its digest, the value of the record. */
  keyAuthorization: string
  status: 'pending' | 'processing' | 'valid' | 'invalid'
  problem: AcmeProblem | null
}

export type AcmeAuthorization = {
  url: string
  status: 'pending' | 'valid' | 'invalid' | 'deactivated' | 'expired' | 'revoked'
  /** The challenge of the requested type; null if the authority offers none. */
  challenge: AcmeChallenge | null
}

/** One account at one authority. Every call settles within its deadline. */
export type Acme = {
  readonly authority: string
  register(): Promise<AcmeResult<{ accountUrl: string }>>
  placeOrder(hostname: string, options: { replaces: string | null }): Promise<AcmeResult<AcmeOrder>>
  readOrder(url: string): Promise<AcmeResult<AcmeOrder>>
  readAuthorization(url: string, type: ChallengeType): Promise<AcmeResult<AcmeAuthorization>>
  answerChallenge(challenge: AcmeChallenge): Promise<AcmeResult<AcmeChallenge>>
  /** Sends a signing request for exactly this name and key (PEM, PKCS #8). */
  finalize(order: AcmeOrder, hostname: string, keyPem: string): Promise<AcmeResult<AcmeOrder>>
  /** Leaf first. */
  download(certificateUrl: string): Promise<AcmeResult<{ chainPem: string }>>
  /** RFC 9773; null if the authority has none, or none for this certificate. */
  renewalInfo(
    certificateId: string,
  ): Promise<AcmeResult<{ start: number; end: number; retryAfterMs: number | null } | null>>
}
