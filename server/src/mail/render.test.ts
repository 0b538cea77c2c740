// Every kind of mail in every language: both renderings say the same, no text of people becomes
// markup, a header or a line of ours, and buttons lead to pages that exist.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { languages, type Language } from '@petstore-platform/contract/platform/site'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { mailSamples, SAMPLE_ORIGIN } from '../../../testbed/samples/mails.ts'
import { messageFormat } from '../foundation/smtp/relay.io.ts'
import { isMailKind, mailKinds } from '../program/mail-kinds.ts'
import { addressOf } from '../sites/pages/addresses.ts'
import { oneLine, type Block, type Mail } from './mail.ts'
import { mailHtml, mailText } from './render.ts'

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
    'a'.repeat(300),
  ),
)

const format = messageFormat(undefined)
const messageOf = (mail: Mail) =>
  format({
    id: 'mail_1@petstore.example',
    from: { name: 'Petstore', address: 'no-reply@petstore.example' },
    to: 'mia@shop.example',
    subject: mail.subject,
    text: mailText(mail),
    html: mailHtml(mail),
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
const headerNames = ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to']

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const unescaped = (text: string) => text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')
const squeezed = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const shown = (text: string) => squeezed(oneLine(text))

/** The text of each innermost element, as a reader sees it; a tag inside of a value would split it. */
const partsOf = (page: string, ...names: string[]) =>
  [
    ...page
      .replaceAll(/<\/?code\b[^>]*>/g, '')
      .matchAll(new RegExp(`<(${names.join('|')})\\b[^>]*>([^<]*)</\\1\\s*>`, 'g')),
  ].map(([, , text = '']) => squeezed(unescaped(text)))

const withoutCode = (text: string) => text.replaceAll(/`([^`]+)`/g, '$1')

/** What a block says, piece by piece. */
function saidBy(block: Block): string[] {
  if (block.kind === 'facts') return block.facts.flat()
  if (block.kind === 'records') return block.records.flatMap(({ name, type, value }) => [name, type, value])
  if (block.kind === 'advice') return [withoutCode(block.text)]
  return [block.text]
}
const linesOf = (block: Block): string[] => {
  if (block.kind === 'facts')
    return block.facts.map(([label, value]) => `${oneLine(label)}${label.endsWith('?') ? '' : ':'} ${oneLine(value)}`)
  if (block.kind === 'records')
    return block.records.map(({ name, type, value }) => [name, type, value].map(oneLine).join('  '))
  return block.kind === 'button' ? [`${oneLine(block.text)}:`, block.url] : [oneLine(block.text)]
}
const filled = (text: string) =>
  text
    .split('\n')
    .map(squeezed)
    .filter((line) => line !== '')

/** Both renderings have what the blocks say, in their order, and nothing else. */
function expectSame(mail: Mail, page: string, text: string): void {
  const said = mail.blocks.flatMap(saidBy).map(shown)
  expect(partsOf(page, 'h1', 'td', 'p', 'a').filter((part) => part !== '')).toEqual(
    [...said, ...(mail.turnOff ? [shown(mail.turnOff.text)] : [shown(mail.footer)])].filter(Boolean),
  )
  const last = ['--', mail.footer, ...(mail.turnOff ? [`${mail.turnOff.text}:`, mail.turnOff.url] : [])]
  expect(filled(text)).toEqual(filled([...mail.blocks.flatMap(linesOf), ...last.map(oneLine)].join('\n')))
  expect(page.match(/<(script|img|form|iframe|link|object|svg)\b/)).toBeNull()
}

test('a question is above its answer, and a short label beside its value', () => {
  const facts = [
    ['Phone', '+44 20 7946 0958'],
    ['Who lives with you: adults, children, other animals?', 'Two adults.'],
  ] as const
  const page = mailHtml({ language: 'en', subject: 'Rex', blocks: [{ kind: 'facts', facts }], footer: '' })
  const rows = page.split('<tr>').slice(1)
  expect(rows.map((row) => row.includes('colspan="2"'))).toEqual([false, true, true])
  expect(rows[1]).toContain(facts[1][0])
  expect(rows[2]).toContain(facts[1][1])
})

/** For each kind and language; the bar is 500. Making and parsing a message takes much longer than writing a mail. */
const STRINGS = Number(process.env['MAIL_STRINGS'] ?? 12)
const MESSAGES = Number(process.env['MAIL_STRINGS'] ?? 3)

const kinds = Object.keys(mailKinds).filter(isMailKind)

describe.each(kinds)('%s', (kind) => {
  const sample = mailSamples[kind]

  test('with any text says the same in text and HTML, and has no markup or line of the text', () => {
    for (const language of languages) {
      fc.assert(
        fc.property(hostile, (text) => {
          const mail = sample(language, text)
          expectSame(mail, mailHtml(mail), mailText(mail))
        }),
        { numRuns: STRINGS },
      )
    }
  })

  test('with any text has no header of the text, for a second parser', async () => {
    for (const language of languages) {
      await fc.assert(
        fc.asyncProperty(hostile, async (text) => {
          const mail = sample(language, text)
          const raw = await messageOf(mail)
          const read = await PostalMime.parse(raw)
          expect(read.headers.map(({ key }) => key).toSorted()).toEqual(headerNames)
          expect(squeezed(read.subject ?? '')).toBe(squeezed(mail.subject))
          expect(read.subject).not.toMatch(/[\r\n\u202A-\u202E]/)
          expect(mail.subject.length).toBeLessThan(200)
          expectSame(mail, read.html ?? '', read.text ?? '')
          expect(raw.length).toBeLessThan(40_000)
        }),
        { numRuns: MESSAGES, examples: [['=?utf-8?B?DQpCY2M6IGE=?=']] },
      )
    }
  })

  test('has buttons that lead to pages of the dashboard, or to those of a request on a site', async () => {
    const pages = await pagesOfDashboard()
    for (const { url } of mailSamples[kind]('en', 'Rex').blocks.filter((block) => block.kind === 'button')) {
      const { origin, pathname } = new URL(url)
      expect(origin).toBe(SAMPLE_ORIGIN)
      const isOfRequest = /^(confirmation|status)$/.test(addressOf(pathname)?.kind ?? '')
      expect([pathname, isOfRequest || pages.some((page) => page.test(pathname))]).toEqual([pathname, true])
    }
  })
})

/** From the routes of the dashboard, each with the path of its parent. */
async function pagesOfDashboard(): Promise<RegExp[]> {
  const router = await readFile(join(import.meta.dirname, '../../../dashboard/src/router.tsx'), 'utf8')
  const routes = [
    ...router.matchAll(/const (\w+) = createRoute\(\{\s*getParentRoute: \(\) => (\w+),\s*path: '([^']*)'/g),
  ]
  const paths = new Map<string, string>([['root', '']])
  for (const [, name = '', parent = '', path = ''] of routes) {
    paths.set(name, path === '/' ? (paths.get(parent) ?? '') : `${paths.get(parent)}/${path}`)
  }
  expect(paths.size).toBeGreaterThan(20)
  return [...paths.values()].map((path) => new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}$`))
}

test('a template that does not escape is noticed (negative control)', () => {
  const mail = mailSamples.passkey_added('en', 'Phone')
  const raw = mailHtml(mail).replace('Phone', '<b>Phone</b>')
  expect(() => expectSame(mail, raw, mailText(mail))).toThrow(/to deeply equal/)
  expectSame(mail, mailHtml(mail), mailText(mail))
})

test('no language shares a sentence with another: nothing was left untranslated', () => {
  const toOperators: readonly string[] = ['plan_requested', 'site_reported']
  for (const kind of kinds.filter((one) => !toOperators.includes(one))) {
    const sentences = (language: Language) => {
      const { blocks, footer } = mailSamples[kind](language, '')
      return [footer, ...blocks.flatMap((block) => ('text' in block ? [block.text] : []))]
    }
    const [own = [], ...others] = languages.map(sentences)
    for (const [at, sentence] of own.entries()) {
      // Advice about DNS is in English, like the page of the domain.
      if (sentence === '' || sentence.includes('It points to')) continue
      expect(new Set([sentence, ...others.map((texts) => texts[at])]).size, `${kind}: ${sentence}`).toBe(4)
    }
  }
})
