// `openIdentity` is who an edge is to its control plane: two pairs of keys, one to sign its requests, the other to receive
// private keys. They are created at the first start and enrolled with the token of that start. The file is encrypted
// with the edge's own key and written before the token is used: however an edge is interrupted, it presents its token
// with the same keys again, which the control plane accepts.
//
// Enrolment happens with the first request, so that an edge which has its data on disk serves without a control plane. A
// token other than the one that the edge has enrolled with enrols it again; the former identity stays on disk until then.

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openKeys, type Keys } from '../certificates/key-encryption.io.ts'
import { openAtEdge, publicTextOf } from '../fleet/key-delivery.io.ts'
import { ENROLMENT_PATH, type DeliveredCertificate, type SETTINGS_FOR } from '../fleet/protocol.ts'
import { signatureOf, type SignableRequest } from '../fleet/request-signature.io.ts'
import { tokenDigest } from '../fleet/token-format.ts'
import { createSharedCalls } from '../foundation/load/shared-calls.ts'
import { MINUTE } from '../foundation/time.ts'
import { ControlError, jsonOf, rejectionSentence, sendToControl } from './control-request.io.ts'
import { readEnrolment } from './decode-control.ts'
import { replaceFile } from './host-table-disk.io.ts'
import type { EdgeConfig } from './settings.ts'

export type EdgeIdentity = {
  /** The Authorization header of a request; enrols the edge before, if it has not enrolled. */
  authorize(request: SignableRequest, body?: Buffer): Promise<string>
  /** The private key of a certificate; undefined if it was not encrypted to this edge. */
  openKey(delivered: Pick<DeliveredCertificate, 'sealedKey' | keyof typeof SETTINGS_FOR>): string | undefined
}

export type IdentityConfig = Pick<EdgeConfig, 'controlUrl' | 'controlRoots' | 'token' | 'directory' | 'key'>

/** As in the file: private keys as PEM, and the digest of the token that they enrol with. */
type Stored = { id: string | null; token: string; sign: string; seal: string }

const DEADLINE_MS = 2000
const BYTES_MAX = 4096
/** A rejected token is not presented again sooner: each time is reported to the operator. */
const REJECTED_MS = MINUTE

export async function openIdentity(config: IdentityConfig): Promise<EdgeIdentity> {
  const { directory } = config
  const keys = openKeys([{ id: 'edge', key: config.key }])
  const paths = { enrolled: join(directory, 'identity'), pending: join(directory, 'identity.new') }
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const token = config.token && tokenDigest(config.token.reveal())
  const pendingFor = async (digest: string | undefined): Promise<Stored> => {
    if (digest === undefined) throw new Error(NO_TOKEN)
    const before = await readStored(paths.pending, keys)
    const pending = before?.token === digest ? before : newStored(digest)
    if (pending !== before) await writeStored(paths.pending, pending, keys)
    return pending
  }
  const known = await readStored(paths.enrolled, keys)
  const stored = known && (token === undefined || known.token === token) ? known : await pendingFor(token)
  const sign = createPrivateKey(stored.sign)
  const seal = createPrivateKey(stored.seal)
  const form = `sign=${publicTextOf(createPublicKey(sign))}&seal=${publicTextOf(createPublicKey(seal))}`
  const state = { id: stored.id, rejectedUntil: Number.NEGATIVE_INFINITY }
  const { coalesced } = createSharedCalls()

  const enrol = async (): Promise<string> => {
    if (performance.now() < state.rejectedUntil) throw new ControlError(NOT_ENROLLED)
    const answer = await present(config, form)
    const id = answer.status === 200 ? readEnrolment(jsonOf(answer))?.id : undefined
    if (id === undefined) {
      if (answer.status !== 401) throw new ControlError(rejectionSentence(answer))
      state.rejectedUntil = performance.now() + REJECTED_MS
      throw new ControlError(NOT_ENROLLED)
    }
    state.id = id
    // If it cannot be written, the next start presents the same keys again.
    await writeStored(paths.enrolled, { ...stored, id }, keys).then(
      () => rm(paths.pending, { force: true }),
      () => undefined,
    )
    return id
  }

  return {
    async authorize(request, body) {
      const id = state.id ?? (await coalesced('enrolment', enrol))
      return signatureOf({ id, key: sign, at: Date.now() }, request, body)
    },
    openKey: ({ sealedKey, hostname, generation, serial }) =>
      openAtEdge(seal, sealedKey, { edge: state.id ?? '', hostname, generation, serial }) ?? undefined,
  }
}

const NO_TOKEN = 'This edge has not enrolled: set EDGE_TOKEN to what `petstore edges add` prints.'
const NOT_ENROLLED =
  'The control plane does not accept EDGE_TOKEN: it was used or has expired. Revoke this edge and add it again.'

async function present({ controlUrl, controlRoots, token }: IdentityConfig, form: string) {
  const headers = {
    Authorization: `Bearer ${token?.reveal() ?? ''}`,
    Accept: 'application/json',
    'Content-Type': 'application/x-www-form-urlencoded',
    'Content-Length': String(form.length),
  }
  const trust = controlRoots === undefined ? {} : { ca: controlRoots }
  const options = { method: 'POST', path: ENROLMENT_PATH, headers, agent: false as const, ...trust }
  return sendToControl(controlUrl, options, { deadlineMs: DEADLINE_MS, bytesMax: BYTES_MAX }, Buffer.from(form))
}

const newStored = (token: string): Stored => ({
  id: null,
  token,
  sign: pemOf(generateKeyPairSync('ed25519').privateKey),
  seal: pemOf(generateKeyPairSync('x25519').privateKey),
})

const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' })

const SEALED_FOR = { hostname: 'edge', generation: 0n, purpose: 'identity' } as const

/** Undefined if there is none, or if it was encrypted with another key. */
async function readStored(path: string, keys: Keys): Promise<Stored | undefined> {
  const bytes = await readFile(path).catch(() => undefined)
  const text = bytes && keys.open(bytes, SEALED_FOR)
  // What is sealed here has the right form: only the edge's own key can create a seal that opens.
  return text === null || text === undefined ? undefined : (JSON.parse(text) as Stored)
}

const writeStored = (path: string, stored: Stored, keys: Keys): Promise<void> =>
  replaceFile(path, keys.seal(JSON.stringify(stored), SEALED_FOR))
