// Corpus tests: run every fixture of the corpus on real nameservers and resolvers, and check
// the root cause and, verbatim, the advice that the owner reads. The advice is in a separate
// file for review; `npm run generate -- advice` generates it (`npm run experiment -- causes`
// prints the figures).

import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { alertsOf } from '../testbed/zones/alerts.ts'
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

/**
 * Where the owner must act: a cause of theirs blocks the domain, or a live one points elsewhere. A record that was not
 * created yet is remembered later, and a plan without domains stops only a domain that was live.
 */
function mustOwnerAct({ fixture: { known }, judgement }: Result): boolean {
  const [root] = judgement.troubles
  if (!root || root.actor !== 'owner') return false
  if (known?.isLive === true) return root.severity === 'blocks' || root.code === 'drift.pointed_away'
  return root.severity === 'blocks' && root.code !== 'dns.no_record' && known?.planAllows !== false
}

test('one alert is mailed exactly where the owner must act, in the words of the page', () => {
  const all = fixtures.map(resultOf)
  const alerted = all.map((result) => ({ result, ...alertsOf(result) }))
  const counts = alerted.map(({ result, mails }) => [
    result.fixture.says,
    mails.filter(({ kind }) => kind === 'domain_alert').length,
  ])
  expect(counts).toEqual(all.map((result) => [result.fixture.says, mustOwnerAct(result) ? 1 : 0]))
  const acting = alerted.flatMap(({ text, page }) => (text === null || page === null ? [] : [{ text, page }]))
  expect(acting.length).toBeGreaterThan(100)
  for (const { text, page } of acting) expect(text.split('\n')).toContain(page)
  // Negative control: the words of another fixture are not in it.
  expect(acting[0]?.text).not.toContain(acting.at(-1)?.page)
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
