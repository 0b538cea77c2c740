// Lists of avoided words: in user-facing texts each has a plainer one next to it; in comments
// vague actors and literary words are counted per 10,000 words.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSources } from './architecture/sources.ts'

const root = join(import.meta.dirname, '..')
const texts = [
  'dashboard/src/texts/**/*.ts',
  'server/src/sites/strings/*.ts',
  'server/src/domains/causes/*.ts',
  'server/src/commands/*.ts',
  'contract/src/errors.ts',
]

const avoided: readonly (readonly [RegExp, instead: string])[] = [
  [/\banew\b/i, 'again'],
  [/\bwhoever\b(?! (manages|sent)\b)/i, 'the role: owner, visitor, client'],
  [/\bby (it|them|our)sel(f|ves)\b/i, 'automatically'],
  [/\bany more\b/i, 'no longer'],
  [/\bgo(es)? on\b/i, 'continue'],
  [/\bmend(s|ed)?\b/i, 'fix'],
]

/** What is avoided and occurs in a source file outside its comments, with its line. */
function foundIn(source: string): string[] {
  const withoutComments = source
    .replace(/\/\*[^]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ''))
    .replace(/^\s*\/\/.*$/gm, '')
  return withoutComments
    .split('\n')
    .flatMap((line, index) =>
      avoided.flatMap(([word, instead]) =>
        word.test(line) ? [`${index + 1}: '${word.exec(line)?.[0]}', say '${instead}'`] : [],
      ),
    )
}

const files = texts.flatMap((pattern) => globSync(pattern, { cwd: root })).filter((file) => !file.endsWith('.test.ts'))

test('there are texts to read', () => {
  expect(files.length).toBeGreaterThan(25)
})

test.each(files)('%s uses plain words', (file) => {
  expect(foundIn(readFileSync(join(root, file), 'utf8'))).toEqual([])
})

test('an avoided word is found in a text, and only there (negative control)', () => {
  const source = [
    '// Whoever reads this may go on.',
    "const share = 'Share with whoever manages the DNS, or whoever sent the link'",
    "const next = 'We go on by ourselves.'",
    '/* anew,',
    '   anew */',
    "const gone = 'Whoever has it cannot use it any more.'",
  ].join('\n')
  expect(foundIn(source).map((line) => line.replace(/, say.*/, ''))).toEqual([
    "3: 'by ourselves'",
    "3: 'go on'",
    "6: 'Whoever'",
    "6: 'any more'",
  ])
})

const vague = /\b(nobody|whoever|somebody|told|anew|by itself)\b/gi
const VAGUE_MAX = 5

/** The comments of a source file, without strings that contain `//`. */
const commentsOf = (source: string): string => (source.match(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm) ?? []).join('\n')

function vaguePerTenThousand(sources: readonly string[]): number {
  const comments = sources.map(commentsOf).join('\n')
  const words = comments.match(/[a-z][\w'-]*/gi)?.length ?? 0
  return ((comments.match(vague)?.length ?? 0) / words) * 10_000
}

test(`comments name the actor: at most ${VAGUE_MAX} vague words in 10,000`, () => {
  const sources = new Map(readSources())
  // Its lists are the words themselves.
  sources.delete('tools/words.test.ts')
  expect(sources.size).toBeGreaterThan(1000)
  expect(vaguePerTenThousand([...sources.values()])).toBeLessThan(VAGUE_MAX)
})

test('a vague word is counted in a comment, and only there (negative control)', () => {
  expect(vaguePerTenThousand(["// Nobody is told.\nconst told = 'whoever'"])).toBeCloseTo(6667, 0)
  expect(vaguePerTenThousand(["// The owner is notified.\nconst told = 'whoever'"])).toBe(0)
})
