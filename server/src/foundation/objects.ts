// The port through which files are stored: by project and key, written once and never changed. Adapters keep them in
// PostgreSQL or in an S3-compatible store.
//
// A key has 1 to 200 characters from the space to the closing brace of ASCII, and no part between slashes that is empty,
// a dot or two dots: an address cannot name those. An object has 1 byte to 20 MB.

export type StoredObject = { key: string; storedAt: number; size: number }

export type Objects = {
  /**
   * Resolves once the bytes are durable. False if the key is taken: its bytes stay as they are. After a retry within
   * the call, the key may be taken by the call itself, so false does not say by which call; the bytes of a key are
   * always the same, and either answer means that they are stored.
   */
  putIfAbsent(project: bigint, key: string, bytes: Uint8Array): Promise<boolean>
  get(project: bigint, key: string): Promise<Buffer | undefined>
  /** Resolves as well if there is no such object. */
  remove(project: bigint, key: string): Promise<void>
  /** The next keys with this prefix in ascending order, after the given one; an empty list at the end. */
  list(project: bigint, prefix: string, after?: string): Promise<readonly StoredObject[]>
}

export const OBJECT_BYTES_MAX = 20_000_000

/**
 * The store did not do what was requested, for whatever reason: the caller may retry. The message is for the operator;
 * it contains no secret.
 */
export class ObjectsUnavailable extends Error {}

/** Throws for a key or bytes that not every store can keep. */
export function refuseUnstorable(key: string, { length }: Pick<Uint8Array, 'length'> = { length: 1 }): void {
  const hasOddPart = key.split('/').some((part) => part === '' || part === '.' || part === '..')
  if (!/^[ -}]{1,200}$/.test(key) || hasOddPart) throw new RangeError('no object can have this key')
  if (length < 1 || length > OBJECT_BYTES_MAX) throw new RangeError(`no object can have ${length} bytes`)
}
