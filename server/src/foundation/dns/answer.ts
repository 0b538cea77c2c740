// What DNS servers said, as data. Everything in it is safe to log, to store and to
// show: bytes that are not plain are escaped (\ddd), texts are cut, counts bounded.
// A server that said nothing is told apart from one that said "no".

/** Names are lower case, without the last dot; the root is ''. Times to live are in seconds. */
export type DnsRecord = { name: string; ttl: number } & (
  | { type: 'A' | 'AAAA'; address: string }
  | { type: 'CNAME' | 'NS' | 'DNAME' | 'MX'; target: string }
  | { type: 'TXT'; text: string; /** As it was cut into strings; `text` joins them. */ strings: readonly string[] }
  | { type: 'SOA'; primary: string; serial: number; minimum: number }
  | { type: 'CAA'; isCritical: boolean; flags: number; tag: string; value: string }
  | { type: 'DS'; keyTag: number; algorithm: number; digestType: number; digest: string }
  | {
      type: 'DNSKEY'
      keyTag: number
      algorithm: number
      flags: number
      /** As a DS of type 2 has it. */ sha256: string
    }
  | { type: 'RRSIG'; covers: string; keyTag: number; signer: string; /** ms since 1970 */ expiresAt: number }
  | { type: 'OTHER'; of: string }
)

export type QuestionType = 'A' | 'AAAA' | 'CNAME' | 'NS' | 'TXT' | 'SOA' | 'CAA' | 'DS' | 'DNSKEY' | 'MX'

/** A question, before anybody is asked. */
export type DnsQuery = {
  name: string
  type: QuestionType
  wantsSignatures?: boolean
  /** Whether a server that is silent over UDP is asked over TCP as well, in the same time. */
  triesTcp?: boolean
}

/** RFC 8914: the server's own word for what went wrong. */
export type ExtendedError = { code: number; text: string }

export type DnsAnswer = {
  kind: 'answer'
  /** 'NOERROR', 'NXDOMAIN', 'SERVFAIL', 'REFUSED', 'FORMERR', 'NOTIMP', 'BADVERS', or 'RCODE' and a number. */
  rcode: string
  isAuthoritative: boolean
  records: readonly DnsRecord[]
  /** The authority section: a SOA says how long "no" is remembered, NS records refer to a child zone. */
  authority: readonly DnsRecord[]
  /** Addresses for the names in the authority section. */
  additional: readonly DnsRecord[]
  errors: readonly ExtendedError[]
  overTcp: boolean
  /** Whether more came than we keep. */
  isCut: boolean
  /** False if the server changed the case of the letters that we asked with. */
  isCaseKept?: boolean
}

/** Could not ask, which is never "no record". */
export type Silence = {
  kind: 'silence'
  why:
    | 'timeout'
    /** Nobody listens there. */
    | 'refused'
    | 'unreachable'
    /** Something came that is no answer to the question. */
    | 'malformed'
    /** Truncated over UDP, and then no answer over TCP. */
    | 'tcp_failed'
    /** Silent to questions as they are asked today (EDNS), while the same one in the old form was answered. */
    | 'edns_dropped'
    /** A private or reserved address, or a port that we do not use: never asked. */
    | 'not_allowed'
    /** Our own time or allowance was over before it was asked. */
    | 'skipped'
}

export type LookupOutcome = DnsAnswer | Silence

/** One question to one server, and what came of it. */
export type Lookup = {
  /** `checked` is a validating resolver, `unchecked` the same one asked not to validate (CD). */
  to: 'parent' | 'authoritative' | 'checked' | 'unchecked'
  /** Name of the nameserver, or of the resolver. */
  server: string
  address: string
  name: string
  type: QuestionType
  outcome: LookupOutcome
  ms: number
}
