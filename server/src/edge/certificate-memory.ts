// What an edge remembers about certificates: those that it serves without reading its disk, and
// the names for which it could not obtain one a moment ago. Both are bounded; the oldest entry is
// evicted first.

import type { Clock } from '../foundation/time.ts'
import type { KeptCertificate } from './certificate-files.io.ts'
import type { Attached } from './host-table.ts'

export type CertificateMemory = {
  /** The certificate that may be served under this route. */
  find(route: Attached): KeptCertificate | undefined
  /** Remembers it as the most recently used one. */
  put(certificate: KeptCertificate): void
  drop(hostname: string): void
}

export type Refusals = {
  has(hostname: string): boolean
  add(hostname: string): void
  drop(hostname: string): void
  clear(): void
}

const REFUSED_MAX = 10_000
const REFUSED_MS = 5000

export function createCertificateMemory(now: Clock, countMax: number): CertificateMemory {
  const certificates = new Map<string, KeptCertificate>()
  return {
    find({ hostname, generation }) {
      const found = certificates.get(hostname)
      return found?.generation === generation && found.notAfter > now() ? found : undefined
    },
    put(certificate) {
      certificates.delete(certificate.hostname)
      certificates.set(certificate.hostname, certificate)
      shrink(certificates, countMax)
    },
    drop: (hostname) => void certificates.delete(hostname),
  }
}

/** Names for which a handshake was refused less than some seconds ago. */
export function createRefusals(monotonic: () => number): Refusals {
  const refusedAt = new Map<string, number>()
  return {
    has: (hostname) => monotonic() - (refusedAt.get(hostname) ?? Number.NEGATIVE_INFINITY) < REFUSED_MS,
    add(hostname) {
      refusedAt.set(hostname, monotonic())
      shrink(refusedAt, REFUSED_MAX)
    },
    drop: (hostname) => void refusedAt.delete(hostname),
    clear: () => refusedAt.clear(),
  }
}

/** Evicts the oldest entry: a Map keeps insertion order. */
function shrink(map: Map<string, unknown>, sizeMax: number): void {
  if (map.size <= sizeMax) return
  const oldest = map.keys().next()
  if (!oldest.done) map.delete(oldest.value)
}
