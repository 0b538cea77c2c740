// CAA rules compared with a second implementation of the RFCs: a parser that goes character
// by character, and a climb that starts at the top.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { caaDecisions, caaVerdict, readIssue, type CaaLevel, type CaaRecord, type CaaSet } from './caa.ts'
import { letsEncrypt } from '../../../../testbed/evidence/evidence.ts'
import { caa } from '../../../../testbed/evidence/zone-evidence.ts'

type Rung = { kind: 'failed' | 'unknown' } | { kind: 'seen'; sets: readonly CaaSet[] }

const issue = (...values: string[]) => values.map((value) => caa('a.example', 'issue', value))
const verdict = (records: readonly CaaRecord[], isWildcard = false) => caaVerdict(records, letsEncrypt, isWildcard)
const allowed = { kind: 'allowed', methods: ['http-01'] }

describe('the value of an issue record', () => {
  test.each([
    ['letsencrypt.org', 'letsencrypt.org', []],
    ['  LetsEncrypt.ORG\t', 'letsencrypt.org', []],
    ['letsencrypt.org;', 'letsencrypt.org', []],
    ['letsencrypt.org ; ', 'letsencrypt.org', []],
    ['ca.example; a=b', 'ca.example', ['a=b']],
    ['ca.example;a = b ; c=', 'ca.example', ['a=b', 'c=']],
    ['ca.example; uri=https://a.example/?b=c', 'ca.example', ['uri=https://a.example/?b=c']],
    ['ca--1.example', 'ca--1.example', []],
  ])('"%s" allows %s', (value, issuer, parameters) => {
    const grant = readIssue(value)
    expect(grant?.issuer).toBe(issuer)
    expect(grant?.parameters.map((parameter) => `${parameter.tag}=${parameter.value}`)).toEqual(parameters)
  })

  test.each([
    '',
    ' ',
    ';',
    ' ; ',
    '; a=b',
    '%%%%%',
    '-ca.example',
    'ca-.example',
    'ca..example',
    'ca.example.',
    'ca.example a=b',
    'ca.example; a',
    'ca.example; a=b;',
    'ca.example;; a=b',
    'ca.example; a b=c',
    'ca.example; a=b c',
    'ca.example; -a=b',
    'ca.example; a_b=c',
    'ca.example; a=é',
    'ça.example',
    'ca.example\n',
    'ca.example; a=b\u0000',
  ])('"%s" allows no authority', (value) => {
    expect(readIssue(value)).toBeNull()
  })

  test('is parsed as the character-by-character parser parses it, for any text', () => {
    const piece = fc.constantFrom('ca', '.', '-', 'x1', ';', '=', ' ', '\t', 'accounturi', 'é', 'A', '"', ',')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        expect(readIssue(pieces.join(''))).toEqual(readSlowly(pieces.join('')))
      }),
      { numRuns: 5000 },
    )
  })
})

describe('the verdict on an authority', () => {
  test('is unrestricted without records, and with records that are not about issuing', () => {
    expect(verdict([])).toEqual(allowed)
    const rows = [caa('a.example', 'iodef', 'mailto:a@a.example'), caa('a.example', 'contactemail', 'a@a.example')]
    expect(verdict(rows)).toEqual(allowed)
  })

  test('allows us if one record names us, next to others and next to one that allows no authority', () => {
    expect(verdict(issue('digicert.com', ';', 'letsencrypt.org'))).toEqual(allowed)
    expect(verdict([caa('a.example', 'ISSUE', 'LETSENCRYPT.ORG')])).toEqual(allowed)
  })

  test('excludes us if records name only others, and excludes all if they name none', () => {
    expect(verdict(issue('digicert.com', ';'))).toEqual({ kind: 'others_only', issuers: ['digicert.com'] })
    expect(verdict(issue(';', '%%%'))).toEqual({ kind: 'deny_all' })
    expect(verdict(issue('evil-letsencrypt.org'))).toMatchObject({ kind: 'others_only' })
  })

  test('forbids on a critical record with an unknown tag, whatever the other records are', () => {
    const critical = (flags: number, tag = 'tbs') =>
      verdict([...issue('letsencrypt.org'), caa('a.example', tag, 'x', flags)])
    expect(critical(128)).toEqual({ kind: 'critical_unknown', tag: 'tbs' })
    expect(critical(1)).toEqual({ kind: 'critical_unknown', tag: 'tbs' })
    expect(critical(0)).toEqual(allowed)
    expect(critical(2)).toEqual(allowed)
    expect(critical(128, 'IODEF')).toEqual(allowed)
    expect(critical(128, 'contactemail')).toMatchObject({ kind: 'critical_unknown' })
  })

  test('uses issuewild for wildcards only, and issue where there is no issuewild', () => {
    const wild = caa('a.example', 'issuewild', ';')
    expect(verdict([wild])).toEqual(allowed)
    expect(verdict([wild, ...issue('letsencrypt.org')], true)).toEqual({ kind: 'deny_all' })
    expect(verdict(issue('digicert.com'), true)).toMatchObject({ kind: 'others_only' })
    const forUs = caa('a.example', 'issuewild', 'letsencrypt.org')
    expect(verdict([forUs, ...issue('digicert.com')], true)).toEqual(allowed)
  })

  test('does not count a record for another account', () => {
    const bound = (uri: string) => verdict(issue(`letsencrypt.org; accounturi=${uri}`))
    expect(bound('https://acme.example/acct/1')).toEqual(allowed)
    expect(bound('https://acme.example/acct/10')).toEqual({ kind: 'account_bound' })
    expect(bound('https://acme.example/acct/1; accounturi=https://acme.example/acct/1')).toEqual({
      kind: 'account_bound',
    })
    expect(bound('')).toEqual({ kind: 'account_bound' })
    const withoutAccount = caaVerdict(issue('letsencrypt.org; accounturi='), { ...letsEncrypt, accountUri: null })
    expect(withoutAccount).toEqual({ kind: 'account_bound' })
  })

  test('does not count a record for other methods', () => {
    const bound = (list: string) => verdict(issue(`letsencrypt.org; validationmethods=${list}`))
    expect(bound('dns-01,http-01')).toEqual(allowed)
    expect(bound('dns-01,tls-alpn-01')).toEqual({ kind: 'method_bound', methods: ['dns-01', 'tls-alpn-01'] })
    expect(bound('http-01,')).toEqual({ kind: 'method_bound', methods: [] })
    expect(bound('')).toEqual({ kind: 'method_bound', methods: [] })
    const two = { ...letsEncrypt, methods: ['http-01', 'tls-alpn-01'] }
    const one = issue('letsencrypt.org; validationmethods=tls-alpn-01')
    expect(caaVerdict(one, two)).toEqual({ kind: 'allowed', methods: ['tls-alpn-01'] })
  })

  test('is never withdrawn by further records, unless they are critical', () => {
    const line = fc.constantFrom(...issue(';', 'digicert.com', 'letsencrypt.org', 'letsencrypt.org; accounturi=x', '%'))
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        expect(verdict([...lines, ...issue('letsencrypt.org')])).toEqual(allowed)
      }),
    )
  })
})

describe('the climb', () => {
  const set = (at: string) => ({ at, records: issue(at) })
  const empty = { at: '', records: [] }
  const seen = (...sets: CaaSet[]): Rung => ({ kind: 'seen', sets })
  const rung = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(seen(empty), seen()) },
    { weight: 1, arbitrary: fc.constantFrom<Rung>({ kind: 'failed' }, { kind: 'unknown' }) },
    { weight: 2, arbitrary: fc.constantFrom(seen(set('a')), seen(set('b'), set('c')), seen(set('d'), empty)) },
  )
  const climbs = fc
    .array(rung, { maxLength: 6 })
    .map((rungs) => rungs.map((one, index): CaaLevel => ({ name: `level${index}`, ...one })))

  test('finds what a climb that starts at the top finds', () => {
    fc.assert(
      fc.property(climbs, (levels) => {
        const found = caaDecisions(levels).map((decision) => ('at' in decision ? decision.at : decision.kind))
        expect(found).toEqual(fromTheTop(levels))
      }),
      { numRuns: 2000 },
    )
  })

  test('always ends in a decision', () => {
    fc.assert(fc.property(climbs, (levels) => caaDecisions(levels).length > 0))
  })
})

/** The decision from here on is the one above, unless this level has its own set. */
function fromTheTop(levels: readonly CaaLevel[]): string[] {
  return levels.toReversed().reduce<string[]>(
    (above, level) => {
      if (level.kind !== 'seen') return [level.name]
      const own = level.sets.filter(({ records }) => records.length > 0).map(({ at }) => at)
      const isPassed = level.sets.length === 0 || level.sets.some(({ records }) => records.length === 0)
      return isPassed ? [...own, ...above] : own
    },
    ['free'],
  )
}

/** RFC 8659, 4.2, as a state machine without backtracking. */
function readSlowly(text: string) {
  let index = 0
  const isWord = (letter = '') => /^[a-z0-9]$/i.test(letter)
  const skip = () => {
    while (text[index] === ' ' || text[index] === '\t') index += 1
  }
  const word = () => {
    const start = index
    while (isWord(text[index]) || text[index] === '-') index += 1
    const found = text.slice(start, index)
    return found !== '' && isWord(found[0]) && isWord(found.at(-1)) ? found.toLowerCase() : null
  }
  skip()
  const labels: string[] = []
  while (index < text.length && text[index] !== ';' && text[index] !== ' ' && text[index] !== '\t') {
    const label = word()
    if (label === null) return null
    labels.push(label)
    if (text[index] !== '.') break
    index += 1
    if (index >= text.length) return null
    if (!isWord(text[index])) return null
  }
  skip()
  const parameters: { tag: string; value: string }[] = []
  if (index < text.length) {
    if (text[index] !== ';') return null
    index += 1
    skip()
    while (index < text.length) {
      const tag = word()
      skip()
      if (tag === null || text[index] !== '=') return null
      index += 1
      skip()
      const start = index
      while (index < text.length && text[index] !== ';' && /^[!-~]$/.test(text[index] ?? '')) index += 1
      parameters.push({ tag, value: text.slice(start, index) })
      skip()
      if (index >= text.length) break
      if (text[index] !== ';') return null
      index += 1
      skip()
      if (index >= text.length) return null
    }
  }
  return labels.length === 0 ? null : { issuer: labels.join('.'), parameters }
}
