// HTML escaping: whatever people write stays text: no tag begins and no attribute ends in
// it.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Html, html } from './html.ts'

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', '/', '=', '`', ';', '#', 'x', ' ', '\0', '\uD800') }),
  fc.constantFrom('"><script>alert(1)</script>', "' onclick='x", '</title><b>', '&lt;', '&#60;', '-->', ']]>'),
)

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const decoded = (text: string) => text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')

test('any text creates no tag, ends no attribute, and is displayed as it was written', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const page = html`<p title="${text}">${text}</p>`.text
      const [, title, content] = /^<p title="([^"<>']*)">([^"<>']*)<\/p>$/s.exec(page) ?? []
      const shown = text.toWellFormed().replaceAll('\0', '\uFFFD')
      expect([decoded(title ?? '?'), decoded(content ?? '?')]).toEqual([shown, shown])
    }),
    { numRuns: 2000 },
  )
})

test('every ampersand begins one of our own entities', () => {
  fc.assert(fc.property(hostile, (text) => !/&(?!(amp|lt|gt|quot|#39);)/.test(html`${text}`.text)))
})

test('data for search engines says any text exactly, and none of it ends the element', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const [, json = ''] =
        /^<script type="application\/ld\+json">([^<>&]*)<\/script>$/.exec(Html.ofData({ text }).text) ?? []
      expect(JSON.parse(json)).toEqual({ text })
    }),
  )
})

test('an Html value is inserted unchanged, even in lists', () => {
  expect(
    html`<ul>
      ${['a', 'b<'].map((item) => html`<li>${item}</li>`)}
    </ul>`.text,
  ).toBe('<ul>\n<li>a</li><li>b&lt;</li>\n</ul>')
})

test('inserted text keeps its white space, and the template loses its indentation', () => {
  const list = html`<ul>
    ${[html`<li>${'a\n    b'}</li>`]}
  </ul>`
  expect(list.text).toBe('<ul>\n<li>a\n    b</li>\n</ul>')
})

test('ids keep all their digits, and absent values render as nothing', () => {
  expect(html`${9223372036854775807n}|${undefined}|${false}|${0}`.text).toBe('9223372036854775807|||0')
})
