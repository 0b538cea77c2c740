// Markdown of owners: which elements it becomes, and that everything else stays text.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { endOfFormatting, faultOfMarks, marksOf, MARKS_MAX } from '@petstore-platform/contract/platform/markdown'
import { html } from '../../foundation/html.ts'
import { markdown, plainText } from './markdown.ts'
import { faultsOfHtml } from './well-formed.ts'

// White space between elements has no meaning.
const shown = (text: string) => html`${markdown(text)}`.text.replace(/(?<=>)\n|\n(?=<)/g, '')

test.each([
  ['One.\n\nTwo.', '<p>One.</p><p>Two.</p>'],
  ['One\nline', '<p>One\nline</p>'],
  ['### First\n### Next\n# Last', '<h3>First</h3><h3>Next</h3><h3>Last</h3>'],
  ['# Us\n### Old ones\n## Our cats', '<h3>Us</h3><h4>Old ones</h4><h4>Our cats</h4>'],
  ['# Us\n## Our cats\n### Old ones', '<h3>Us</h3><h4>Our cats</h4><h5>Old ones</h5>'],
  ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
  ['1. a\n2. b\nand more', '<ol><li>a</li><li>b\nand more</li></ol>'],
  ['- a\n  - b\n\n    c', '<ul><li>a<ul><li><p>b</p><p>c</p></li></ul></li></ul>'],
  ['> a\n> b', '<blockquote><p>a\nb</p></blockquote>'],
  ['a  \nb', '<p>a<br />b</p>'],
  ['`a < b`', '<p><code>a &lt; b</code></p>'],
  ['```\n<b>\n```', '<pre>&lt;b&gt;</pre>'],
  ['a\n\n---\n\nb', '<p>a</p><hr /><p>b</p>'],
  ['&amp; &copy;', '<p>&amp; ©</p>'],
  ['**bold** and *soft* and _soft_', '<p><strong>bold</strong> and <em>soft</em> and <em>soft</em></p>'],
  ['snake_case_name 2 * 3 * 4', '<p>snake_case_name 2 * 3 * 4</p>'],
  ['[us](https://a.example/?x=1&y)', '<p><a href="https://a.example/?x=1&amp;y" rel="nofollow">us</a></p>'],
  ['[write](mailto:us@a.example)', '<p><a href="mailto:us@a.example" rel="nofollow">write</a></p>'],
])('%j is rendered as %s', (text, expected) => {
  expect(shown(text)).toBe(expected)
})

test.each([
  '<script>alert(1)</script>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert)',
  '[x](data:text/html,hi)',
  '[x](//elsewhere.example)',
  '[x](/a/1)',
  '[x](vbscript:x)',
  '[x](https:elsewhere)',
  '![x](https://elsewhere.example/pixel.png)\u0000<img src=x>',
  '<a href="https://a.example">x</a>',
])('%j creates no element but a paragraph and a safe link', (text) => {
  expect(shown(text)).toMatch(/^<p>[^<>]*(<a href="https:\/\/[^"<>]*" rel="nofollow">[^<>]*<\/a>[^<>]*)?<\/p>$/)
  expect(shown(text)).not.toMatch(/<(script|img)|href="(?!https)/)
})

test('a quotation mark in an address does not end it', () => {
  expect(shown('[x](https://a.example/"onclick="alert)')).toBe(
    '<p><a href="https://a.example/%22onclick=%22alert" rel="nofollow">x</a></p>',
  )
})

const ELEMENTS = 'p h3 h4 h5 ul ol li blockquote pre code hr br strong em a'.split(' ')

const pieces = [
  '`',
  '```\n',
  '> ',
  '    ',
  '\\',
  '---',
  '!',
  '*',
  '**',
  '_',
  '[',
  ']',
  '(',
  ')',
  '](',
  '<',
  '>',
  '"',
  '# ',
  '- ',
  '1. ',
  '\n',
  'a',
  'http://',
  'javascript:',
  '&',
  ' ',
]

test('any text gives well-formed elements of a fixed set', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...pieces), maxLength: 60 }), (text) => {
      const result = shown(text)
      expect(faultsOfHtml(result)).toEqual([])
      for (const [, name] of result.matchAll(/<([a-z0-9]+)/g)) {
        expect(ELEMENTS).toContain(name)
      }
    }),
    { numRuns: 2000 },
  )
})

test.each(['*', '_', '[', '![[', '*a_ ', '**a', '[a](', '# ', '- ', '> ', '`', '<!-- '])(
  '20,000 characters of %j are parsed without delay',
  (piece) => {
    const before = process.threadCpuUsage()
    markdown(piece.repeat(20_000 / piece.length))
    expect(process.threadCpuUsage(before).user).toBeLessThan(500_000)
  },
)

const elementsIn = (text: string): number => shown(text).match(/<[a-z]/g)?.length ?? 0

test('every element has a mark that was counted', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...pieces, '+ ', '\t', '\r', 'https://a.b'), maxLength: 60 }),
      (text) => {
        // An item is a list and its item; a code block is an indentation.
        expect(elementsIn(text)).toBeLessThanOrEqual(2 * marksOf(text) + 2)
      },
    ),
    { numRuns: 2000 },
  )
})

describe('a text with too many marks', () => {
  test.each([
    ['a story of 2,500 items', '- a\n'.repeat(2500)],
    ['a text about a store of 5,000 items', '- a\n'.repeat(5000)],
    ['20,000 brackets', '!['.repeat(10_000)],
    ['emphasis', '*a* '.repeat(5000)],
    ['links', '[a](https://b.example) '.repeat(800)],
    ['quotations', '> '.repeat(9999)],
    ['code', '`a`'.repeat(6666)],
  ])('is not saved, and one that is stored is formatted up to there: %s', (_, text) => {
    expect(faultOfMarks('story', text)).toMatch(/^'story' must have at most 600 .*, and has \d+\. Write fewer /)
    expect(elementsIn(text)).toBeLessThanOrEqual(2 * MARKS_MAX + 3)
    const end = endOfFormatting(text) ?? 0
    expect(faultOfMarks('story', text.slice(0, end))).toBeUndefined()
    const rest = html`<p>${text.slice(end).trim()}</p>`.text
    expect(html`${markdown(text)}`.text).toContain(rest)
    expect(plainText(text).at(-1)).toBe(text.slice(end).replace(/\s+/g, ' ').trim())
  })

  test('is none that people write', () => {
    const page = [
      '# Who we are\n\n',
      'We have been looking after **old dogs** (and a few cats!) since 1998: see [our history](https://a.example/us).\n\n'.repeat(
        40,
      ),
      '## Opening hours\n\n',
      '- **Monday - Friday**: 10:00 to 18:00\n'.repeat(50),
      '\n> They all deserve a home.\n\n',
    ].join('')
    expect(faultOfMarks('about', page)).toBeUndefined()
    expect(
      faultOfMarks('about', 'A line of an email, wrapped where it is as wide as that.\n'.repeat(350)),
    ).toBeUndefined()
  })
})

test('an address that is defined once is not repeated without end', () => {
  const text = `[a]: https://b.example/${'x'.repeat(4000)}\n\n${'[a] '.repeat(250)}`
  expect(faultOfMarks('story', text)).toBeUndefined()
  expect(shown(text).length).toBeLessThan(30_000)
  expect(shown(text)).toMatch(/rel="nofollow">a<\/a> a a/)
})

test('a text is rendered once, as long as few others are rendered', () => {
  const text = 'Came to us in **spring**.'
  const made = markdown(text)
  expect(markdown(text)).toBe(made)
  for (let other = 0; other < 300; other += 1) markdown(`${other} ${'x'.repeat(9000)}`)
  expect(markdown(text)).not.toBe(made)
  expect(markdown(text)).toEqual(made)
})
