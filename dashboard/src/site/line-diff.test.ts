import fc from 'fast-check'
import { processorTime } from '@petstore-platform/contract/processor-time.fake'
import { describe, expect, test } from 'vitest'
import { lineDiff } from './line-diff.ts'

const marked = (before: string, after: string) =>
  lineDiff(before, after).map(({ kind, text }) => `${{ same: ' ', gone: '-', new: '+' }[kind]}${text}`)

describe('the lines of two texts', () => {
  test.each<[string, string, string, string[]]>([
    ['that are the same', 'a\nb', 'a\nb', [' a', ' b']],
    ['of which one is empty', '', 'a\nb', ['+a', '+b']],
    ['of which the other is empty', 'a', '', ['-a']],
    ['that are both empty', '', '', []],
    ['with a line changed in the middle', 'a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
    ['with a line added at the end', 'a', 'a\nb', [' a', '+b']],
    ['with a line added at the beginning', 'b', 'a\nb', ['+a', ' b']],
    ['with a line moved', 'a\nb\nc', 'b\nc\na', ['-a', ' b', ' c', '+a']],
    ['with lines added around one that stayed', 'b\nc', 'x\nb\ny\nc', ['+x', ' b', '+y', ' c']],
    ['that repeat themselves', 'a\na\na', 'a\na', [' a', ' a', '-a']],
    ['that end lines in two ways', 'a\r\nb', 'a\nb', [' a', ' b']],
  ])('%s', (_, before, after, lines) => {
    expect(marked(before, after)).toEqual(lines)
  })

  test('without what came are the old text, and without what went the new one', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ' ', 'long line'), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(text, text, (old, fresh) => {
        const lines = lineDiff(old.join('\n'), fresh.join('\n'))
        expect(lines.filter(({ kind }) => kind !== 'new').map((line) => line.text)).toEqual(old)
        expect(lines.filter(({ kind }) => kind !== 'gone').map((line) => line.text)).toEqual(fresh)
      }),
    )
  })

  test('of the longest texts that a site may have do not take long', () => {
    const lines = (first: number) =>
      Array.from({ length: 10_000 }, (_, index) => String((first + index) % 10)).join('\n')
    const diff = () => expect(lineDiff(lines(0), lines(5)).length).toBeGreaterThan(9999)
    expect(processorTime(diff, 2000, 1)).toBeLessThan(2000)
  })
})
