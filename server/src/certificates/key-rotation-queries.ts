// Re-encrypts keys that were encrypted with an older key: SQL. In small batches, so that no other transaction waits for
// them.

import { statement, query, queryAny, type Db } from '../foundation/postgres/postgres.io.ts'
import { sealedFor } from './acme-accounts.io.ts'
import type { Keys } from './key-encryption.io.ts'

type SealedRow = { hostname: string; generation: bigint; sealedKey: Buffer }

const oldSealRows = statement<SealedRow, [sealId: string, hostname: string, generation: bigint, count: number]>(
  'list-old-seals',
  `select hostname, generation, sealed_key as "sealedKey"
   from certificates
   where seal_id <> $1 and (hostname, generation) > ($2, $3)
   order by hostname, generation
   limit $4`,
)

/** Certificates that were encrypted with a key other than this one, after a given row. */
const listOldSeals = (
  db: Db,
  sealId: string,
  after: { hostname: string; generation: bigint },
  count: number,
): Promise<SealedRow[]> => db(oldSealRows, sealId, after.hostname, after.generation, count)

const saveSealRow = statement<
  { hostname: string },
  [hostname: string, generation: bigint, old: Buffer, sealId: string, sealedKey: Buffer]
>(
  'save-seal',
  `update certificates
   set seal_id = $4, sealed_key = $5
   where hostname = $1 and generation = $2 and sealed_key = $3
   returning hostname`,
)

/** Only if no other certificate was stored in the meantime. */
const saveSeal = async (
  db: Db,
  { hostname, generation, sealedKey }: SealedRow,
  seal: { sealId: string; sealedKey: Buffer },
): Promise<boolean> => (await db(saveSealRow, hostname, generation, sealedKey, seal.sealId, seal.sealedKey)).length > 0

const listOrderSeals = query<{ id: string } & SealedRow, [after: string, count: number]>(
  'list-order-seals',
  `select id, hostname, generation, sealed_key as "sealedKey"
   from certificate_orders
   where ended_at is null and sealed_key is not null and id > $1
   order by id
   limit $2`,
)

const saveOrderSeal = queryAny<[id: string, old: Buffer, sealedKey: Buffer]>(
  'save-order-seal',
  `update certificate_orders
   set sealed_key = $3
   where id = $1 and sealed_key = $2
   returning id`,
)

const saveAccountSealRow = statement<
  { authority: string },
  [authority: string, old: Buffer, sealId: string, sealedKey: Buffer]
>(
  'save-account-seal',
  `update authority_accounts
   set seal_id = $3, sealed_key = $4
   where authority = $1 and sealed_key = $2
   returning authority`,
)

const saveAccountSeal = async (
  db: Db,
  authority: string,
  old: Buffer,
  seal: { sealId: string; sealedKey: Buffer },
): Promise<boolean> => (await db(saveAccountSealRow, authority, old, seal.sealId, seal.sealedKey)).length > 0

const listOldAccountSeals = query<{ authority: string; sealedKey: Buffer }, [sealId: string]>(
  'list-old-account-seals',
  `select authority, sealed_key as "sealedKey"
   from authority_accounts
   where seal_id <> $1`,
)

export type Rotated = {
  resealed: number
  /** Those that cannot be decrypted: encrypted with a key that we do not have, or damaged. */ unreadable: string[]
}

/**
 * Re-encrypts everything with the first key of the ring. Workers continue in the meantime: a certificate that was
 * stored in between is left unchanged, and is encrypted with the first key anyway. When the result lists nothing as
 * unreadable, older keys can be removed.
 */
export async function rotateKeys(db: Db, keys: Keys, batch = 200): Promise<Rotated> {
  const rotated: Rotated = { resealed: 0, unreadable: [] }
  const note = (name: string, sealedKey: Buffer | null, isSaved: boolean) => {
    if (sealedKey === null) rotated.unreadable.push(name)
    else if (isSaved) rotated.resealed++
  }
  const { sealId } = keys

  for (const { authority, sealedKey: old } of await listOldAccountSeals(db, sealId)) {
    const sealedKey = keys.reseal(old, sealedFor(authority))
    note(authority, sealedKey, sealedKey !== null && (await saveAccountSeal(db, authority, old, { sealId, sealedKey })))
  }
  for (let after = ''; ;) {
    const rows = await listOrderSeals(db, after, batch)
    for (const { id, hostname, generation, sealedKey: old } of rows) {
      const sealedKey = keys.reseal(old, { hostname, generation, purpose: 'certificate' })
      note(hostname, sealedKey, sealedKey !== null && (await saveOrderSeal(db, id, old, sealedKey)))
    }
    if (rows.length < batch) break
    after = rows.at(-1)?.id ?? after
  }
  for (let after = { hostname: '', generation: 0n }; ;) {
    const rows = await listOldSeals(db, sealId, after, batch)
    for (const row of rows) {
      const { hostname, generation } = row
      const sealedKey = keys.reseal(row.sealedKey, { hostname, generation, purpose: 'certificate' })
      note(hostname, sealedKey, sealedKey !== null && (await saveSeal(db, row, { sealId, sealedKey })))
    }
    if (rows.length < batch) break
    after = rows.at(-1) ?? after
  }
  return rotated
}
