// A software device with passkeys: it creates keys on P-256 and responds in the JSON of a
// browser, as WebAuthn specifies. It is correct unless a test overrides it: any value that a
// browser or a device would send can be replaced by a false one.

import { KeyObject, createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** False values that the browser sends instead of the true ones. */
export type Lies = {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  counter?: number
  flags?: number
  userHandle?: string | undefined
  /** Who attests the device; none by default. */
  attestation?: Attestation
  /** Instead of the key that belongs to the passkey. */
  key?: KeyObject
}

/** The attestation format, and the statement over the signed data. */
export type Attestation = {
  form: string
  state: (signed: Buffer, own: KeyObject) => Map<string, unknown>
}

export type CreationOptions = { challenge: string; rp: { id: string }; user: { id: string } }
export type RequestOptions = { challenge: string; rpId: string }

export type Device = {
  credentialId: string
  /** Creates a passkey: the response to the creation options. */
  create(options: CreationOptions, lies?: Lies): Record<string, unknown>
  /** Signs in with it. */
  get(options: RequestOptions, lies?: Lies): Record<string, unknown>
}

const PRESENT = 0x01
const VERIFIED = 0x04
const WITH_CREDENTIAL = 0x40

/** A device with room for one passkey; `counts` like a security key, or always sends 0 like a phone. */
export function newDevice(origin: string, { counts = true, credentialId = randomBytes(16) } = {}): Device {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = credentialId.toString('base64url')
  let counter = 0
  let handle: string | undefined

  const clientData = (type: string, challenge: string, lies: Lies) =>
    Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const head = (rpId: string, flags: number, lies: Lies) => {
    if (counts) counter += 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(lies.counter ?? counter)
    return Buffer.concat([sha256(lies.rpId ?? rpId), Buffer.from([lies.flags ?? flags]), count])
  }
  const outer = (response: object) => ({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} })

  return {
    credentialId: id,
    create({ challenge, rp, user }, lies = {}) {
      handle = user.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const authData = Buffer.concat([
        head(rp.id, PRESENT | VERIFIED | WITH_CREDENTIAL, lies),
        Buffer.alloc(16),
        length,
        credentialId,
        coseOf(pair.publicKey),
      ])
      const data = clientData('webauthn.create', challenge, lies)
      const { form, state } = lies.attestation ?? noAttestation
      const attestation = new Map<string, unknown>([
        ['fmt', form],
        ['attStmt', state(Buffer.concat([authData, sha256(data)]), pair.privateKey)],
        ['authData', new Uint8Array(authData)],
      ])
      return outer({
        clientDataJSON: data.toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal', 'hybrid', 'telepathy'],
      })
    },
    get({ challenge, rpId }, lies = {}) {
      const authenticatorData = head(rpId, PRESENT | VERIFIED, lies)
      const data = clientData('webauthn.get', challenge, lies)
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(data)]), lies.key ?? pair.privateKey)
      return outer({
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: 'userHandle' in lies ? lies.userHandle : handle,
      })
    },
  }
}

const noAttestation: Attestation = { form: 'none', state: () => new Map() }

const statementOf = (signed: Buffer, key: KeyObject): [name: string, value: unknown][] => [
  ['alg', -7],
  ['sig', new Uint8Array(sign('sha256', signed, key))],
]

/** Self attestation: signed with the passkey's own key. */
export const itself: Attestation = { form: 'packed', state: (signed, own) => new Map(statementOf(signed, own)) }

/** Attestation by a manufacturer's certificate, in which nothing is wrong. */
export async function maker(form = 'packed'): Promise<Attestation> {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Maker, OU=Authenticator Attestation, O=Maker, C=DE',
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 86_400_000),
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    keys,
    extensions: [new x509.BasicConstraintsExtension(false)],
  })
  const x5c = [new Uint8Array(certificate.rawData)]
  return {
    form,
    state: (signed) => new Map([...statementOf(signed, KeyObject.from(keys.privateKey)), ['x5c', x5c]]),
  }
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

const cbor = (value: Map<unknown, unknown>) =>
  Buffer.from(isoCBOR.encode(value as Parameters<typeof isoCBOR.encode>[0]))

/** RFC 9053: an elliptic curve key (1: 2), ES256 (3: -7), on P-256 (-1: 1), and its point. */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const coordinate = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
  return cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(x)],
      [-3, coordinate(y)],
    ]),
  )
}
