import { describe, expect, test } from 'vitest'
import { costOf } from './attacks.ts'
import { expressionsOf } from './expressions.ts'
import { isFake, isTest, readSources } from './sources.ts'

/** Attacks on all expressions take a few seconds, and more on a busy machine. */
const PATIENCE = 180_000

const foreignText = new Map(
  [...readSources('ts')].filter(([file]) => /^(server|contract)\/src\//.test(file) && !isTest(file) && !isFake(file)),
)
const expressions = expressionsOf(foreignText)

/** Expressions that cost more than their input is long, and the length of what they ever meet. */
const bounded: readonly { file: string; text: string; lengthMax: number; because: string }[] = [
  {
    file: 'contract/src/client.ts',
    text: String.raw`/\/+$/`,
    lengthMax: 2048,
    because: 'the address that an integrator configures',
  },
  {
    file: 'server/src/accounts/sessions/device.ts',
    text: String.raw`/\bVersion\/[\d.]+ .*\bSafari\//`,
    lengthMax: 1000,
    because: 'READ_MAX',
  },
  { file: 'server/src/accounts/sign-in/password.io.ts', text: '/=+$/', lengthMax: 88, because: 'a digest in Base64' },
  {
    file: 'server/src/certificates/problems.ts',
    text: '/key authorization .*did not match/i',
    lengthMax: 200,
    because: 'DETAIL_MAX',
  },
  {
    file: 'server/src/foundation/acme/problem.ts',
    text: '/certificates .*already issued for|#new-certificates-per-registered-domain/i',
    lengthMax: 200,
    because: 'DETAIL_MAX',
  },
  {
    file: 'server/src/domains/observing/http-fingerprints.ts',
    text: String.raw`/<(script|style)\b[^>]*>.*?<\/\1\s*>/gis`,
    lengthMax: 4096,
    because: 'BODY_BYTES_MAX',
  },
  {
    file: 'server/src/domains/observing/http-fingerprints.ts',
    text: '/<!--.*?-->|<[^>]*>/gs',
    lengthMax: 4096,
    because: 'BODY_BYTES_MAX',
  },
  {
    file: 'server/src/foundation/postgres/migration-plan.ts',
    text: String.raw`/^petstore\/(\d+\.\d+\.\d+)\S* /`,
    lengthMax: 64,
    because: 'PostgreSQL cuts the names of applications',
  },
  {
    file: 'server/src/imports/spreadsheet/values.ts',
    text: String.raw`/[\s,:]*\b(?:am|on|le|el|op|in)?\s*\d[\d./\s-]*$/i`,
    lengthMax: 255,
    because: 'SHORT_LENGTH_MAX',
  },
  {
    file: 'server/src/plans/limits-page.ts',
    text: String.raw`/\B(?=(\d{3})+$)/g`,
    lengthMax: 20,
    because: 'a number of ours',
  },
  {
    file: 'server/src/sites/looks/style.ts',
    text: String.raw`/\s*([{};,])\s*/g`,
    lengthMax: 100,
    because: 'our style sheets: no space in them is longer',
  },
  { file: 'server/src/program/start.ts', text: '/[.-]+$/', lengthMax: 63, because: 'cut before' },
]

/** Made while the program runs, of text that is ours. */
const assembled = [
  'server/src/domains/naming/scripts.ts',
  'server/src/domains/naming/scripts.ts',
  'server/src/foundation/http/paths.ts',
  'server/src/foundation/processes/confined-process.io.ts',
  'server/src/program/request-kinds.ts',
]

const boundOf = (file: string, text: string) => bounded.find((one) => one.file === file && one.text === text)?.lengthMax

test('expressions are found, and the exceptions among them exist', () => {
  expect(expressions.length).toBeGreaterThan(600)
  expect(expressions.flatMap(({ file, source }) => (source === undefined ? [file] : []))).toEqual(assembled)
  const known = new Set(expressions.map(({ file, text }) => `${file} ${text}`))
  expect(bounded.filter(({ file, text }) => !known.has(`${file} ${text}`))).toEqual([])
})

test('no regular expression costs more than its input is long', { timeout: PATIENCE }, () => {
  const costly = expressions.flatMap(({ file, text, source, flags }) => {
    const attack = source === undefined ? undefined : costOf(source, flags, boundOf(file, text))
    return attack ? [{ file, text, attack }] : []
  })
  expect(costly).toEqual([])
})

describe('an expression is found (negative control) that', () => {
  test.each([
    ['is quadratic at its end', /\s+$/],
    ['looks ahead in vain from each position', /,(?!\S*:)/],
    ['waits for two words behind spaces', /\s+\S*$/],
    ['is quadratic in the middle', /^a([\d.,' ]*\d)\s*\s*([a-z]+)/i],
    ['is exponential', /^(?:a|b|ab)*$/],
  ])('%s', (_, expression) => {
    const { source, flags } = new RegExp(expression)
    expect(costOf(source, flags)).toBeDefined()
  })

  test.each([/^\s+/, /\s+/g, /\([^()]*\)/g, /(?<!\s)\s+$/])('is not linear, unlike %s', ({ source, flags }) =>
    expect(costOf(source, flags)).toBeUndefined(),
  )

  test('is as short as what it meets', () => {
    expect(costOf(String.raw`\s+$`, '', 200)).toBeUndefined()
    expect(costOf('^(a+)+$', '', 200)).toBeDefined()
  })
})

test('expressions are read wherever they are written (negative control)', () => {
  const parts = new Map([
    ['a.ts', 'const word = `[a-z]{1,${LENGTH_MAX - 1}}`; const one = new RegExp(`^${word}$`, "i")'],
    ['b.ts', 'export const LENGTH_MAX = 9; const schema = { pattern: "^\\\\d" + String.raw`\\s$` }; text.split(/a+/g)'],
    ['c.ts', 'const made = new RegExp(names.join("|"))'],
  ])
  expect(expressionsOf(parts).map(({ source, flags }) => [source, flags])).toEqual([
    ['^[a-z]{1,8}$', 'i'],
    [String.raw`^\d\s$`, 'u'],
    ['a+', 'g'],
    [undefined, ''],
  ])
})
