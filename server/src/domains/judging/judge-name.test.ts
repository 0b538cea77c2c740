// Tests of the troubles of a name itself, from evidence and from known facts.

import { expect, test } from 'vitest'
import type { Lookup, LookupOutcome } from '../../foundation/dns/answer.ts'
import { nothingKnown, type Evidence, type Known } from '../observing/evidence.ts'
import { answer, evidenceOf, wantedFor } from '../../../../testbed/evidence/evidence.ts'
import { nameTroubles } from './judge-name.ts'
import { registrableOf } from '../naming/names.ts'
import { sceneOf } from './scene.ts'

function troublesOf(evidence: Evidence, known: Partial<Known> = {}) {
  const { hostname, at } = evidence
  const seen = { wanted: wantedFor(hostname), evidence, known: { ...nothingKnown, ...known } }
  return nameTroubles(sceneOf(seen, { provider: null, registrable: registrableOf(hostname) ?? hostname, now: at }))
}

const codesOf = (evidence: Evidence, known: Partial<Known> = {}) => troublesOf(evidence, known).map(({ code }) => code)

const fine = (hostname: string, delegated?: readonly string[]) =>
  evidenceOf({ hostname, records: [], ...(delegated ? { delegated } : {}) })

const soaOf = (name: string) =>
  ({ name, ttl: 900, type: 'SOA', primary: 'a.gtld.example', serial: 1, minimum: 900 }) as const

function withoutZone(hostname: string, outcomes: readonly LookupOutcome[], to: Lookup['to'] = 'parent'): Evidence {
  const name = registrableOf(hostname) ?? hostname
  const looks = outcomes.map((outcome): Lookup => ({
    to,
    server: 'a.gtld.example',
    address: '198.51.100.1',
    name,
    type: 'NS',
    outcome,
    ms: 3,
  }))
  return { hostname, at: 1_800_000_000_000, zone: null, looks, probes: [] }
}

const noSuchName = answer({ rcode: 'NXDOMAIN', authority: [soaOf('com')] })

test('a plain name has no trouble of its own', () => {
  expect(codesOf(fine('www.petshop.com'))).toEqual([])
})

test('the removal of parts of a pasted URL is reported', () => {
  const [trouble] = troublesOf(fine('petshop.com'), { typed: 'https://petshop.com/cats' })
  expect(trouble).toMatchObject({ code: 'name.url_pasted', severity: 'informs' })
  expect(trouble?.advice).toBe('We removed `https://` and the path. You are adding petshop.com.')
  expect(codesOf(fine('petshop.com'), { typed: 'petshop.com' })).toEqual([])
})

test('a name that could be mistaken for another is shown in both forms', () => {
  const [trouble] = troublesOf(fine('xn--80ak6aa92e.com'))
  expect(trouble).toMatchObject({ code: 'name.idn_mixed_script', severity: 'warns' })
  expect(trouble?.advice).toBe('We will register аррӏе.com as `xn--80ak6aa92e.com`. Check the spelling.')
  expect(codesOf(fine('xn--mller-kva.de'))).toEqual([])
})

test('a name is unregistered if the zone above it denies its existence', () => {
  const [trouble] = troublesOf(withoutZone('www.petshop.com', [noSuchName]))
  expect(trouble).toMatchObject({ code: 'name.unregistered', severity: 'blocks', actor: 'owner' })
  expect(trouble?.advice).toBe(
    'petshop.com is not registered, or has expired. Register or renew it, then choose Re-verify.',
  )
})

test('silence, errors, answers of other zones and disagreement never make a name unregistered', () => {
  const silent: LookupOutcome[] = [
    'timeout',
    'refused',
    'unreachable',
    'malformed',
    'tcp_failed',
    'not_allowed',
    'skipped',
  ].map((why) => ({ kind: 'silence', why }) as LookupOutcome)
  const wrong: LookupOutcome[] = [
    ...silent,
    answer({ rcode: 'SERVFAIL' }),
    answer({ rcode: 'REFUSED' }),
    answer({ rcode: 'NXDOMAIN', isAuthoritative: false, authority: [soaOf('com')] }),
    answer({ rcode: 'NXDOMAIN' }),
    answer({ rcode: 'NXDOMAIN', authority: [soaOf('petshop.com')] }),
    answer({ rcode: 'NXDOMAIN', authority: [soaOf('org')] }),
    answer({ rcode: 'NXDOMAIN', authority: [soaOf('shop.com')] }),
    answer({ rcode: 'NOERROR' }),
  ]
  for (const outcome of wrong) expect(codesOf(withoutZone('www.petshop.com', [outcome]))).toEqual([])
  expect(codesOf(withoutZone('www.petshop.com', [noSuchName, answer({})]))).toEqual([])
  expect(codesOf(withoutZone('www.petshop.com', [noSuchName], 'checked'))).toEqual([])
  expect(codesOf(withoutZone('www.petshop.com', []))).toEqual([])
  expect(codesOf(withoutZone('www.petshop.com', [silent, noSuchName].flat()))).toEqual(['name.unregistered'])
})

test('a name that has a zone is registered, whatever else was answered', () => {
  const evidence = { ...withoutZone('www.petshop.com', [noSuchName]), zone: fine('www.petshop.com').zone }
  expect(codesOf(evidence)).toEqual([])
})

test('a name that its registrar has suspended is reported as on hold', () => {
  const evidence = fine('www.petshop.com', ['ns1.suspended-domain.com', 'ns2.suspended-domain.com'])
  const [trouble] = troublesOf(evidence)
  expect(trouble).toMatchObject({ code: 'name.on_hold', severity: 'blocks' })
  expect(trouble?.advice).toContain('Your registrar has suspended petshop.com')
})

test('a lapsed plan is reported before any DNS trouble', () => {
  const evidence = withoutZone('www.petshop.com', [noSuchName])
  expect(codesOf(evidence, { planAllows: false })).toEqual(['plan.lapsed', 'name.unregistered'])
})
