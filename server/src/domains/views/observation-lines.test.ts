import { EVIDENCE_LENGTH_MAX, EVIDENCE_LINES_MAX } from '@petstore-platform/contract/platform/domain-shapes'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Lookup, LookupOutcome } from '../../foundation/dns/answer.ts'
import { answer, evidenceOf } from '../../../../testbed/evidence/evidence.ts'
import type { Evidence, Probe } from '../observing/evidence.ts'
import { observationsOf } from './observation-lines.ts'

const lookup = (outcome: LookupOutcome, changes: Partial<Lookup> = {}): Lookup => ({
  to: 'authoritative',
  server: 'ns1.dns.example',
  address: '198.51.100.53',
  name: 'www.shop.example',
  type: 'A',
  outcome,
  ms: 3.4,
  ...changes,
})
const base = evidenceOf({ hostname: 'www.shop.example', records: [] })
const evidence = (looks: readonly Lookup[], probes: readonly Probe[] = []): Evidence => ({ ...base, looks, probes })
const answersOf = (...outcomes: LookupOutcome[]) =>
  observationsOf(evidence(outcomes.map((one) => lookup(one)))).map((sighting) => sighting.answer)

test('an answer, a negative answer and a silence have different texts', () => {
  const ns = { name: 'shop.example', ttl: 60, type: 'NS', target: 'ns.other.example' } as const
  expect(
    answersOf(
      answer({ records: [{ name: 'www.shop.example', ttl: 60, type: 'A', address: '192.0.2.1' }] }),
      answer(),
      answer({ rcode: 'NXDOMAIN' }),
      answer({ rcode: 'SERVFAIL', errors: [{ code: 9, text: 'no DNSKEY' }] }),
      answer({ isAuthoritative: false, authority: [ns] }),
      { kind: 'silence', why: 'timeout' },
      { kind: 'silence', why: 'not_allowed' },
    ),
  ).toEqual([
    'A 192.0.2.1',
    'no such record',
    'NXDOMAIN: no such name',
    'SERVFAIL; EDE 9 no DNSKEY',
    'see NS ns.other.example',
    'no answer in time',
    'not queried: a private or reserved address',
  ])
})

test('observations about the hostname itself come first, and the rest is left out if there are too many', () => {
  const others = Array.from({ length: 100 }, () => lookup(answer(), { name: 'shop.example', type: 'SOA' }))
  const shown = observationsOf(evidence([...others, lookup(answer())]))
  expect(shown).toHaveLength(EVIDENCE_LINES_MAX)
  expect(shown[0]?.question).toBe('A www.shop.example')
})

test('text from third parties is short, well-formed and without control characters', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 400 })
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const outcome = { kind: 'other', status: 200, server: one, headers: {}, body: other } as const
      const probe: Probe = { address: '192.0.2.1', url: `http://x/${other}`, outcome, hops: [], ms: -1 }
      const record = { name: 'www.shop.example', ttl: 1, type: 'TXT', text: one, strings: [one] } as const
      for (const sighting of observationsOf(evidence([lookup(answer({ records: [record] }))], [probe]))) {
        for (const text of [sighting.server, sighting.question, sighting.answer]) {
          expect(text.length).toBeLessThanOrEqual(EVIDENCE_LENGTH_MAX)
          expect(text.isWellFormed()).toBe(true)
          expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
        }
        expect(sighting.ms).toBeGreaterThanOrEqual(0)
      }
    }),
  )
})
