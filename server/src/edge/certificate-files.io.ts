// `openCertificateFiles` stores certificates with their private keys on the disk of an edge. Each
// file is encrypted (sealed) with the edge's own key for one hostname and one generation, and its
// plain-text header (which certificate it is) is compared with the sealed content. A file with a
// flipped bit, one put in the place of another, and one of an earlier generation are therefore all
// treated as missing, and the certificate is fetched again. No private key is ever written
// unencrypted, not even for a moment.

import { hash, randomUUID } from 'node:crypto'
import { mkdir, open, opendir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openKeys } from '../certificates/key-encryption.io.ts'
import type { Secret } from '../foundation/secret.ts'
import { replaceFile } from './host-table-disk.io.ts'

/** A checked certificate, as it is served. */
export type KeptCertificate = {
  hostname: string
  generation: string
  serial: string
  notAfter: number
  /** PEM: the chain, then the key. */
  bundle: Buffer
}

/** The identity of a certificate, from the plain-text header of its file. */
export type CertificateName = Pick<KeptCertificate, 'hostname' | 'generation' | 'serial'>

export type CertificateFiles = {
  read(hostname: string, generation: string): Promise<KeptCertificate | undefined>
  /** The identity in the header; code that serves the certificate uses `read`. */
  named(hostname: string): Promise<CertificateName | undefined>
  write(certificate: KeptCertificate): Promise<void>
  remove(hostname: string): Promise<void>
  /** Removes all files that are no longer needed. */
  clean(isWanted: (name: CertificateName) => boolean, signal: AbortSignal): Promise<void>
}

export async function openCertificateFiles(directory: string, key: Secret): Promise<CertificateFiles> {
  const keys = openKeys([{ id: 'edge', key }])
  const [folder, incoming] = [join(directory, 'certificates'), join(directory, 'incoming')]
  // Incomplete files after a crash.
  await rm(incoming, { recursive: true, force: true })
  for (const path of [folder, incoming]) await mkdir(path, { recursive: true, mode: 0o700 })
  const pathOf = (hostname: string) => join(folder, hash('sha256', hostname, 'hex'))

  return {
    async read(hostname, generation) {
      const bytes = await readFile(pathOf(hostname)).catch(() => undefined)
      const parts = bytes && partsOf(bytes)
      if (!parts || parts.name.generation !== generation) return undefined
      const opened = keys.open(parts.sealed, sealedFor({ hostname, generation }))
      const inside = opened === null ? undefined : insideOf(opened)
      return inside && isSame(parts.name, inside) && inside.hostname === hostname ? inside : undefined
    },
    named: (hostname) => nameIn(pathOf(hostname)),
    async write(certificate) {
      const text = JSON.stringify({ ...certificate, bundle: certificate.bundle.toString('utf8') })
      const sealed = keys.seal(text, sealedFor(certificate))
      const bytes = Buffer.concat([headOf(certificate), sealed])
      await replaceFile(pathOf(certificate.hostname), bytes, join(incoming, randomUUID()))
    },
    remove: (hostname) => rm(pathOf(hostname), { force: true }),
    async clean(isWanted, signal) {
      for await (const { name: file } of await opendir(folder)) {
        if (signal.aborted) return
        const path = join(folder, file)
        const name = await nameIn(path)
        if (!name || pathOf(name.hostname) !== path || !isWanted(name)) await rm(path, { force: true })
      }
    },
  }
}

const sealedFor = ({ hostname, generation }: Pick<CertificateName, 'hostname' | 'generation'>) => ({
  hostname,
  generation: BigInt(generation),
  purpose: 'certificate' as const,
})

const headOf = ({ hostname, generation, serial }: CertificateName) =>
  Buffer.from(`${hostname} ${generation} ${serial}\n`)

const HEAD_BYTES_MAX = 512

function partsOf(bytes: Buffer): { name: CertificateName; sealed: Buffer } | undefined {
  const end = bytes.subarray(0, HEAD_BYTES_MAX).indexOf(0x0a)
  const [hostname, generation, serial, ...more] = bytes.toString('latin1', 0, Math.max(end, 0)).split(' ')
  if (!hostname || generation === undefined || !/^\d{1,19}$/.test(generation) || !serial || more.length > 0)
    return undefined
  return { name: { hostname, generation, serial }, sealed: bytes.subarray(end + 1) }
}

async function nameIn(path: string): Promise<CertificateName | undefined> {
  const file = await open(path, 'r').catch(() => undefined)
  try {
    const read = await file?.read({ buffer: Buffer.alloc(HEAD_BYTES_MAX), position: 0 })
    return read && partsOf(read.buffer.subarray(0, read.bytesRead))?.name
  } catch {
    return undefined
  } finally {
    await file?.close()
  }
}

const isSame = (one: CertificateName, other: CertificateName) =>
  one.hostname === other.hostname && one.generation === other.generation && one.serial === other.serial

/** Content sealed here has the right form: only the edge's own key can create a seal that opens. */
function insideOf(text: string): KeptCertificate {
  const inside = JSON.parse(text) as Omit<KeptCertificate, 'bundle'> & { bundle: string }
  return { ...inside, bundle: Buffer.from(inside.bundle) }
}
