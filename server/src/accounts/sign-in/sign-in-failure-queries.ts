// Queries for wrong passwords in a row: by the digest of the address that was entered, whether or not it has an account.
// Only passwords from devices that are not known are counted.

import { digestOf } from '../../foundation/key-format.ts'
import { query } from '../../foundation/postgres/postgres.io.ts'
import { addressKey } from '../../foundation/smtp/address.ts'

/** By which attempts are counted: an address that was only entered is not kept. */
export const emailDigest = (email: string): Buffer => digestOf(addressKey(email))

export const failuresOf = query<{ count: number }, [digest: Buffer], number>(
  'count-sign-in-failures',
  `select count
   from sign_in_failures
   where digest = $1`,
  ([row]) => row?.count ?? 0,
)

export const addFailure = query<never, [digest: Buffer]>(
  'add-sign-in-failure',
  `insert into sign_in_failures as known (digest, count)
   values ($1, 1)
   on conflict (digest) do update
   set count = known.count + 1, failed_at = now()`,
)

/** The person has signed in, or has proved the address. */
export const clearFailures = query<never, [digest: Buffer]>(
  'clear-sign-in-failures',
  `delete from sign_in_failures
   where digest = $1`,
)
