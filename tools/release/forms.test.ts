import { expect, test } from 'vitest'
import { chooseForms } from './forms.ts'

const all = ['npm', 'linux-x64', 'linux-arm64', 'image']

test('all forms are built, and without buildah all but the image, which is said by name', () => {
  expect(chooseForms(all, [], true)).toEqual({ chosen: all })
  expect(chooseForms(all, [], false)).toEqual({
    chosen: ['npm', 'linux-x64', 'linux-arm64'],
    leftOut: expect.stringContaining('"image" is left out') as string,
  })
  expect(chooseForms(all, ['npm'], false)).toEqual({ chosen: ['npm'] })
})

test('an image that is asked for by name is not left out, and a form that is none is rejected (negative control)', () => {
  expect(() => chooseForms(all, ['npm', 'image'], false)).toThrow('apt-get install --no-install-recommends buildah')
  expect(() => chooseForms(all, ['windows'], true)).toThrow('There is no form "windows"')
})
