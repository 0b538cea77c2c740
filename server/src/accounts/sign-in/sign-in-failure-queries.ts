// Queries for wrong passwords in a row: by the digest of the address that was entered, whether or not it has an account.
// Only passwords from devices that are not known are counted.

import { digestOf } from '../../foundation/key-format.ts'
import { statement, type Db } from '../../foundation/postgres/postgres.io.ts'
import { addressKey } from '../../foundation/smtp/address-key.ts'

/** By which attempts are counted: an address that was only entered is not kept. */
export const emailDigest = (email: string): Buffer => digestOf(addressKey(email))

const countFailureRows = statement<{ count: number }, [digest: Buffer]>(
  'count-sign-in-failures',
  `select count
   from sign_in_failures
   where digest = $1`,
)

export const failuresOf = async (db: Db, digest: Buffer): Promise<number> =>
  (await db(countFailureRows, digest))[0]?.count ?? 0

const addFailureRow = statement<never, [digest: Buffer]>(
  'add-sign-in-failure',
  `insert into sign_in_failures as known (digest, count)
   values ($1, 1)
   on conflict (digest) do update
   set count = known.count + 1, failed_at = now()`,
)

export const addFailure = (db: Db, digest: Buffer) => db(addFailureRow, digest)

const clearFailureRows = statement<never, [digest: Buffer]>(
  'clear-sign-in-failures',
  `delete from sign_in_failures
   where digest = $1`,
)

/** The person has signed in, or has proved the address. */
export const clearFailures = (db: Db, digest: Buffer) => db(clearFailureRows, digest)
