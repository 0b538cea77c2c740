// The two files that people read: which causes there are and which test shows each,
// and what owners are told, word for word.

import { join } from 'node:path'
import { causeCodes, causes } from '../../server/src/domains/causes/causes.ts'
import type { Fixture } from './fixture.ts'
import type { Result } from './run.ts'

const root = join(import.meta.dirname, '../..')
export const CAUSES_FILE = join(root, 'docs/domain-causes.md')
export const ADVICE_FILE = join(import.meta.dirname, 'advice.txt')

export function printCauses(corpus: Readonly<Record<string, readonly Fixture[]>>): string {
  const all = Object.values(corpus).flat()
  const rows = causeCodes.map((code) => {
    const { severity, actor, text } = causes[code]
    const tests = all.filter(({ cause, also = [] }) => cause === code || also.includes(code)).map(({ says }) => says)
    return `| \`${code}\` | ${severity} | ${actor.replace('_', ' ')} | ${cell(text)} | ${cell(tests.join('; ')) || '–'} |`
  })
  const shown = causeCodes.filter((code) => all.some(({ cause }) => cause === code)).length
  return [
    '# Causes of trouble with a domain',
    '',
    'Printed by `npm run causes -- --write` from the table of causes and the corpus of zones; do not edit.',
    '',
    `${causeCodes.length} causes, ${shown} of them brought about as root cause by ${all.length} fixtures on real nameservers, each a test of that name in \`e2e/causes.test.ts\`. A cause without a test belongs to certificates or to serving, or is covered by pure tests alone.`,
    '',
    '| code | severity | who acts | what people read | shown by |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

/** One paragraph per fixture: the sentence, the cause, and what the owner reads. */
export const printAdvice = (results: readonly Result[]): string =>
  results
    .map(({ fixture, found, advice }) => `${fixture.says}\n  ${found ?? 'nothing is wrong'}\n  ${advice ?? '–'}\n`)
    .join('\n')

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
