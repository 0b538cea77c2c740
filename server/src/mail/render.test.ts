// Both renderings of a mail say the same, and no text of people becomes markup, a header or a line
// of ours.

import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { noticeKinds, type NoticeKind } from '../accounts/account-actions.ts'
import { noticeOf } from '../accounts/mails.ts'
import { messageFormat } from '../foundation/smtp/relay.io.ts'
import { oneLine, type Mail } from './mail.ts'
import { mailHtml } from './render-html.ts'
import { mailText } from './render-text.ts'

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom('<', '>', '"', "'", '&', '\r', '\n', '\0', '\u202E', '\u2028', ':', ' ', 'x', '\uD800'),
  }),
  fc.constantFrom(
    'x\r\nBcc: eve@evil.example',
    'x\n\n<script>alert(1)</script>',
    '=?utf-8?B?DQpCY2M6IGE=?=',
    '"><img src=//evil.example>',
    '</td></table><form action=//evil.example>',
    '\u202Egnp.exe',
    '-- \nPetstore',
    'a'.repeat(100),
  ),
)

const format = messageFormat(undefined)
const from = { name: 'Petstore', address: 'no-reply@petstore.example' }
const noticeWith = (kind: NoticeKind, label: string) =>
  noticeOf(kind, {
    at: new Date('2026-11-16T15:04:00Z'),
    device: 'Firefox on Windows',
    label,
    secureUrl: 'https://petstore.example/secure#q3fW0Yb1cN8kT5vR2mJ7xL4pZ9sD6hG0aE1uI8oC3yQ',
  })
const messageOf = (mail: Mail) =>
  format({
    id: 'mail_1@petstore.example',
    from,
    to: 'mia@shop.example',
    subject: mail.subject,
    text: mailText(mail),
    html: mailHtml(mail),
    headers: { 'Auto-Submitted': 'auto-generated' },
  })

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
/** The text of the cells, as a reader sees it; a tag inside of a value would split it. */
const cellsOf = (page: string) =>
  [...page.matchAll(/<td[^>]*>([^<]*)<\/td>/g)].map(([, text = '']) =>
    text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '').trim(),
  )

describe.each(noticeKinds)('%s', (kind) => {
  test('with any name has the same facts in text and HTML, and no markup, line or header of the name', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (label) => {
        const mail = noticeWith(kind, label)
        const raw = await messageOf(mail)
        const read = await PostalMime.parse(raw)
        const shown = oneLine(label).replaceAll(/\s+/g, ' ').trim()
        const cells = cellsOf(read.html ?? '').map((text) => text.replaceAll(/\s+/g, ' ').trim())
        expect(cells).toEqual(['Name', shown, 'Device', 'Firefox on Windows', 'When', '16 November 2026 at 15:04 UTC'])
        const line = (read.text ?? '').split('\n').find((one) => one.startsWith('Name:')) ?? ''
        expect(line.replaceAll(/\s+/g, ' ').trim()).toBe(`Name: ${shown}`.trim())
        expect(read.headers.map(({ key }) => key).toSorted()).toEqual(headerNames)
        expect(read.subject).toBe(mail.subject)
        expect((read.html ?? '').match(/<(script|img|form|iframe|link)\b/)).toBeNull()
        expect(raw.length).toBeLessThan(40_000)
      }),
      { numRuns: 100 },
    )
  })
})

const headerNames = ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to']

test('a template that does not escape is noticed (negative control)', () => {
  const page = mailHtml(noticeWith('passkey_added', 'Phone'))
  expect(cellsOf(page.replace('Phone', '<b>Phone</b>'))).not.toEqual(cellsOf(page))
  expect(cellsOf(page)[1]).toBe('Phone')
})
