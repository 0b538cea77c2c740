// Words that no text for people contains; each has a plainer one next to it.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

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
