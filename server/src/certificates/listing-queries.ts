// Lists: SQL. The hostnames that have or want a certificate, page by page, of all clients or of one, and
// how many keys are still encrypted with a key other than the first. Never a key.

import { query } from '../foundation/postgres/postgres.io.ts'

/** Sorted by hostname, after a given one; includes certificates that were dropped and are still kept. */
export const listHostnames = query<{ hostname: string }, [after: string, count: number], string[]>(
  'list-certificate-hostnames',
  `select hostname
   from certificate_wishes
   where hostname > $1
   order by hostname
   limit $2`,
  (rows) => rows.map(({ hostname }) => hostname),
)

/** Those that this client wants now, sorted, after a given one. */
export const listHostnamesOf = query<{ hostname: string }, [client: string, after: string, count: number], string[]>(
  'list-certificate-hostnames-of',
  `select hostname
   from certificate_wishes
   where client = $1 and dropped_at is null and hostname > $2
   order by hostname
   limit $3`,
  (rows) => rows.map(({ hostname }) => hostname),
)

// The id of the key is in plain text in each seal, after the version and the length of the id.
/** The number of keys that are encrypted with a key other than this one. */
export const countOldSeals = query<{ count: number }, [sealId: string], number>(
  'count-old-seals',
  `select (
     (select count(*) from certificates where seal_id <> $1)
     + (select count(*) from authority_accounts where seal_id <> $1)
     + (select count(*)
        from certificate_orders
        where ended_at is null and sealed_key is not null
          and substring(sealed_key from 3 for get_byte(sealed_key, 1)) <> convert_to($1, 'UTF8'))
   )::integer as count`,
  ([row]) => row?.count ?? 0,
)
