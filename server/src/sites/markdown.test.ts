// Markdown of owners: which elements it becomes, and that everything else stays text.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { html } from '../foundation/html.ts'
import { markdown } from './markdown.ts'
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
