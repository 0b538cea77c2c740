import { expect, test } from 'vitest'
import { isAdmitted, missingIn, noticeText } from './notice.ts'

const one = { name: 'a', version: '1.0.0', licence: 'MIT', text: 'Copyright A' }
const two = { name: '@b/c', version: '2.0.0', licence: '(BSD-3-Clause OR GPL-2.0)', text: 'Copyright A' }

test('every package is listed with its licence, and a text that packages share occurs once', () => {
  const text = noticeText([{ title: 'Packages', packages: [one, two] }])
  expect(text).toContain('a 1.0.0 (MIT)\n@b/c 2.0.0 ((BSD-3-Clause OR GPL-2.0))\n\nCopyright A\n')
  expect(missingIn(text, [one, two])).toEqual([])
})

test('a package that is not listed is noticed (negative control)', () => {
  expect(missingIn(noticeText([{ title: 'Packages', packages: [one] }]), [one, two])).toEqual(['@b/c 2.0.0'])
})

test('LGPL is admitted, for libvips', () => {
  expect(isAdmitted('Apache-2.0 AND LGPL-3.0-or-later AND MIT')).toBe(true)
})

test.each(['GPL-3.0', 'AGPL-3.0-only', 'MIT AND GPL-2.0', 'SEE LICENSE IN x', undefined])(
  '%s stops the release (negative control)',
  (licence) => {
    expect(() => noticeText([{ title: 'Packages', packages: [{ ...one, licence }] }])).toThrow('a 1.0.0')
  },
)
