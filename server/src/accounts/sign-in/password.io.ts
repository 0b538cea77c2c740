// Hashes and verifies passwords: argon2id in the PHC string format, 19 MiB, two passes,
// one lane. Few run concurrently, because each takes that much memory; the others wait in
// turn. Verifying against a missing account takes as long as verifying against an existing one.

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../foundation/refusal.ts'
import { PasswordQueue, queueRules, type Turn, type WorkQueue, type QueueStep } from './password-queue.ts'
import { weaknessOf, weaknessText, commonPasswordsIn } from './password-rules.ts'
import { SECOND } from '../../foundation/time.ts'

const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
const SALT_BYTES = 16
const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

export type Passwords = {
  /** The hash to store for a password that a person chooses, or a refusal that names the rule and the field. */
  choose(password: string, choice: PasswordChoice): Promise<string>
  /** The hash to store for a password, whatever it is. */
  hash(password: string, turn: Turn): Promise<string>
  /** A hash that no password matches. */
  unmatchable(): string
  /** True if the password matches; `kept` is undefined if there is no such account. */
  matches(password: string, kept: string | undefined, turn: Turn): Promise<boolean>
}

export type PasswordChoice = {
  field: 'password' | 'next'
  /** The address and the name of the person, and the names of their projects. */
  about: readonly string[]
  turn: Turn
}

/** `common` is empty only in a negative control. */
export function createPasswords({
  common = readCommonPasswords(),
  queue = new PasswordQueue<QueuedWork>(),
  monotonic = () => performance.now(),
}: { common?: ReadonlySet<string>; queue?: WorkQueue<QueuedWork>; monotonic?: () => number } = {}): Passwords {
  const inTurn = inTurnOf(queue, monotonic)
  // A random tag is the hash of no password that can be found.
  const unmatchable = () => phc(randomBytes(SALT_BYTES), randomBytes(COST.tagLength))
  /** The stand-in for missing accounts. */
  const standIn = unmatchable()

  const hash = async (password: string, turn: Turn) => {
    const salt = randomBytes(SALT_BYTES)
    return phc(salt, await inTurn(turn, () => derive(password, salt, COST)))
  }

  return {
    async choose(password, { field, about, turn }) {
      const weakness = weaknessOf(password, { about, common })
      if (weakness !== undefined) throw new Refusal('invalid_field', weaknessText[weakness](field))
      return hash(password, turn)
    },
    hash,
    unmatchable,
    async matches(password, kept, turn) {
      const [, memory, passes, parallelism, salt = '', tag = ''] = FORM.exec(kept ?? standIn) ?? []
      const expected = Buffer.from(tag, 'base64')
      const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
      const found = await inTurn(turn, () =>
        derive(password, Buffer.from(salt, 'base64'), { ...cost, tagLength: expected.length }),
      )
      return timingSafeEqual(found, expected) && kept !== undefined
    },
  }
}

const phc = (salt: Buffer, tag: Buffer) =>
  `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${text(salt)}$${text(tag)}`

type Cost = { memory: number; passes: number; parallelism: number; tagLength: number }

function derive(password: string, nonce: Buffer, cost: Cost): Promise<Buffer> {
  // The same characters, however they were typed.
  const message = password.normalize('NFKC')
  return new Promise((resolve, reject) =>
    argon2('argon2id', { message, nonce, ...cost }, (error, tag) => (error ? reject(error) : resolve(tag))),
  )
}

const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

const file = join(import.meta.dirname, '../../../assets/common-passwords.txt')
let known: ReadonlySet<string> | undefined

export const readCommonPasswords = (): ReadonlySet<string> => (known ??= commonPasswordsIn(readFileSync(file, 'utf8')))

// The order of the hashing is decided by the queue. What it rejects gets 503 with `Retry-After`.

/** Work in the queue: how to begin it, and how to reject it. */
type QueuedWork = { begin: () => void; reject: (refusal: Refusal) => void }

type InTurn = <Result>(turn: Turn, work: () => Promise<Result>) => Promise<Result>

function inTurnOf(queue: WorkQueue<QueuedWork>, monotonic: () => number): InTurn {
  const take = ({ begin, reject }: QueueStep<QueuedWork>) => {
    for (const rejected of reject) rejected.reject(overloaded())
    for (const begun of begin) begun.begin()
  }
  return async (turn, work) => {
    await new Promise<void>((begin, reject) => take(queue.arrive({ begin, reject }, turn, monotonic())))
    const begunMs = monotonic()
    try {
      return await work()
    } finally {
      take(queue.end(monotonic() - begunMs, monotonic()))
    }
  }
}

const RETRY_SECONDS = Math.ceil(queueRules.startWithinMs / SECOND)

const overloaded = () =>
  new Refusal(
    'service_unavailable',
    `Too many passwords are being checked at the moment. Try again in ${RETRY_SECONDS} seconds, or sign in with a passkey.`,
    { 'Retry-After': String(RETRY_SECONDS) },
  )
