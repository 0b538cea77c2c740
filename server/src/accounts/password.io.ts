// Hashes and verifies passwords: argon2id in the PHC string format, 19 MiB, two passes,
// one lane. Few run concurrently, because each takes that much memory. Verifying against
// a missing account takes as long as verifying against an existing one.

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { limitConcurrency } from '../foundation/concurrency-limit.ts'

const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
const SALT_BYTES = 16
const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

export type Passwords = {
  /** The hash to store for a password. */
  hash(password: string): Promise<string>
  /** A hash that no password matches: of a random secret that is never stored. */
  unmatchable(): Promise<string>
  /** True if the password matches; `kept` is undefined if there is no such account. */
  matches(password: string, kept: string | undefined): Promise<boolean>
}

// Half of Node's threads: file reads use the others and never wait for a password.
export function createPasswords(options = { atOnce: 2, waitingMax: 100 }): Passwords {
  const inTurn = limitConcurrency(options)
  const hash = async (password: string) => {
    const salt = randomBytes(SALT_BYTES)
    const tag = await inTurn(() => derive(password, salt, COST))
    return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${text(salt)}$${text(tag)}`
  }
  const unmatchable = () => hash(randomBytes(32).toString('base64'))
  // The stand-in for missing accounts.
  const standIn = unmatchable()
  standIn.catch(() => {})

  return {
    hash,
    unmatchable,
    async matches(password, kept) {
      const [, memory, passes, parallelism, salt = '', tag = ''] = FORM.exec(kept ?? (await standIn)) ?? []
      const expected = Buffer.from(tag, 'base64')
      const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
      const found = await inTurn(() =>
        derive(password, Buffer.from(salt, 'base64'), { ...cost, tagLength: expected.length }),
      )
      return timingSafeEqual(found, expected) && kept !== undefined
    },
  }
}

type Cost = { memory: number; passes: number; parallelism: number; tagLength: number }

function derive(password: string, nonce: Buffer, cost: Cost): Promise<Buffer> {
  // The same characters, however they were typed.
  const message = password.normalize('NFKC')
  return new Promise((resolve, reject) =>
    argon2('argon2id', { message, nonce, ...cost }, (error, tag) => (error ? reject(error) : resolve(tag))),
  )
}

const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
