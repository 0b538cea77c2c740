import { expect, test } from 'vitest'
import { plainText } from './markdown.ts'
import { beginningOf, linesLeft } from './print-story.ts'

const little = { name: 'Mimi', headline: '', facts: ['Siamese'], checks: 0, note: '' }

test('the more stands on the sheet, the less of a story fits', () => {
  const all = {
    name: 'M'.repeat(60),
    headline: 'x'.repeat(120),
    facts: Array(10).fill('x'.repeat(80)),
    checks: 8,
    note: 'x'.repeat(200),
  }
  expect(linesLeft(little)).toBeGreaterThan(9)
  expect(linesLeft(all)).toBe(0)
  for (const [part, value] of Object.entries(all))
    expect(linesLeft({ ...little, [part]: value })).toBeLessThan(linesLeft(little))
  // Letters that are twice as wide take twice as many lines.
  expect(linesLeft({ ...little, name: '犬'.repeat(20) })).toBeLessThan(linesLeft({ ...little, name: 'i'.repeat(20) }))
})

test('a story that fits is whole, and a longer one ends after a word', () => {
  const short = ['One paragraph.', 'And another.']
  expect(beginningOf(short, 5)).toEqual(short)
  const long = 'The quick brown fox jumps over the lazy dog, again and again. '.repeat(30).trim()
  const [cut = ''] = beginningOf([long, 'Not this.'], 3)
  expect(beginningOf([long, 'Not this.'], 3)).toHaveLength(1)
  expect(cut).toMatch(/[a-z] …$/)
  expect(long.startsWith(cut.slice(0, -2))).toBe(true)
  expect(long.at(cut.length - 2)).toMatch(/[ .,]/)
  expect(cut.length).toBeLessThan(3 * 88)
  expect(cut.length).toBeGreaterThan(2 * 88)
})

test('nothing of a story is shown where nothing fits', () => {
  expect(beginningOf(['A story.'], 0)).toEqual([])
  expect(beginningOf([], 5)).toEqual([])
})

test('a text without a space is cut as well', () => {
  const [cut = ''] = beginningOf(['x'.repeat(10_000)], 2)
  expect(cut.length).toBeLessThan(2 * 88)
  expect(cut.endsWith('x …')).toBe(true)
})

test('paper shows no marks of Markdown', () => {
  expect(
    plainText(
      '# Mimi\n\nCame in **spring**,\nwith [friends](https://x.example).\n\n- calm\n- *curious*\n\n> shy\n\n    code',
    ),
  ).toEqual(['Mimi', 'Came in spring, with friends.', '• calm', '• curious', 'shy', 'code'])
  expect(plainText('<b>not bold</b> & ![a picture](x)')).toEqual(['<b>not bold</b> & ![a picture](x)'])
})
