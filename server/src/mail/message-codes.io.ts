// Authenticates what a mail carries in the open: the address that turns it off, the address to
// which reports about it return, and the addresses of the pages of a visitor's request. The keys are kept in the database, so that every process
// accepts what another one has sent.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { statement, type Db } from '../foundation/postgres/postgres.io.ts'

export type CodePurpose = 'unsubscribe' | 'bounce' | 'request'

const findSecretRow = statement<{ secret: Buffer }, [purpose: CodePurpose]>(
  'find-mail-secret',
  `select secret
   from mail_secrets
   where purpose = $1`,
)

const insertSecretRow = statement<never, [purpose: CodePurpose, secret: Uint8Array]>(
  'insert-mail-secret',
  `insert into mail_secrets (purpose, secret)
   values ($1, $2)
   on conflict (purpose) do nothing`,
)

/** Of several concurrent calls the first one stores its secret; all of them return the same. */
async function secretOf(run: Db, purpose: CodePurpose, made: Uint8Array): Promise<Buffer> {
  const [known] = await run(findSecretRow, purpose)
  if (known) return known.secret
  await run(insertSecretRow, purpose, made)
  const [stored] = await run(findSecretRow, purpose)
  if (!stored) throw new Error('a secret that was just made is not there')
  return stored.secret
}

export type MessageCodes = {
  codeOf: (text: string) => Promise<string>
  isCode: (text: string, code: string) => Promise<boolean>
}

/** The part of an address before the @ has at most 64 characters, so its code is shorter. */
const codeLengths: Readonly<Record<CodePurpose, number>> = { unsubscribe: 16, bounce: 10, request: 16 }

/** Codes of 128 or 80 bits, in lower-case hexadecimal digits: some mail servers change the case of addresses. */
export function messageCodes(run: Db, purpose: CodePurpose, randomBytes: (count: number) => Uint8Array): MessageCodes {
  const length = codeLengths[purpose]
  let secret: Promise<Buffer> | undefined
  const codeBytes = async (text: string) => {
    secret ??= secretOf(run, purpose, randomBytes(32))
    const key = await secret.catch((error: unknown) => {
      secret = undefined
      throw error
    })
    return createHmac('sha256', key).update(`${purpose}\n${text}`).digest().subarray(0, length)
  }
  return {
    codeOf: async (text) => (await codeBytes(text)).toString('hex'),
    async isCode(text, code) {
      const given = Buffer.from(code, 'hex')
      // What follows the last digit is dropped by the decoder, so the text is compared by its length, too.
      return code.length === 2 * length && given.length === length && timingSafeEqual(given, await codeBytes(text))
    },
  }
}
