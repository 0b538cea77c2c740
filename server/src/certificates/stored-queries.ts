// Stored certificates and challenge responses: SQL. Only `advance.io.ts` writes through these;
// the edge reads the served certificate and the challenge response.

import { statement, query, type Db } from '../foundation/postgres/postgres.io.ts'
import { dateOf, instantOf, type Instant } from '../foundation/time.ts'
import type { SuggestedWindow } from './renewal.ts'

export type StoredCertificate = {
  hostname: string
  generation: bigint
  client: string
  authority: string
  serial: string
  notBefore: Instant
  notAfter: Instant
  chain: string
  sealId: string
  sealedKey: Buffer
  certificateId: string | null
  window: SuggestedWindow | null
  askAt: Instant | null
  renewAt: Instant
  keptUntil: Instant | null
}

type CertificateRow = Omit<
  StoredCertificate,
  'notBefore' | 'notAfter' | 'window' | 'askAt' | 'renewAt' | 'keptUntil'
> & {
  notBefore: Date
  notAfter: Date
  windowStart: Date | null
  windowEnd: Date | null
  askAt: Date | null
  renewAt: Date
  keptUntil: Date | null
}

const columns = `hostname, generation, client, authority, serial, not_before as "notBefore", not_after as "notAfter",
     chain, seal_id as "sealId", sealed_key as "sealedKey", certificate_id as "certificateId",
     window_start as "windowStart", window_end as "windowEnd", ask_at as "askAt", renew_at as "renewAt",
     kept_until as "keptUntil"`

const certificateOf = ({ windowStart, windowEnd, ...row }: CertificateRow): StoredCertificate => ({
  ...row,
  notBefore: row.notBefore.getTime(),
  notAfter: row.notAfter.getTime(),
  window: windowStart && windowEnd ? { start: windowStart.getTime(), end: windowEnd.getTime() } : null,
  askAt: instantOf(row.askAt),
  renewAt: row.renewAt.getTime(),
  keptUntil: instantOf(row.keptUntil),
})

const findCertificateRow = statement<CertificateRow, [hostname: string, generation: bigint]>(
  'find-certificate',
  `select ${columns}
   from certificates
   where hostname = $1 and generation = $2 and kept_until is null`,
)

/** The certificate of exactly this generation, if it is served and not merely kept. */
export const findCertificate = async (
  db: Db,
  hostname: string,
  generation: bigint,
): Promise<StoredCertificate | undefined> => (await db(findCertificateRow, hostname, generation)).map(certificateOf)[0]

const findKeptRow = statement<CertificateRow, [hostname: string, client: string, now: Date]>(
  'find-kept-certificate',
  `select ${columns}
   from certificates
   where hostname = $1 and client = $2 and kept_until > $3 and not_after > $3
   order by not_after desc
   limit 1`,
)

/** A kept certificate of this client that is still valid. */
export const findKept = async (
  db: Db,
  hostname: string,
  client: string,
  now: Instant,
): Promise<StoredCertificate | undefined> =>
  (await db(findKeptRow, hostname, client, new Date(now))).map(certificateOf)[0]

/** Served certificates with less than a sixth of their life left; the first five. */
export const listExpiring = query<{ hostname: string; daysLeft: number }, []>(
  'list-expiring-certificates',
  `select hostname, (extract(epoch from not_after - now()) / 86400)::float8 as "daysLeft"
   from certificates
   where kept_until is null and not_after - now() < (not_after - not_before) / 6
   order by not_after
   limit 5`,
)

/** When the first of the served certificates ends; undefined if there is none. */
export const earliestEnd = query<{ notAfter: Date }, [], Date | undefined>(
  'earliest-certificate-end',
  `select not_after as "notAfter"
   from certificates
   where kept_until is null
   order by not_after
   limit 1`,
  ([row]) => row?.notAfter,
)

type Saved = [
  hostname: string,
  generation: bigint,
  client: string,
  authority: string,
  serial: string,
  notBefore: Date,
  notAfter: Date,
  chain: string,
  sealId: string,
  sealedKey: Buffer,
  certificateId: string | null,
  askAt: Date | null,
  renewAt: Date,
]

const storeCertificateRow = statement<{ hostname: string }, Saved>(
  'store-certificate',
  `insert into certificates (hostname, generation, client, authority, serial, not_before, not_after, chain, seal_id,
     sealed_key, certificate_id, ask_at, renew_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
   on conflict (hostname, generation) do update
   set client = excluded.client, authority = excluded.authority, serial = excluded.serial,
     not_before = excluded.not_before, not_after = excluded.not_after, chain = excluded.chain,
     seal_id = excluded.seal_id, sealed_key = excluded.sealed_key, certificate_id = excluded.certificate_id,
     window_start = null, window_end = null, ask_at = excluded.ask_at, renew_at = excluded.renew_at, kept_until = null
   where certificates.not_after < excluded.not_after
   returning hostname`,
)

/** Replaces the certificate that it renews. False if that expires later: then nothing is stored. */
export const storeCertificate = async (db: Db, stored: Omit<StoredCertificate, 'window' | 'keptUntil'>) =>
  (
    await db(
      storeCertificateRow,
      stored.hostname,
      stored.generation,
      stored.client,
      stored.authority,
      stored.serial,
      new Date(stored.notBefore),
      new Date(stored.notAfter),
      stored.chain,
      stored.sealId,
      stored.sealedKey,
      stored.certificateId,
      dateOf(stored.askAt),
      new Date(stored.renewAt),
    )
  ).length > 0

const saveWindowRow = statement<
  never,
  [hostname: string, serial: string, start: Date | null, end: Date | null, askAt: Date, renewAt: Date]
>(
  'save-renewal-window',
  `update certificates
   set window_start = $3, window_end = $4, ask_at = $5, renew_at = $6
   where hostname = $1 and serial = $2 and kept_until is null`,
)

export const saveWindow = (
  db: Db,
  { hostname, serial }: Pick<StoredCertificate, 'hostname' | 'serial'>,
  window: SuggestedWindow | null,
  { askAt, renewAt }: { askAt: Instant; renewAt: Instant },
) =>
  db(
    saveWindowRow,
    hostname,
    serial,
    dateOf(window?.start ?? null),
    dateOf(window?.end ?? null),
    new Date(askAt),
    new Date(renewAt),
  )

const keepRows = statement<never, [hostname: string, generation: bigint, until: Date]>(
  'keep-certificates',
  `update certificates
   set kept_until = $3
   where hostname = $1 and generation < $2 and kept_until is null`,
)

/** Certificates older than this generation are no longer served, and are kept for a while. */
export const keepOlder = (db: Db, hostname: string, generation: bigint, until: Instant) =>
  db(keepRows, hostname, generation, new Date(until))

const moveRow = statement<
  never,
  [hostname: string, from: bigint, to: bigint, sealId: string, sealedKey: Buffer, askAt: Date | null]
>(
  'move-certificate',
  `update certificates
   set generation = $3, seal_id = $4, sealed_key = $5, ask_at = $6, kept_until = null
   where hostname = $1 and generation = $2`,
)

/** Moves a certificate to a new generation, with its key re-encrypted for that one. */
export const moveCertificate = (
  db: Db,
  { hostname, generation, askAt }: StoredCertificate,
  to: bigint,
  seal: { sealId: string; sealedKey: Buffer },
) => db(moveRow, hostname, generation, to, seal.sealId, seal.sealedKey, dateOf(askAt))

const putChallengeRow = statement<never, [token: string, hostname: string, keyAuthorization: string, expiresAt: Date]>(
  'put-challenge',
  `insert into certificate_challenges (token, hostname, key_authorization, expires_at)
   values ($1, $2, $3, $4)
   on conflict (token) do update
   set key_authorization = excluded.key_authorization, expires_at = excluded.expires_at
   where certificate_challenges.hostname = excluded.hostname`,
)

export const putChallenge = (
  db: Db,
  { token, hostname, keyAuthorization }: { token: string; hostname: string; keyAuthorization: string },
  expiresAt: Instant,
) => db(putChallengeRow, token, hostname, keyAuthorization, new Date(expiresAt))

const findChallengeRow = statement<{ keyAuthorization: string }, [hostname: string, token: string, now: Date]>(
  'find-challenge',
  `select key_authorization as "keyAuthorization"
   from certificate_challenges
   where hostname = $1 and token = $2 and expires_at > $3`,
)

/** The response at /.well-known/acme-challenge/<token> of this hostname. */
export const findChallenge = async (
  db: Db,
  hostname: string,
  token: string,
  now: Instant,
): Promise<string | undefined> => (await db(findChallengeRow, hostname, token, new Date(now)))[0]?.keyAuthorization

/** Returns what was offered. */
export const dropChallenges = query<{ keyAuthorization: string }, [hostname: string], string[]>(
  'drop-challenges',
  `delete from certificate_challenges
   where hostname = $1
   returning key_authorization as "keyAuthorization"`,
  (rows) => rows.map(({ keyAuthorization }) => keyAuthorization),
)

// The hostnames that have or want a certificate, page by page, of all clients or of one, and how many keys are still
// encrypted with a key other than the first. Never a key.

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
