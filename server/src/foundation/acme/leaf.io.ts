// `checkLeaf` checks a certificate before it is stored. Whatever the authority, or an attacker
// between it and us, sends: visitors must never receive a certificate for another name or key,
// without a valid chain, or that expires before the one it replaces. Returns the reason in words,
// never throws, and trusts nothing but the bytes.

import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { certificateIdOf } from './certificate-id.ts'

export type ExpectedLeaf = {
  chainPem: string
  hostname: string
  /** Our private key for the certificate (PEM, PKCS #8). */
  keyPem: string
  now: number
  /** When the replaced certificate expires; null if there is none. */
  replacesNotAfter: number | null
  /** It may be the operator's own, made elsewhere: with any kind of key, further names, and without an issuer. */
  isForeign?: boolean
}

export type CheckedLeaf = {
  /** Leaf first, nothing but certificates, in the form to be stored and served. */
  chainPem: string
  /** Hexadecimal, lower case. */
  serial: string
  notBefore: number
  notAfter: number
  /** RFC 9773; null if the certificate has no such identifier. */
  certificateId: string | null
}

export type LeafVerdict = { ok: true; leaf: CheckedLeaf } | { ok: false; reason: string }

export function checkLeaf(expected: ExpectedLeaf): LeafVerdict {
  try {
    const blocks = blocksOf(expected)
    if (typeof blocks === 'string') return refused(blocks)
    const [leaf, ...issuers] = blocks.map((block) => new X509Certificate(block))
    if (leaf === undefined) return refused('There is no certificate in the answer.')
    const reason =
      wrongName(leaf, expected) ??
      wrongKey(leaf, createPrivateKey(expected.keyPem), expected) ??
      wrongUse(leaf) ??
      wrongDates(leaf, expected) ??
      wrongChain([leaf, ...issuers], expected.now)
    if (reason !== null) return refused(reason)
    return { ok: true, leaf: describe(leaf, blocks) }
  } catch (error) {
    return refused(`The certificate could not be read: ${error instanceof Error ? error.message : 'unknown'}`)
  }
}

const refused = (reason: string): LeafVerdict => ({ ok: false, reason })

const CHAIN_BYTES_MAX = 65_536
const CHAIN_LENGTH_MAX = 8
const BLOCK = /-----BEGIN CERTIFICATE-----\r?\n[A-Za-z0-9+/=\r\n]+-----END CERTIFICATE-----/g

/** The certificates of the text, or the reason why it is invalid. */
function blocksOf({ chainPem: text, isForeign }: ExpectedLeaf): readonly string[] | string {
  if (text.length > CHAIN_BYTES_MAX) return 'The chain is far larger than a chain is.'
  if (text.replace(BLOCK, '').trim() !== '') return 'The text is cut off, or holds more than certificates.'
  const blocks = text.match(BLOCK) ?? []
  if (blocks.length === 0) return 'There is no certificate in the answer.'
  // A text that is truncated between two certificates looks complete.
  if (blocks.length === 1 && !isForeign) return 'The chain ends before the certificate of an issuer.'
  return blocks.length > CHAIN_LENGTH_MAX ? 'The chain is longer than any chain is.' : blocks
}

function wrongName({ subjectAltName }: X509Certificate, { hostname, isForeign }: ExpectedLeaf): string | null {
  const names = subjectAltName?.toLowerCase() ?? 'no name'
  const wanted = `dns:${hostname.toLowerCase()}`
  return (isForeign ? names.split(', ').includes(wanted) : names === wanted)
    ? null
    : `It is for ${names.slice(0, 200)}, not for ${hostname}.`
}

function wrongKey(leaf: X509Certificate, key: KeyObject, { isForeign }: ExpectedLeaf): string | null {
  if (!leaf.checkPrivateKey(key)) return 'It is for another key than ours.'
  if (isForeign) return null
  const { asymmetricKeyType, asymmetricKeyDetails } = leaf.publicKey
  const isP256 = asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1'
  return isP256 ? null : 'Its key is not ECDSA on P-256.'
}

const SERVER_AUTHENTICATION = '1.3.6.1.5.5.7.3.1'

function wrongUse(leaf: X509Certificate): string | null {
  if (leaf.ca) return 'It is the certificate of an authority, not of a website.'
  // Node's types omit that it is absent when the certificate has no such extension.
  const uses = (leaf.keyUsage as string[] | undefined) ?? []
  return uses.includes(SERVER_AUTHENTICATION) ? null : 'It may not be used by a web server.'
}

/** Authorities backdate by an hour; their clock may also be ahead of ours by as much. */
const SKEW_MS = 3_600_000

function wrongDates(leaf: X509Certificate, { now, replacesNotAfter }: ExpectedLeaf): string | null {
  const { notBefore, notAfter } = datesOf(leaf)
  if (!(notBefore <= now + SKEW_MS)) return `It begins later than now, ${leaf.validFrom}.`
  if (!(notAfter > now)) return `It has ended already, ${leaf.validTo}.`
  if (replacesNotAfter !== null && !(notAfter > replacesNotAfter)) {
    return `It ends ${leaf.validTo}, no later than the one it is to replace.`
  }
  return null
}

const datesOf = (certificate: X509Certificate) => ({
  notBefore: Date.parse(certificate.validFrom),
  notAfter: Date.parse(certificate.validTo),
})

function wrongChain(chain: readonly X509Certificate[], now: number): string | null {
  for (const [index, issuer] of chain.entries()) {
    const issued = chain[index - 1]
    if (issued === undefined) continue
    if (!issuer.ca) return `Certificate ${index + 1} of the chain may not issue certificates.`
    if (!issued.checkIssued(issuer)) return `Certificate ${index + 1} of the chain is not the issuer of the one before.`
    if (!issued.verify(issuer.publicKey)) return `Certificate ${index} of the chain has a false signature.`
    const { notBefore, notAfter } = datesOf(issuer)
    if (!(notBefore <= now + SKEW_MS && notAfter > now))
      return `Certificate ${index + 1} of the chain is not valid now.`
  }
  return null
}

function describe(leaf: X509Certificate, blocks: readonly string[]): CheckedLeaf {
  return {
    chainPem: `${blocks.map((block) => block.replaceAll('\r\n', '\n')).join('\n')}\n`,
    serial: leaf.serialNumber.toLowerCase(),
    ...datesOf(leaf),
    certificateId: certificateIdOf(blocks[0] ?? ''),
  }
}
