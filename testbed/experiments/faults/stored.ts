// Checks every stored certificate again, as if the authority had just issued it: no fault may have led to a bad one.

import type { Keys } from '../../../server/src/certificates/key-encryption.io.ts'
import { checkLeaf } from '../../../server/src/foundation/acme/leaf.io.ts'
import { statement, type Db } from '../../../server/src/foundation/postgres/postgres.io.ts'

type Stored = { hostname: string; generation: bigint; chain: string; sealedKey: Buffer }

const listRows = statement<Stored, []>(
  'list-every-certificate',
  `select hostname, generation, chain, sealed_key as "sealedKey"
   from certificates
   order by hostname, generation`,
)

/**
 * One sentence for each that does not match its name or its key; and how many would not match
 * with the key of another.
 */
export type StoredCertificates = { count: number; bad: string[]; badIfSwapped: number }

export async function checkStored(run: Db, keys: Keys): Promise<StoredCertificates> {
  const stored = await run(listRows)
  const bad = stored.flatMap((one) => complaintOf(one, keys))
  const swapped = stored.map((one, index) => ({ ...one, chain: stored.at(index - 1)?.chain ?? '' }))
  return { count: stored.length, bad, badIfSwapped: swapped.flatMap((one) => complaintOf(one, keys)).length }
}

export const isStored = async (run: Db, hostname: string): Promise<boolean> =>
  (await run(listRows)).some((one) => one.hostname === hostname)

function complaintOf({ hostname, generation, chain: chainPem, sealedKey }: Stored, keys: Keys): string[] {
  const keyPem = keys.open(sealedKey, { hostname, generation, purpose: 'certificate' })
  if (keyPem === null) return [`The key of ${hostname} does not open.`]
  const verdict = checkLeaf({ chainPem, hostname, keyPem, now: Date.now(), replacesNotAfter: null })
  return verdict.ok ? [] : [`The certificate of ${hostname}: ${verdict.reason}`]
}
