// The port through which files are stored: by project and key, written once and never changed. Adapters keep them in
// PostgreSQL or in an S3-compatible store.

export type StoredObject = { key: string; storedAt: number; size: number }

export type Objects = {
  /** Resolves once the bytes are durable. False if the key is taken: its bytes stay as they are. */
  putIfAbsent(project: bigint, key: string, bytes: Uint8Array): Promise<boolean>
  get(project: bigint, key: string): Promise<Buffer | undefined>
  /** Resolves as well if there is no such object. */
  remove(project: bigint, key: string): Promise<void>
  /** The next keys with this prefix in ascending order, after the given one; an empty list at the end. */
  list(project: bigint, prefix: string, after?: string): Promise<readonly StoredObject[]>
}
