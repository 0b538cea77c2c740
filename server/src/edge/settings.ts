// The settings of an edge host: its control plane, its credentials, and the folder for what it must
// not lose while it is disconnected.

import type { Secret } from '../foundation/secret.ts'

/** What does not depend on where the control plane is. */
export type EdgeCommon = Readonly<{
  /** The port at which the server in front requests certificates; on loopback. */
  certificatePort: number
  /** The most that photos may occupy in the folder. */
  photoBytes: number
  /** How long it continues to serve without its control plane. */
  isolationHours: number
  /** Chain and key (PEM) for the default addresses, if this edge serves them over TLS. */
  platformCertificate: Secret | undefined
  /** The file of that, if it is in one: it is read again when it changes. */
  platformCertificateFile?: string | undefined
}>

export type EdgeConfig = EdgeCommon &
  Readonly<{
    /** Origin of the control plane; without one the sites are served from the database, under default addresses only. */
    controlUrl: string
    /** Trusted roots (PEM) instead of the system's, if the control plane is https. */
    controlRoots: string | undefined
    /** Enrols this edge at its first start; of no use afterwards. */
    token: Secret | undefined
    /** The folder for its own keys, the copy of the host table, encrypted certificates and pages. */
    directory: string
    /** Base64 of 32 bytes, for this edge alone; encrypts its own keys and the certificates on its disk. */
    key: Secret
  }>
