// What an edge host is told: where its control plane is, who it is, and where it
// keeps what it must not lose while it is cut off.

import type { Secret } from '../foundation/secret.ts'

export type EdgeConfig = Readonly<{
  /** Origin of the control plane; without one the sites are served from the database, under default addresses only. */
  controlUrl: string
  /** Roots (PEM) to trust in place of the system's when that is https. */
  controlRoots: string | undefined
  token: Secret
  /** The folder for the copy of the host table, for sealed certificates and for pages. */
  directory: string
  /** Base64 of 32 bytes, of this edge alone; seals what is on its disk. */
  key: Secret
  /** Where the server in front asks for certificates; on loopback. */
  certificatePort: number
  /** For how long it goes on serving without its control plane. */
  isolationHours: number
  /** Chain and key (PEM) for the default addresses, if this edge serves them by TLS. */
  platformCertificate: Secret | undefined
}>
