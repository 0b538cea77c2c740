// The signature of a mail, verified as receivers do it (RFC 6376), without the library that made it.

import { createPublicKey, createHash, createVerify, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { Secret } from '../secret.ts'
import { messageFormat } from './relay.io.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const dkim = {
  domain: 'petstore.example',
  selector: 'petstore',
  key: new Secret(privateKey.export({ type: 'pkcs8', format: 'pem' })),
}
const message = {
  id: 'mail_1@petstore.example',
  from: { name: 'Petstore', address: 'no-reply@petstore.example' },
  to: 'mia@shop.example',
  subject: 'Hello Mïa',
  text: 'Hello  Mia \n\n',
  html: '<p>Hello Mia</p>',
  headers: {
    'Auto-Submitted': 'auto-generated',
    'List-Unsubscribe': '<https://petstore.example/unsubscribe>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  },
}

/** The names of the signed headers; throws if the body or the signature is not right. */
function verified(raw: string): string[] {
  const [head, body] = [raw.slice(0, raw.indexOf('\r\n\r\n')), raw.slice(raw.indexOf('\r\n\r\n') + 4)]
  const headers = head
    .split(/\r\n(?![ \t])/)
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)])
  const signature = headers.find(([name]) => name === 'DKIM-Signature')?.[1] ?? ''
  const tags = Object.fromEntries(
    signature
      .split(';')
      .map((tag) => [tag.split('=', 1)[0]?.trim(), tag.slice(tag.indexOf('=') + 1).replaceAll(/\s/g, '')]),
  ) as Record<'c' | 'h' | 'b' | 'bh', string>
  if (tags.c !== 'relaxed/relaxed') throw new Error(`canonicalisation ${tags.c}`)
  const plainBody = `${body
    .replaceAll(/[ \t]+(?=\r\n)/g, '')
    .replaceAll(/[ \t]+/g, ' ')
    .replace(/(\r\n)*$/, '')}\r\n`
  if (createHash('sha256').update(plainBody, 'latin1').digest('base64') !== tags.bh)
    throw new Error('the body was changed')
  const relaxed = (name: string, value: string) => `${name.toLowerCase()}:${value.replaceAll(/\s+/g, ' ').trim()}`
  const names = tags.h.split(':')
  // Each occurrence of a name takes the next header from the bottom; one that is missing is signed as such.
  const left = headers.toReversed()
  const signed = names.flatMap((name) => {
    const at = left.findIndex(([own = '']) => own.toLowerCase() === name.toLowerCase())
    const [found] = at === -1 ? [] : left.splice(at, 1)
    return found ? [`${relaxed(name, found[1] ?? '')}\r\n`] : []
  })
  const own = relaxed('DKIM-Signature', signature.replace(/(\bb=)[^;]*/, '$1'))
  const isRight = createVerify('sha256')
    .update(signed.join('') + own, 'latin1')
    .verify(createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })), tags.b, 'base64')
  if (!isRight) throw new Error('the signature is wrong')
  return names.map((name) => name.toLowerCase())
}

const rawOf = async (headerFieldNames?: string) =>
  (await messageFormat(dkim, headerFieldNames)(message)).toString('latin1')

test('a mail is signed, with both headers by which it can be unsubscribed from', async () => {
  expect(verified(await rawOf())).toEqual(
    expect.arrayContaining([
      'from',
      'to',
      'subject',
      'date',
      'message-id',
      'list-unsubscribe',
      'list-unsubscribe-post',
    ]),
  )
})

test.each([
  ['the subject', (raw: string) => raw.replace('Subject: ', 'Subject: x')],
  ['the body', (raw: string) => raw.replace('Hello Mia</p>', 'Hello Eve</p>')],
  ['the address to unsubscribe', (raw: string) => raw.replace('/unsubscribe', '/subscribe')],
])('a change of %s is noticed', async (_, change) => {
  const raw = await rawOf()
  expect(change(raw)).not.toBe(raw)
  expect(() => verified(change(raw))).toThrow(/was changed|is wrong/)
})

test('the default list of the library leaves one of them unsigned (negative control)', async () => {
  expect(verified(await rawOf(''))).not.toContain('list-unsubscribe-post')
})

test('without a key the relay signs', async () => {
  expect((await messageFormat(undefined)(message)).toString()).not.toContain('DKIM-Signature')
})
