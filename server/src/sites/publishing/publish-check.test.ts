// The publish check: its reports and exceptions become messages for people, and it runs
// with hostile animals.

import { firstSettings } from '@petstore-platform/contract/platform/site'
import { describe, expect, test } from 'vitest'
import {
  contentJson,
  digestOf,
  readContent,
  type CheckSite,
  type PresentedAnimal,
  type SiteContent,
} from './content.ts'
import { hostileAnimals, hostileNames } from './hostile-animals.ts'
import { problemsOf, reasonOf } from './publish-check.ts'

const content: SiteContent = {
  settings: { ...firstSettings('Happy Paws'), hiddenCategories: [9223372036854775807n] },
  categories: [{ id: 9007199254740993n, name: 'Cats' }],
  logo: null,
}
const rex: PresentedAnimal = { id: 1n, name: 'Rex', categoryId: 9007199254740993n, status: 'available' }

const faultWith = (check: CheckSite, animals: PresentedAnimal[] = []) =>
  reasonOf(new Set([...problemsOf(check, content, animals)].flat()))

describe('the publish check', () => {
  test('runs with the animals of the store, and with hostile ones', () => {
    const checked: (readonly PresentedAnimal[])[] = []
    expect(faultWith((_, animals) => (checked.push(animals), []), [rex])).toBeUndefined()
    expect(checked).toEqual([[rex], hostileAnimals(content)])
  })

  test('returns what the site check reports, each problem once', () => {
    expect(faultWith(() => [['The title is missing.'], [], ['A link is dead.']])).toBe(
      'The title is missing.\nA link is dead.',
    )
  })

  test('renders a page only when its problems are taken', () => {
    const rendered: number[] = []
    function* check() {
      for (const page of [1, 2]) {
        rendered.push(page)
        yield []
      }
    }
    const problems = problemsOf(check, content, [rex])
    problems.next()
    expect(rendered).toEqual([1])
  })

  test('returns what the site check throws, in words for people', () => {
    const thrower = (problem: unknown) => () => {
      throw problem
    }
    expect(faultWith(thrower(new TypeError('no such colour')))).toBe('The page could not be made: no such colour')
    expect(faultWith(thrower('out of paper'))).toBe('The page could not be made: out of paper')
  })

  test('stays short, and contains nothing that cannot be stored', () => {
    const fault = faultWith(() => [Array.from({ length: 50 }, (_, n) => `${n}\0\uD800${'x'.repeat(5000)}`)])
    expect(fault?.length).toBeLessThanOrEqual(10 * 301)
    expect(fault?.isWellFormed()).toBe(true)
    expect(fault).not.toContain('\0')
  })
})

test('hostile animals are ones that could be entered: names of 1 to 255 characters, in every state', () => {
  const animals = hostileAnimals(content)
  expect(new Set(animals.map(({ id }) => id)).size).toBe(hostileNames.length)
  expect(new Set(animals.map(({ status }) => status))).toEqual(new Set(['available', 'pending', 'sold']))
  expect(animals.map(({ categoryId }) => categoryId)).toEqual(
    expect.arrayContaining([9007199254740993n, 9223372036854775807n, -9223372036854775808n]),
  )
  for (const { name } of animals) {
    expect(Array.from(name).length, `of ${name}`).toBeLessThanOrEqual(255)
    expect(name).toMatch(/^(?=.*\S)[^\p{Cc}]*$/su)
  }
})

test('content is read back as it was written, and its digest identifies it', () => {
  const json = contentJson(content)
  expect(readContent(json)).toEqual(content)
  const { title, ...rest } = content.settings
  expect(digestOf(contentJson({ ...content, settings: { ...rest, title } }))).toBe(digestOf(json))
  expect(digestOf(contentJson({ ...content, logo: 'a'.repeat(64) }))).not.toBe(digestOf(json))
})

test('the default title of a site is never cut through the middle of a character', () => {
  const { title } = firstSettings(`x${'🐱'.repeat(200)}`)
  expect(title.isWellFormed()).toBe(true)
  expect(Array.from(title)).toHaveLength(100)
})
