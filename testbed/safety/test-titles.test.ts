import { expect, test } from 'vitest'
import { testsIn, testsInTree } from './test-titles.ts'

const titlesIn = (text: string) => testsIn(text).map(([title]) => title)

test('titles are read with those of the blocks around them, however the call is written', () => {
  const text = `
describe('a shop', () => {
  test('opens', () => {})
  test.each([
    ['a', (b) => b('c')],
  ])(
    'sells %s, and "more"',
    () => {},
  )
  describe.each(days)('on %s', () => {
    test.concurrent(\`has \${COUNT} animals\`, async () => {})
  })
  test.each<[what: string, says: (a: string) => void]>([['x']])('is %s', () => {})
})
test.for(['a', 'b'] as const)("it's %s", () => {})
it('isn\\'t', () => {})
`
  expect(titlesIn(text)).toEqual([
    'a shop',
    'a shop › opens',
    'a shop › sells %s, and "more"',
    'a shop › on %s',
    'a shop › on %s › has ${COUNT} animals',
    'a shop › is %s',
    "it's %s",
    "isn't",
  ])
})

test('a test of each entry of an object has the titles of its keys', () => {
  const text = `
const rules = {
  'imports point left': left,
  files: { a: 'b' },
} satisfies Record<string, Rule>

test.each(Object.entries(rules))('%s', () => {})
`
  expect(titlesIn(text)).toEqual(['imports point left', 'files'])
})

test('a safety line has its title, and a file that is not there has none', () => {
  const testsOf = testsInTree()
  expect([...testsOf('testbed/safety/lines/asvs.ts').keys()]).toEqual([
    'Every requirement of ASVS level 1 names a test, a document or a reason',
  ])
  expect(testsOf('testbed/safety/nothing.test.ts').size).toBe(0)
})
