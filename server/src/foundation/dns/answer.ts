// DNS answers as data, safe to log, to store and to display: bytes that are not plain are escaped
// (\ddd), texts are truncated, counts bounded. A server that did not answer is distinguished from
// one that answered "no".

/** Names are lower case, without the last dot; the root is ''. Times to live are in seconds. */
export type DnsRecord = { name: string; ttl: number } & (
  | { type: 'A' | 'AAAA'; address: string }
  | { type: 'CNAME' | 'NS' | 'DNAME' | 'MX'; target: string }
  | { type: 'TXT'; text: string; /** The separate strings; `text` joins them. */ strings: readonly string[] }
  | { type: 'SOA'; primary: string; serial: number; minimum: number }
  | { type: 'CAA'; isCritical: boolean; flags: number; tag: string; value: string }
  | { type: 'DS'; keyTag: number; algorithm: number; digestType: number; digest: string }
  | {
      type: 'DNSKEY'
      keyTag: number
      algorithm: number
      flags: number
      /** As in a DS of type 2. */ sha256: string
    }
  | { type: 'RRSIG'; covers: string; keyTag: number; signer: string; /** ms since 1970 */ expiresAt: number }
  | { type: 'OTHER'; of: string }
)

export type QuestionType = 'A' | 'AAAA' | 'CNAME' | 'NS' | 'TXT' | 'SOA' | 'CAA' | 'DS' | 'DNSKEY' | 'MX'

/** A query, without the server it is sent to. */
export type DnsQuery = {
  name: string
  type: QuestionType
  wantsSignatures?: boolean
  /** If set, a server that does not answer over UDP is queried over TCP as well, within the same time. */
  triesTcp?: boolean
}

/** RFC 8914: the server's own description of the error. */
export type ExtendedError = { code: number; text: string }

export type DnsAnswer = {
  kind: 'answer'
  /** 'NOERROR', 'NXDOMAIN', 'SERVFAIL', 'REFUSED', 'FORMERR', 'NOTIMP', 'BADVERS', or 'RCODE' and a number. */
  rcode: string
  isAuthoritative: boolean
  records: readonly DnsRecord[]
  /** The authority section: a SOA sets how long a negative answer is cached, NS records refer to a child zone. */
  authority: readonly DnsRecord[]
  /** Addresses for the names in the authority section. */
  additional: readonly DnsRecord[]
  errors: readonly ExtendedError[]
  overTcp: boolean
  /** True if the message contained more than is kept. */
  isCut: boolean
  /** False if the server changed the case of the letters in the query. */
  isCaseKept?: boolean
  /** True if a resolver states that it has validated the answer (AD), to a query that wanted signatures. */
  isValidated?: boolean
}

/** The query got no answer, which never means "no record". */
export type Silence = {
  kind: 'silence'
  why:
    | 'timeout'
    /** No server listens there. */
    | 'refused'
    | 'unreachable'
    /** A message arrived that does not answer the query. */
    | 'malformed'
    /** Truncated over UDP, and then no answer over TCP. */
    | 'tcp_failed'
    /** No answer to a query with EDNS, while the same query without EDNS was answered. */
    | 'edns_dropped'
    /** A private or reserved address, or a port that is not used: never queried. */
    | 'not_allowed'
    /** Our own time or rate limit was exhausted before the query was sent. */
    | 'skipped'
}

export type LookupOutcome = DnsAnswer | Silence

/** One query to one server, and its outcome. */
export type Lookup = {
  /** `checked` is a validating resolver, `unchecked` the same one with validation disabled (CD). */
  to: 'parent' | 'authoritative' | 'checked' | 'unchecked'
  /** Name of the nameserver or resolver. */
  server: string
  address: string
  name: string
  type: QuestionType
  outcome: LookupOutcome
  ms: number
}
