// History entries about a domain's certificate: each certificate once, whatever happened in
// between, and a refusal when its cause is a new one.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CertificateStatus, CertificateStatusState } from '../../certificates/certificate-status.ts'
import { DAY } from '../../foundation/time.ts'
import { certificateEvents, nothingReported, type Reported } from './history-events.ts'
import type { CertificateState } from './states.ts'

const now = Date.UTC(2027, 0, 1)
const END = now + 60 * DAY
const detail = { authority: 'letsencrypt.org', validUntil: new Date(END).toISOString() }

const none: CertificateStatus = {
  generation: 1n,
  state: 'none',
  cause: null,
  serial: null,
  notAfter: null,
  authority: null,
}
const served = (serial: string, state: CertificateStatusState = 'issued'): CertificateStatus => ({
  ...none,
  state,
  serial,
  notAfter: END,
  authority: 'letsencrypt.org',
})
const cause = (code: string, isPaced = false) => ({
  code,
  detail: '',
  authority: 'letsencrypt.org',
  until: null,
  isPaced,
})
const rowWith = (certificate: CertificateState, given: Partial<Reported> = {}) => ({
  ...nothingReported,
  ...given,
  certificate,
})
const kinds = (...[before, status, at = now]: [ReturnType<typeof rowWith>, CertificateStatus | undefined, number?]) =>
  certificateEvents(before, status, at).events.map(({ kind }) => kind)

describe('A certificate', () => {
  test('is reported once issued, with its authority and its expiry', () => {
    const { events, reported: after } = certificateEvents(rowWith('validating'), served('01'), now)
    expect(events).toEqual([{ kind: 'certificate.issued', code: null, detail }])
    expect(after).toEqual({ reportedSerial: '01', wasExpiryReported: false, reportedRefusal: null })
  })

  test('is reported as renewed when it replaces one, even without a check in between', () => {
    for (const state of ['issued', 'deployed', 'renewing', 'renewal_failing'] as const) {
      expect(kinds(rowWith(state, { reportedSerial: '01' }), served('02'))).toEqual(['certificate.renewed'])
    }
  })

  test('after an expired one is reported as issued', () => {
    const before = rowWith('validating', { reportedSerial: '01', wasExpiryReported: true })
    expect(kinds(before, served('02'))).toEqual(['certificate.issued'])
  })

  test('is reported as expired once', () => {
    const first = certificateEvents(rowWith('deployed', { reportedSerial: '01' }), served('01', 'expired'), END)
    expect(first.events).toEqual([{ kind: 'certificate.expired', code: null, detail }])
    expect(kinds({ ...first.reported, certificate: 'expired' }, served('01', 'queued'), END + DAY)).toEqual([])
  })

  test('is never reported twice, whatever states its domain and its order go through', () => {
    const state = fc.constantFrom<CertificateState>('queued', 'validating', 'issued', 'deployed', 'renewing', 'expired')
    const step = fc.record({ state, serial: fc.constantFrom('01', '02', '03'), isOver: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let kept = nothingReported
        const seen: string[] = []
        // Serials only rise, as they do where each certificate expires later than the one before, and an expired one
        // stays expired.
        const ordered = steps.toSorted((a, b) => `${a.serial}${a.isOver}`.localeCompare(`${b.serial}${b.isOver}`))
        for (const { state: certificate, serial, isOver } of ordered) {
          const result = certificateEvents({ ...kept, certificate }, served(serial), isOver ? END : now)
          seen.push(...result.events.map(({ kind }) => `${kind === 'certificate.expired'} ${serial}`))
          kept = result.reported
        }
        expect(new Set(seen).size).toBe(seen.length)
      }),
    )
  })

  test('that is not wanted or not issued yet adds no entry', () => {
    expect(kinds(rowWith('none'), undefined)).toEqual([])
    expect(kinds(rowWith('queued'), none)).toEqual([])
  })
})

describe('A refusal', () => {
  test('is reported with its cause, and again only when the cause changes', () => {
    const blocked = { ...none, state: 'blocked', cause: cause('ca.caa') } as const
    const first = certificateEvents(rowWith('validating'), blocked, now)
    expect(first.events).toEqual([
      { kind: 'certificate.refused', code: 'ca.caa', detail: { authority: 'letsencrypt.org' } },
    ])
    expect(kinds({ ...first.reported, certificate: 'blocked' }, blocked)).toEqual([])
    const other = { ...blocked, cause: cause('ca.dns') }
    expect(kinds({ ...first.reported, certificate: 'blocked' }, other)).toEqual(['certificate.refused'])
  })

  test('of a renewal includes the expiry of the present certificate', () => {
    const failing = { ...served('01', 'renewal_failing'), cause: cause('ca.policy') }
    const { events, reported: after } = certificateEvents(rowWith('renewing', { reportedSerial: '01' }), failing, now)
    expect(events).toEqual([{ kind: 'certificate.refused', code: 'ca.policy', detail }])
    expect(after.reportedSerial).toBe('01')
  })

  test('is reported again after a certificate was issued in between', () => {
    const before = rowWith('renewal_failing', { reportedSerial: '01', reportedRefusal: 'ca.caa' })
    const renewed = certificateEvents(before, served('02'), now)
    expect(renewed.reported.reportedRefusal).toBeNull()
    const failing = { ...served('02', 'renewal_failing'), cause: cause('ca.caa') }
    expect(kinds({ ...renewed.reported, certificate: 'renewing' }, failing)).toEqual(['certificate.refused'])
  })

  test('is not reported for an order that is queued by us or still in progress', () => {
    expect(
      kinds(rowWith('queued'), { ...none, state: 'rate_limited', cause: cause('ca.rate_limited_account', true) }),
    ).toEqual([])
    expect(kinds(rowWith('queued'), { ...none, state: 'queued', cause: cause('ca.dns') })).toEqual([])
  })
})
