import { encode } from 'dns-packet'
import { describe, expect, test } from 'vitest'
import { Secret } from '../secret.ts'
import { encodeUpdate, macOf, refusalIn, signUpdate, type TsigKey } from './update-message.ts'

const key: TsigKey = {
  name: 'petstore-key',
  algorithm: 'hmac-sha256',
  secret: new Secret(Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')),
}
const AT = 0x6a_fc_ae_1b
const update = { zone: 'shops.example', name: '_acme-challenge.shops.example', value: 'gfj9Xq_Value-43' }

// Sent by BIND's nsupdate 9.18 with this key; removed at this time, added two minutes later.
const recorded = {
  add: Buffer.from(
    '5415280000010000000100010573686f7073076578616d706c6500000600010f5f61636d652d6368616c6c656e6765c00c0010000100' +
      '00000100100f67666a3958715f56616c75652d34330c70657473746f72652d6b65790000fa00ff00000000003d0b686d61632d7368' +
      '613235360000006afcae94012c0020a7b4e20793858516053d187287fab1621dda093dd14da0d4e450195657cd8b4c541500000000',
    'hex',
  ),
  remove: Buffer.from(
    '9684280000010000000100010573686f7073076578616d706c6500000600010f5f61636d652d6368616c6c656e6765c00c001000fe00' +
      '00000000100f67666a3958715f56616c75652d34330c70657473746f72652d6b65790000fa00ff00000000003d0b686d61632d7368' +
      '613235360000006afcae1b012c00206a785826e9ba0cd2e1f442603a4b1eceb83c2e6006c4ca74b36c709cff2df069968400000000',
    'hex',
  ),
} as const

/** The message without its signature, as it was signed. */
function unsigned(message: Buffer): Buffer {
  const bytes = Buffer.from(message.subarray(0, message.indexOf('\u000Cpetstore-key', 'latin1')))
  bytes.writeUInt16BE(0, 10)
  return bytes
}

/** BIND abbreviates the second mention of the zone; we write it out. */
const writtenOut = (message: Buffer): Buffer => {
  const at = message.indexOf(Buffer.from('c00c', 'hex'))
  const zone = message.subarray(12, message.indexOf(0, 12) + 1)
  return Buffer.concat([message.subarray(0, at), zone, message.subarray(at + 2)])
}

describe.each(['add', 'remove'] as const)('the message to %s a record', (change) => {
  const sent = recorded[change]
  const id = sent.readUInt16BE(0)
  const at = change === 'add' ? AT + 121 : AT

  test('has the bytes of the one that BIND sends', () => {
    expect(encodeUpdate({ id, change, ...update }).toString('hex')).toBe(writtenOut(unsigned(sent)).toString('hex'))
  })

  test('is signed as BIND signs it', () => {
    const mac = macOf(unsigned(sent), key, { at, fudge: 300 })
    expect(sent.includes(mac)).toBe(true)
    const ours = signUpdate(unsigned(sent), key, at)
    expect(ours.toString('hex')).toBe(sent.toString('hex'))
  })

  test('has another signature with another secret, name or time (negative control)', () => {
    const others = [
      [{ ...key, secret: new Secret(Buffer.alloc(32).toString('base64')) }, at],
      [{ ...key, name: 'other-key' }, at],
      [key, at + 1],
    ] as const
    for (const [other, when] of others) {
      expect(sent.includes(macOf(unsigned(sent), other, { at: when, fudge: 300 }))).toBe(false)
    }
  })
})

const response = (rcode: number, error?: number): Buffer => {
  const message = encode({ id: 7, type: 'response', flags: rcode | (5 << 11) })
  if (error === undefined) return message
  const signed = signUpdate(message, key, AT)
  signed.writeUInt16BE(error, signed.length - 4)
  return signed
}

test('an accepted update has no refusal; a rejected one has a reason that names what to correct', () => {
  expect(refusalIn(response(0), 7)).toBeNull()
  expect(refusalIn(response(9, 16), 7)).toContain('BADSIG')
  expect(refusalIn(response(9, 17), 7)).toContain('BADKEY')
  expect(refusalIn(response(9, 18), 7)).toContain('BADTIME')
  expect(refusalIn(response(5), 7)).toContain('REFUSED')
})

test.each([
  ['a response to another request', response(0), 8],
  ['nothing', Buffer.alloc(0), 7],
  ['a truncated response', response(9, 16).subarray(0, 40), 7],
])('%s is not an accepted update (negative control)', (_, bytes, id) => {
  expect(refusalIn(bytes, id)).not.toBeNull()
})
