// Corpus tests: run every fixture of the corpus on real nameservers and resolvers, and check
// the root cause and, verbatim, the advice that the owner reads. The advice is in a separate
// file for review; `npm run generate -- advice` generates it (`npm run experiment -- causes`
// prints the figures).

import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { corpus } from '../testbed/zones/corpus.ts'
import type { Fixture } from '../testbed/zones/fixture.ts'
import { ADVICE_FILE, CAUSES_FILE, printAdvice, printCauses } from '../testbed/zones/print.ts'
import { isRight, runCorpus, type Result } from '../testbed/zones/run.ts'

const fixtures: readonly Fixture[] = Object.values(corpus).flat()
let results: ReadonlyMap<Fixture, Result>

beforeAll(async () => {
  results = new Map((await runCorpus(fixtures, { again: 2 })).map((result) => [result.fixture, result]))
}, 120_000)

const resultOf = (fixture: Fixture): Result => {
  const result = results.get(fixture)
  if (!result) throw new Error(`${fixture.hostname} was not checked`)
  return result
}

describe('the root cause is reported first', () => {
  test.each(fixtures.map((fixture) => [fixture.says, fixture] as const))('%s', (_, fixture) => {
    const result = resultOf(fixture)
    const seen = result.judgement.troubles.map(({ code }) => code)
    expect({ right: isRight(result), first: result.found, seen }).toEqual({ right: true, first: fixture.cause, seen })
  })
})

test('the advice to owners is exactly the reviewed text', () => {
  expect(printAdvice(fixtures.map(resultOf))).toBe(readFileSync(ADVICE_FILE, 'utf8'))
})

test('the generated list of causes matches the corpus', () => {
  expect(readFileSync(CAUSES_FILE, 'utf8')).toBe(printCauses(corpus))
})

test('the corpus produces at least 60 causes on real servers', () => {
  expect(new Set(fixtures.flatMap(({ cause }) => cause ?? [])).size).toBeGreaterThanOrEqual(60)
})

test('fixture names are unique, so that each fixture is a separate test', () => {
  expect(new Set(fixtures.map(({ says }) => says)).size).toBe(fixtures.length)
})

test('a check with an unexpected cause fails (negative control)', () => {
  const [first] = fixtures
  if (!first) throw new Error('the corpus is empty')
  const result = resultOf(first)
  const other = first.cause === 'dns.no_record' ? 'dns.conflict_a' : 'dns.no_record'
  expect(isRight(result)).toBe(true)
  expect(isRight({ ...result, fixture: { ...first, cause: other } })).toBe(false)
  expect(isRight({ ...result, fixture: { ...first, also: ['caa.blocked'] } })).toBe(false)
})
