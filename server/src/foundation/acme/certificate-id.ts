// `certificateIdOf` computes the identifier by which an authority knows a certificate, in requests
// for renewal information and in orders that replace it (RFC 9773, 4.1): base64url of the
// authority's key identifier, a dot, base64url of the serial number as encoded in the DER. The
// usual parsers drop the leading zero byte of a serial number whose top bit is set; an id without
// it belongs to another certificate, and the authority responds that it knows none.

import { onDemand } from '../on-demand.ts'

const acmeClient = onDemand('acme-client')
const x509 = onDemand('@peculiar/x509')

/** Of the first certificate in the text. Null if there is none, or none with an identifier. */
export function certificateIdOf(pem: string): string | null {
  try {
    // First acme-client, whose import the other needs: on its own it throws.
    const [first = ''] = acmeClient().crypto.splitPemChain(pem)
    const { AuthorityKeyIdentifierExtension, X509Certificate } = x509()
    const leaf = new X509Certificate(first)
    const issuer = leaf.getExtension(AuthorityKeyIdentifierExtension)?.keyId
    return issuer === undefined ? null : certificateId(issuer, leaf.serialNumber)
  } catch {
    return null
  }
}

/** Both in hexadecimal; the serial number as a number, so it may lack leading zeros. */
export function certificateId(authorityKeyId: string, serialNumber: string): string {
  const digits = serialNumber.replace(/^0+/, '')
  const even = digits.length % 2 === 0 ? digits : `0${digits}`
  const isNegative = /^[89a-f]/i.test(even) && even.length > 0
  const serial = isNegative || even === '' ? `00${even}` : even
  return `${base64url(authorityKeyId)}.${base64url(serial)}`
}

const base64url = (hex: string): string => Buffer.from(hex, 'hex').toString('base64url')
