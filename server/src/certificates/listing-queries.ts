// What an operator is shown: which hostnames have or want a certificate, page by page,
// and how much is still sealed with another key than the first. Never a key.

import { statement, type Db } from '../foundation/postgres/postgres.io.ts'

const listHostnameRows = statement<{ hostname: string }, [after: string, count: number]>(
  'list-certificate-hostnames',
  `select hostname
   from certificate_wishes
   where hostname > $1
   order by hostname
   limit $2`,
)

/** In the order of their letters, on from one; those that were dropped and are kept too. */
export const listHostnames = async (db: Db, after: string, count: number): Promise<string[]> =>
  (await db(listHostnameRows, after, count)).map(({ hostname }) => hostname)

// Those who seal say with what: in clear, behind the version and the length of the name.
const countOldSealRows = statement<{ count: number }, [sealId: string]>(
  'count-old-seals',
  `select (
     (select count(*) from certificates where seal_id <> $1)
     + (select count(*) from authority_accounts where seal_id <> $1)
     + (select count(*)
        from certificate_orders
        where ended_at is null and sealed_key is not null
          and substring(sealed_key from 3 for get_byte(sealed_key, 1)) <> convert_to($1, 'UTF8'))
   )::integer as count`,
)

/** How many keys are sealed with another key than this one. */
export const countOldSeals = async (db: Db, sealId: string): Promise<number> =>
  (await db(countOldSealRows, sealId))[0]?.count ?? 0
