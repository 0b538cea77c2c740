// `makeFakeChain` issues certificate chains for tests and for the fault proxy: a root of our own,
// an intermediate and a leaf, each of which can be wrong in exactly one respect.

// Loaded for its side effect: without it the next import throws.
import 'acme-client' // oxlint-disable-line import/no-unassigned-import
import * as x509 from '@peculiar/x509'
import { createPrivateKey, createPublicKey, generateKeyPairSync, KeyObject } from 'node:crypto'

export type FakeChain = { chainPem: string; leafPem: string; issuerPem: string; rootPem: string; keyPem: string }

export type FakeLeaf = {
  hostnames: readonly string[]
  /** Uses this key instead of a new one (PEM, PKCS #8). */
  keyPem?: string
  /** Uses this public key (DER, SPKI), whose private key is held elsewhere. */
  publicKey?: Uint8Array
  curve?: 'P-256' | 'P-384'
  notBefore?: number
  notAfter?: number
  isAuthority?: boolean
  isForServers?: boolean
  issuerNotAfter?: number
  issuerIsAuthority?: boolean
  serialNumber?: string
}

const hash = 'SHA-256'
const curveOf = (namedCurve: string) => ({ name: 'ECDSA', namedCurve, hash })
/** The library's key type, which is the browser's where there is one. */
type Key = Parameters<typeof x509.X509CertificateGenerator.createSelfSigned>[0]['keys']['privateKey']
type Keys = { publicKey: Key; privateKey: Key }

export async function makeFakeChain(wanted: FakeLeaf): Promise<FakeChain> {
  const [root, issuer, own] = [makeKeys(), makeKeys(), keysFor(wanted)]
  const begin = wanted.notBefore ?? Date.now() - 60_000
  const end = wanted.notAfter ?? Date.now() + 90 * 86_400_000
  const rootCertificate = await sign({ of: root, named: 'Fake Root', by: root, issuer: 'Fake Root', ca: true })
  const issuerCertificate = await sign({
    of: issuer,
    named: 'Fake Intermediate',
    by: root,
    issuer: 'Fake Root',
    ca: wanted.issuerIsAuthority ?? true,
    ...(wanted.issuerNotAfter === undefined ? {} : { end: wanted.issuerNotAfter }),
  })
  const leaf = await sign({
    of: own,
    named: '',
    by: issuer,
    issuer: 'Fake Intermediate',
    ca: wanted.isAuthority ?? false,
    begin,
    end,
    hostnames: wanted.hostnames,
    forServers: wanted.isForServers ?? true,
    ...(wanted.serialNumber === undefined ? {} : { serialNumber: wanted.serialNumber }),
  })
  return {
    chainPem: `${leaf}\n${issuerCertificate}\n`,
    leafPem: `${leaf}\n`,
    issuerPem: `${issuerCertificate}\n`,
    rootPem: `${rootCertificate}\n`,
    keyPem: own.privateKey === null ? '' : pemOf(own.privateKey),
  }
}

type Named = {
  of: { publicKey: Key }
  named: string
  by: Keys
  issuer: string
  ca: boolean
  begin?: number
  end?: number
  hostnames?: readonly string[]
  forServers?: boolean
  serialNumber?: string
}

async function sign({ of, named, by, issuer, ca, begin, end, hostnames, forServers, serialNumber }: Named) {
  const certificate = await x509.X509CertificateGenerator.create({
    ...(serialNumber === undefined ? {} : { serialNumber }),
    subject: named === '' ? '' : `CN=${named}`,
    issuer: `CN=${issuer}`,
    publicKey: of.publicKey,
    signingKey: by.privateKey,
    signingAlgorithm: curveOf('P-256'),
    notBefore: new Date(begin ?? Date.now() - 86_400_000),
    notAfter: new Date(end ?? Date.now() + 3650 * 86_400_000),
    extensions: [
      new x509.BasicConstraintsExtension(ca, undefined, true),
      new x509.KeyUsagesExtension(
        ca ? x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign : x509.KeyUsageFlags.digitalSignature,
        true,
      ),
      await x509.AuthorityKeyIdentifierExtension.create(by.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(of.publicKey),
      ...(hostnames === undefined
        ? []
        : [new x509.SubjectAlternativeNameExtension(hostnames.map((value) => ({ type: 'dns' as const, value })))]),
      ...(forServers === true ? [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth])] : []),
    ],
  })
  return certificate.toString('pem')
}

function makeKeys(curve = 'P-256') {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: curve })
  return { publicKey: toCrypto(publicKey, 'verify', curve), privateKey: toCrypto(privateKey, 'sign', curve) }
}

function keysFor({ keyPem, publicKey, curve }: FakeLeaf) {
  if (publicKey !== undefined) {
    const known = createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' })
    return { publicKey: toCrypto(known, 'verify'), privateKey: null }
  }
  if (keyPem === undefined) return makeKeys(curve)
  const own = createPrivateKey(keyPem)
  return { publicKey: toCrypto(createPublicKey(own), 'verify'), privateKey: toCrypto(own, 'sign') }
}

const toCrypto = (key: KeyObject, use: 'sign' | 'verify', curve = 'P-256'): Key =>
  key.toCryptoKey(curveOf(curve), true, [use]) as Key

const pemOf = (key: Key): string => KeyObject.from(key).export({ format: 'pem', type: 'pkcs8' })
