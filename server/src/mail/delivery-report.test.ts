import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BOUNCE_LOCAL_MAX, bounceAddress, claimsIn, readBounceSetting } from './bounce-address.ts'
import { judgeReport } from './delivery.ts'
import { readMessage } from './ingest.io.ts'

const failed = (...statuses: string[]) =>
  judgeReport({ kind: 'delivery', recipients: statuses.map((status) => ({ action: 'failed', status })) })

describe('a failed delivery', () => {
  test.each(['5.1.0', '5.1.1', '5.1.2', '5.1.10'])('with %s means that the address is dead', (status) => {
    expect(failed(status)).toEqual({ result: 'suppress', scope: 'all', reason: `report ${status}` })
  })

  test.each(['5.0.0', '5.2.1', '5.2.2', '5.4.1', '5.7.1', '4.4.7', '5.1.7', '5.1.8', '5.10.1'])(
    'with %s does not',
    (status) => expect(failed(status)).toEqual({ result: 'note', isFinal: true, reason: `report ${status}` }),
  )

  test('at one of several addresses does not', () => {
    expect(failed('5.1.1', '5.2.2')).toMatchObject({ result: 'note' })
    expect(failed('5.1.1', '5.1.1')).toMatchObject({ result: 'suppress' })
  })
})

test('a complaint never suppresses what cannot be turned off, and no text of it is kept', () => {
  fc.assert(
    fc.property(fc.string(), (feedback) => {
      const judgement = judgeReport({ kind: 'complaint', feedback })
      expect(judgement).not.toHaveProperty('scope', 'all')
      expect(judgement.reason).toMatch(
        /^(complaint (abuse|fraud|virus|opt-out|opt-out-list|other)|not spam|report about a signature)$/,
      )
    }),
  )
})

test('an inherited property of an object is no type of complaint', () => {
  expect(judgeReport({ kind: 'complaint', feedback: 'constructor' })).toMatchObject({ reason: 'complaint other' })
})

test('the address of a mail fits into an envelope, and is found again in any case', () => {
  const [mail, code] = [`mail_${'0f'.repeat(12)}`, '0123456789abcdef0123']
  for (const local of ['b', 'bounce', 'b'.repeat(BOUNCE_LOCAL_MAX)]) {
    const setting = readBounceSetting(`${local}@mail.example`) ?? ''
    const address = bounceAddress(setting, mail, code)
    expect(address.indexOf('@')).toBeLessThanOrEqual(64)
    expect(claimsIn(`Mia <${address.toUpperCase()}>`)).toEqual([{ mail, code }])
  }
  expect(readBounceSetting(`${'b'.repeat(BOUNCE_LOCAL_MAX + 1)}@mail.example`)).toBeUndefined()
})

test('no bytes make the reader fail', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.string(), async (bytes, fields) => {
      await readMessage(bytes)
      const head =
        'Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n'
      expect((await readMessage(Buffer.from(`${head}${fields}\r\n--b--\r\n`)))?.report?.kind).toBe('delivery')
    }),
  )
})
