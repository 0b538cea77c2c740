// Edges for tests: an edge that has enrolled, without a process and a disk; one that an earlier release has added; and
// what a scripted control plane needs to be one for an edge.

import { generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import type { EdgeIdentity } from '../../server/src/edge/identity.io.ts'
import { addEdge, enrolEdge } from '../../server/src/fleet/edge-tokens.io.ts'
import { openAtEdge, publicKeyOf, publicTextOf, sealToEdge } from '../../server/src/fleet/key-delivery.io.ts'
import { enrolledKeys } from '../../server/src/fleet/parse-request.ts'
import {
  ENROLMENT_PATH,
  type CertificateResponse,
  type DeliveredCertificate,
  type EnrolmentResponse,
} from '../../server/src/fleet/protocol.ts'
import {
  isSignedBy,
  readSignature,
  signatureOf,
  type SignableRequest,
} from '../../server/src/fleet/request-signature.io.ts'
import { newId } from '../../server/src/foundation/ids.io.ts'
import { statement, type Db } from '../../server/src/foundation/postgres/postgres.io.ts'

export type EnrolledEdge = EdgeIdentity & { id: string; name: string; token: string }

/** Adds an edge and enrols it with keys of its own. */
export async function enrolledEdge(run: Db, name: string, more: { servesApi?: boolean } = {}): Promise<EnrolledEdge> {
  return enrolledWith(run, { name, ...(await addEdge({ run, newId, randomBytes }, name, more)) })
}

/** Enrols the edge of a token. */
export async function enrolledWith(
  run: Db,
  { id, name, token }: { id: string; name: string; token: string },
): Promise<EnrolledEdge> {
  const keys = newEdgeKeys()
  const enrolled = await enrolEdge(run, token, keys.public)
  if (!enrolled || !('id' in enrolled)) throw new Error('the token enrols no edge')
  return { id, name, token, ...identityOf(id, keys) }
}

export type TestEdgeKeys = ReturnType<typeof newEdgeKeys>

export function newEdgeKeys() {
  const [sign, seal] = [generateKeyPairSync('ed25519'), generateKeyPairSync('x25519')]
  const shown = { signKey: publicTextOf(sign.publicKey), sealKey: publicTextOf(seal.publicKey) }
  return { sign: sign.privateKey, seal: seal.privateKey, public: shown }
}

/** The identity that the keys of an edge and its id make, wherever they are. */
export const identityOf = (
  id: string,
  { sign, seal }: { sign: KeyObject; seal: KeyObject },
  now = Date.now,
): EdgeIdentity => ({
  authorize: async (request, body) => signatureOf({ id, key: sign, at: now() }, request, body),
  openKey: ({ sealedKey, hostname, generation, serial }) =>
    openAtEdge(seal, sealedKey, { edge: id, hostname, generation, serial }) ?? undefined,
})

const forgetEnrolmentRow = statement<never, [id: string]>(
  'testbed-edge-of-earlier-release',
  `update edge_directory
   set enrolment_ends_at = null
   where id = $1`,
)

/** An edge that an earlier release has added: its token identifies it until it enrols. */
export async function edgeOfEarlierRelease(run: Db, name: string): Promise<EnrolledEdge> {
  const { id, token } = await addEdge({ run, newId, randomBytes }, name)
  await run(forgetEnrolmentRow, id)
  return { id, name, token, authorize: async () => `Bearer ${token}`, openKey: () => undefined }
}

/** What a scripted control plane does about the identities of its edges, which all know this token. */
export function scriptedEnrolment(token: string) {
  const known = new Map<string, { signKey: KeyObject; sealKey: KeyObject }>()
  const signerOf = (request: SignableRequest) => {
    const signature = readSignature(String(request.headers['authorization']))
    const keys = signature && known.get(signature.id)
    return keys && isSignedBy(keys.signKey, signature, request) ? { id: signature.id, ...keys } : undefined
  }
  return {
    /** The response to an enrolment; undefined if the request is none, or has another token. */
    async enrol(request: IncomingMessage): Promise<EnrolmentResponse | undefined> {
      if (request.url !== ENROLMENT_PATH || request.headers.authorization !== `Bearer ${token}`) return undefined
      const keys = enrolledKeys(await textOf(request))
      if (!keys) return undefined
      const id = newId('edg')
      const [signKey, sealKey] = [publicKeyOf('Ed25519', keys.signKey), publicKeyOf('X25519', keys.sealKey)]
      known.set(id, { signKey, sealKey })
      return { id }
    },
    /** True if an edge that has enrolled has signed the request. */
    isSigned: (request: SignableRequest): boolean => signerOf(request) !== undefined,
    /** As it is delivered to the edge that requests it. */
    seal({ key, ...certificate }: CertificateResponse, request: SignableRequest): DeliveredCertificate {
      const edge = signerOf(request)
      if (!edge) throw new Error('no edge has signed the request')
      return { ...certificate, sealedKey: sealToEdge(edge.sealKey, key, { edge: edge.id, ...certificate }) }
    },
  }
}
