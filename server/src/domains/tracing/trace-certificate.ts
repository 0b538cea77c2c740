// Finds the faults of a certificate that a server presents, in terms that its owner can act on.
// Pure: `trace.io.ts` takes the facts from the connection. The library that verifies a chain
// names one fault and stops; a certificate that has expired and is for another name has both
// faults, so dates and name are always checked here.

export type CertificateFault =
  | 'wrong_name'
  | 'expired'
  | 'not_yet_valid'
  | 'self_signed'
  /** The certificate came without that of its issuer. */
  | 'incomplete_chain'
  | 'unknown_authority'
  | 'unusable'

export type ServedCertificate = {
  /** The issuer, by its common name. */
  issuer: string
  names: readonly string[]
  /** RFC 3339. */
  validFrom: string
  validUntil: string
  /** Why a browser refuses it, the most telling first; empty if it does not. */
  faults: readonly CertificateFault[]
  /** The error code of the library. */
  detail: string | null
}

export type SeenCertificate = {
  isForHostname: boolean
  /** ms since 1970 */
  validFrom: number
  validUntil: number
  /** Self-signed. */
  isSelfIssued: boolean
  /** The number of certificates in the chain. */
  length: number
  /** The error of verifying the chain, without the name; null if it is good. */
  chainError: string | null
}

export function faultsOf(seen: SeenCertificate, now: number): CertificateFault[] {
  const { isForHostname, validFrom, validUntil } = seen
  const dates: CertificateFault[] = now > validUntil ? ['expired'] : now < validFrom ? ['not_yet_valid'] : []
  const chain = chainFault(seen, dates.length > 0)
  return [...(isForHostname ? [] : ['wrong_name' as const]), ...dates, ...(chain === null ? [] : [chain])]
}

function chainFault(
  { chainError, isSelfIssued, length }: SeenCertificate,
  isOutOfDate: boolean,
): CertificateFault | null {
  if (chainError === null) return null
  if (isSelfIssued || chainError === 'DEPTH_ZERO_SELF_SIGNED_CERT') return 'self_signed'
  if (chainError === 'SELF_SIGNED_CERT_IN_CHAIN') return 'unknown_authority'
  if (unknownIssuer.includes(chainError)) return length === 1 ? 'incomplete_chain' : 'unknown_authority'
  // The dates of the certificate itself are reported already; otherwise one of its issuers is meant.
  return isOutOfDate && /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/.test(chainError) ? null : 'unusable'
}

/** The issuer of the last certificate is unknown. */
const unknownIssuer = [
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_GET_ISSUER_CERT',
]
