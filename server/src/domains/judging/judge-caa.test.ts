// CAA as owners read it: each cause with its full text, and the record to add.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Lookup } from '../../foundation/dns/answer.ts'
import { answer, letsEncrypt } from '../../../../testbed/evidence/evidence.ts'
import { allowedAuthorities, caaAdvice, caaTroubles } from './judge-caa.ts'
import type { Scene } from './scene.ts'
import {
  bothAuthorities,
  caa,
  cname,
  failure,
  lookup,
  records,
  sceneWith,
  silence,
  targetAllows,
} from '../../../../testbed/evidence/zone-evidence.ts'

const apex = 'happypaws.example'
const www = `www.${apex}`
const target = 'happy-paws.petstore.example'
const ours = 'letsencrypt.org'

const ofApex = (...lines: string[]) => ({
  hostname: apex,
  records: [`${apex} A 192.0.2.10`, ...lines.map((line) => `${apex} CAA ${line}`)],
})
const reported = (scene: Scene) => caaTroubles(scene).map(({ code, advice }) => [code, advice])
const probed = { address: '203.0.113.7', url: '', outcome: { kind: 'ours' }, hops: [], ms: 1 } as const

describe('a CAA cause', () => {
  test.each([
    [
      'caa.blocked',
      ['0 issue "digicert.com"', '0 issue "pki.goog"'],
      'A CAA record on happypaws.example allows certificates only from digicert.com and pki.goog. Add one more: Type CAA, Name @, Flag 0, Tag issue, Value letsencrypt.org. Leave the others as they are.',
    ],
    [
      'caa.blocked_by_deny_all',
      ['0 issue ";"'],
      'A CAA record on happypaws.example forbids every certificate, so the site cannot be secure. Add one more: Type CAA, Name @, Flag 0, Tag issue, Value letsencrypt.org.',
    ],
    [
      'caa.account_bound',
      ['0 issue "letsencrypt.org; accounturi=https://acme.example/acct/2"'],
      "Your CAA record on happypaws.example restricts Let's Encrypt to another account. Add one more: Type CAA, Name @, Flag 0, Tag issue, Value letsencrypt.org; accounturi=https://acme.example/acct/1. Or remove `accounturi=…` from the record.",
    ],
    [
      'caa.method_bound',
      ['0 issue "letsencrypt.org; validationmethods=dns-01"'],
      'Your CAA record on happypaws.example lets letsencrypt.org check the domain only by dns-01; we use http-01. Remove `validationmethods=…` from the record, or add http-01 to it.',
    ],
    [
      'caa.critical_unknown',
      ['128 tbs "unknown"', '0 issue "letsencrypt.org"'],
      "The CAA record `tbs` on happypaws.example is marked as critical, and Let's Encrypt does not know it, so it must refuse. Set the flag of that record to 0, or delete it.",
    ],
  ])('%s has its text', (code, lines, advice) => {
    const scene = sceneWith(ofApex(...lines))
    expect(reported(scene)).toEqual([[code, advice]])
    expect(allowedAuthorities(scene)).toEqual([])
  })

  test('follows the wildcard records for a wildcard name, from the name below the star upward', () => {
    const wild = { ...ofApex('0 issuewild "digicert.com"'), hostname: '*.happypaws.example' }
    expect(caaTroubles(sceneWith(wild)).map(({ code }) => code)).toEqual(['caa.wild_blocked'])
    expect(allowedAuthorities(sceneWith(wild))).toEqual([])
    const free = { ...ofApex('0 issuewild "letsencrypt.org"', '0 issue ";"'), hostname: '*.happypaws.example' }
    expect(caaTroubles(sceneWith(free))).toEqual([])
  })

  test('caa.wild_blocked is reported only if a wildcard is wanted', () => {
    const scene = sceneWith(ofApex('0 issuewild "digicert.com"'))
    expect(reported(scene)).toEqual([])
    expect(caaTroubles(scene, { isWildcard: true }).map(({ advice }) => advice)).toEqual([
      'CAA records on happypaws.example do not let us get a certificate for all subdomains. Add one more: `0 issuewild "letsencrypt.org"`.',
    ])
  })

  test('caa.lookup_failed has its text', () => {
    const scene = withApexCaa(failure('NOTIMP'), failure('SERVFAIL'))
    expect(reported(scene)).toEqual([
      [
        'caa.lookup_failed',
        'The nameservers do not answer CAA queries for happypaws.example, and certificate authorities must then refuse. Ask your DNS provider to answer CAA queries, even if there are no CAA records. We will check again automatically.',
      ],
    ])
    expect(allowedAuthorities(scene)).toEqual([])
  })

  test('caa.via_target is reported if our own set does not include our authority', () => {
    const scene = sceneWith({
      hostname: www,
      records: [`${www} CNAME ${target}`],
      looks: [targetAllows('digicert.com')],
    })
    expect(reported(scene)).toEqual([
      [
        'caa.via_target',
        'Our own CAA records block the certificate. The problem is on our side; you do not need to change anything.',
      ],
    ])
    expect(caaAdvice(scene)).toBeNull()
  })

  test('caa.fallback_ca_used has its text', () => {
    const scene = sceneWith({ ...ofApex('0 issue "sectigo.com"'), wanted: bothAuthorities })
    expect(reported(scene)).toEqual([
      [
        'caa.fallback_ca_used',
        "Your CAA record excludes Let's Encrypt, so we get the certificate from ZeroSSL. Nothing to do.",
      ],
    ])
    expect(allowedAuthorities(scene)).toEqual(['sectigo.com'])
  })
})

describe('the deciding CAA set', () => {
  const denied = [`${apex} CAA 0 issue "digicert.com"`]

  test.each([
    ['has no record yet', []],
    ['has our CNAME', [`${www} CNAME ${target}`]],
    ['has a conflicting address', [`${www} A 203.0.113.7`]],
    ['has a CNAME to another host', [`${www} CNAME other.example`]],
  ])('is ours for a subdomain that %s, so its apex needs no change', (_, lines) => {
    const scene = sceneWith({ hostname: www, records: [...denied, ...lines], looks: [targetAllows(ours)] })
    expect(reported(scene)).toEqual([])
    expect(allowedAuthorities(scene)[0]).toBe(ours)
  })

  test('is the one of the apex if our target has no CAA', () => {
    const scene = sceneWith({ hostname: www, records: denied, looks: [targetAllows()] })
    expect(reported(scene).map(([code]) => code)).toEqual(['caa.blocked'])
    expect(caaAdvice(scene)).toMatchObject({ name: '@', fullName: apex })
  })

  test('is unknown if the CAA of our target was not queried: nothing is reported, and no authority may issue', () => {
    const scene = sceneWith({ hostname: www, records: denied })
    expect(reported(scene)).toEqual([])
    expect(allowedAuthorities(scene)).toEqual([])
  })

  test('is the one of the apex for a subdomain behind a proxy, which has no CNAME to us', () => {
    const scene = sceneWith({
      hostname: www,
      records: [...denied, `${www} A 203.0.113.7`],
      probes: [probed],
      looks: [targetAllows(ours)],
    })
    expect(reported(scene).map(([code]) => code)).toEqual(['caa.blocked'])
  })

  test('is the one at the hostname itself before the one at the apex', () => {
    const lines = [...denied, `${www} A 203.0.113.7`, `${www} CAA 0 issue "letsencrypt.org"`]
    const scene = sceneWith({ hostname: www, records: lines, probes: [probed] })
    expect(allowedAuthorities(scene)[0]).toBe(ours)
  })

  test('is overridden by a record at the apex if it is above the zone', () => {
    const looks = [lookup('checked resolver: CAA example', records(caa('example', 'issue', 'digicert.com')))]
    const scene = sceneWith({ ...ofApex(), looks })
    expect(reported(scene)[0]?.[1]).toMatch(
      /^A CAA record on example allows certificates only from digicert.com\. .* Name @,/,
    )
    expect(caaAdvice(scene)).toMatchObject({ fullName: apex, have: [] })
  })

  test('is undecided while nameservers disagree: nothing is reported, and no authority may issue', () => {
    const scene = sceneWith({
      ...ofApex('0 issue "digicert.com"'),
      servers: { 'ns2.dns.example': [`${apex} CAA 0 issue "letsencrypt.org"`] },
    })
    expect(reported(scene)).toEqual([])
    expect(allowedAuthorities(scene)).toEqual([])
  })

  test('is found along a chain through another name of the zone', () => {
    const lines = [`${www} CNAME shop.${apex}`, `shop.${apex} A 203.0.113.7`, `shop.${apex} CAA 0 issue "pki.goog"`]
    const scene = sceneWith({ hostname: www, records: lines, probes: [probed] })
    expect(reported(scene)[0]?.[1]).toMatch(
      /^A CAA record on shop.happypaws.example allows certificates only from pki.goog/,
    )
  })

  test('is found by climbing the tree as a resolver and a certificate authority do together', () => {
    const names = ['a.b.c.example', 'b.c.example', 'c.example'] as const
    const set = fc.constantFrom('', ours, 'digicert.com')
    const tree = fc.record({
      own: fc.tuple(set, set, set),
      alias: fc.constantFrom(null, 'b.c.example', 'c.example', 'x.c.example', target),
      aliased: set,
    })
    fc.assert(
      fc.property(tree, ({ own, alias, aliased }) => {
        const sets = new Map<string, string>([
          ...names.map((name, index) => [name, own[index] ?? ''] as const),
          ['x.c.example', aliased],
          [target, aliased],
        ])
        const line = (name: string) => (sets.get(name) ? [`${name} CAA 0 issue "${sets.get(name)}"`] : [])
        const first = alias
          ? [`a.b.c.example CNAME ${alias}`]
          : ['a.b.c.example A 203.0.113.7', ...line('a.b.c.example')]
        const lines = [
          ...first,
          ...['b.c.example', 'c.example', 'x.c.example'].flatMap(line),
          'x.c.example A 203.0.113.7',
        ]
        const scene = sceneWith({
          hostname: 'a.b.c.example',
          apex: 'c.example',
          records: lines,
          probes: [probed],
          looks: [targetAllows(...[aliased].filter(Boolean))],
        })
        const deciding = names.map((name, index) => sets.get(index === 0 && alias ? alias : name)).find(Boolean)
        expect(allowedAuthorities(scene)[0]).toBe(deciding === undefined || deciding === ours ? ours : undefined)
      }),
      { numRuns: 300 },
    )
  })
})

describe('a CAA query without an answer', () => {
  test.each([
    [
      'a timeout of every server that answers everything else',
      [silence('timeout'), silence('timeout')],
      ['caa.lookup_failed'],
    ],
    ['a timeout of one server of two', [silence('timeout'), answer()], []],
    ['an error of one server of two', [failure('SERVFAIL'), answer()], []],
    ['queries that we had no time for', [silence('skipped'), silence('skipped')], []],
    ['one timeout, and one query that we had no time for', [silence('timeout'), silence('skipped')], []],
  ])('is judged by its outcomes: %s', (_, [one, other], codes) => {
    if (one && other) expect(reported(withApexCaa(one, other)).map(([code]) => code)).toEqual(codes)
  })

  test.each([silence('timeout'), failure('REFUSED'), failure('SERVFAIL')])(
    'is not a CAA trouble if the zone answers nothing at all',
    (outcome) => {
      const scene = sceneWith({ ...ofApex(), servers: { 'ns1.dns.example': outcome, 'ns2.dns.example': outcome } })
      expect(reported(scene)).toEqual([])
      expect(allowedAuthorities(scene)).toEqual([])
    },
  )

  test('counts if resolvers fail for CAA alone, whatever the nameservers answer', () => {
    const good = { ...ofApex(), checked: [`${apex} A 192.0.2.10`] }
    const scene = sceneWith(good)
    expect(reported(scene)).toEqual([])
    const looks = scene.evidence.looks.map((one) =>
      one.to === 'checked' && one.type === 'CAA' ? { ...one, outcome: failure('SERVFAIL') } : one,
    )
    expect(reported({ ...scene, evidence: { ...scene.evidence, looks } }).map(([code]) => code)).toEqual([
      'caa.lookup_failed',
    ])
  })

  test('is a trouble on our side if resolvers fail for our target', () => {
    const looks = [lookup(`checked resolver: CAA ${target}`, failure('SERVFAIL'))]
    const scene = sceneWith({ hostname: www, records: [`${www} CNAME ${target}`], looks })
    expect(reported(scene).map(([code]) => code)).toEqual(['caa.via_target'])
  })

  test('is made up for by a resolver that followed the CNAME for us', () => {
    const followed = records(cname(www, target), caa(target, 'issue', ours))
    const looks = [lookup(`checked resolver: CAA ${www}`, followed)]
    expect(allowedAuthorities(sceneWith({ hostname: www, records: [`${www} CNAME ${target}`], looks }))).toContain(ours)
  })
})

describe('the record to add', () => {
  test('is added next to the existing ones', () => {
    expect(caaAdvice(sceneWith(ofApex('0 issue "digicert.com"')))).toEqual({
      type: 'CAA',
      name: '@',
      fullName: apex,
      value: '0 issue "letsencrypt.org"',
      ttl: 3600,
      have: ['CAA 0 issue "digicert.com"'],
      state: 'missing',
      action: 'add',
      isRequired: true,
    })
  })

  test('keeps the binding to an account, if the owner uses one', () => {
    const advice = caaAdvice(sceneWith(ofApex('0 issue "letsencrypt.org; accounturi=https://other.example"')))
    expect(advice?.value).toBe('0 issue "letsencrypt.org; accounturi=https://acme.example/acct/1"')
  })

  test('is absent if no record would help, or none is needed', () => {
    expect(caaAdvice(sceneWith(ofApex('128 tbs "x"')))).toBeNull()
    expect(caaAdvice(sceneWith(ofApex('0 issue "letsencrypt.org"')))).toBeNull()
    expect(caaAdvice(sceneWith(ofApex()))).toBeNull()
  })

  test('allows an authority to issue once it is added', () => {
    const line = fc.constantFrom(
      '0 issue ";"',
      '0 issue "digicert.com"',
      '0 issue "letsencrypt.org; accounturi=x"',
      '0 issuewild ";"',
    )
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 3 }), (lines) => {
        const advice = caaAdvice(sceneWith(ofApex(...lines)))
        const after = advice ? [...lines, advice.value] : lines
        expect(allowedAuthorities(sceneWith(ofApex(...after)))).toContain(letsEncrypt.domain)
      }),
    )
  })
})

/** An apex whose two nameservers answer everything, and CAA queries with these outcomes. */
function withApexCaa(one: Lookup['outcome'], other: Lookup['outcome']): Scene {
  const scene = sceneWith(ofApex())
  const looks = scene.evidence.looks.map((seen) =>
    seen.type === 'CAA' && seen.to === 'authoritative'
      ? { ...seen, outcome: seen.server === 'ns1.dns.example' ? one : other }
      : seen,
  )
  return { ...scene, evidence: { ...scene.evidence, looks } }
}
