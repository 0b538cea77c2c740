// The certificates that an edge serves without reading its disk. Bounded: the least recently used one is evicted first.

import { BoundedMap } from '../foundation/load/bounded-map.ts'
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

export function createCertificateMemory(now: Clock, countMax: number): CertificateMemory {
  const certificates = new BoundedMap<string, KeptCertificate>({ countMax })
  return {
    find({ hostname, generation }) {
      const found = certificates.get(hostname)
      return found?.generation === generation && found.notAfter > now() ? found : undefined
    },
    put: (certificate) => certificates.set(certificate.hostname, certificate),
    drop: (hostname) => certificates.delete(hostname),
  }
}
