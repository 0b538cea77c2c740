// The status of a certificate reaches the domain's lifecycle as one fact.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CertificateStatus, CertificateStatusState } from '../../certificates/certificate-status.ts'
import { certificateFacts, certificateTrouble, isRerouted } from './facts.ts'
import { certificateTransitions, initialState, next } from './lifecycle.ts'
import type { CertificateState, LifecycleState } from './states.ts'

const now = Date.UTC(2027, 0, 1)
const states = Object.keys(certificateTransitions) as CertificateState[]
const standings: readonly CertificateStatusState[] = [
  'none',
  'queued',
  'validating',
  'blocked',
  'rate_limited',
  'issued',
  'renewing',
  'renewal_failing',
  'expired',
]
const standing = (state: CertificateStatusState): CertificateStatus => ({
  generation: 1n,
  state,
  cause: { code: 'ca.dns', detail: 'SERVFAIL', authority: 'letsencrypt.org', until: null, isPaced: false },
  serial: null,
  notAfter: null,
  authority: null,
})
const proven = (certificate: CertificateState): LifecycleState => ({
  ...initialState('dom_1', now),
  ownership: 'proven',
  proof: 'cname',
  routing: 'pointing',
  certificate,
})
const after = (certificate: CertificateState, state: CertificateStatusState) =>
  next(proven(certificate), certificateFacts(certificate, standing(state)), now).life.certificate

const served: readonly CertificateState[] = ['deployed', 'renewing', 'renewal_failing']

test('the certificate axis of a domain follows its certificate from every state', () => {
  fc.assert(
    fc.property(fc.constantFrom(...states), fc.constantFrom(...standings), (before, state) => {
      const reached = after(before, state)
      const wasServed = served.includes(before)
      if (state === 'none') expect(reached).toBe(before)
      else if (state === 'issued') expect(reached).toBe(wasServed ? 'deployed' : 'issued')
      else if (state === 'renewing' || state === 'renewal_failing') expect(reached).toBe(wasServed ? state : 'issued')
      else expect(reached).toBe(state)
    }),
  )
})

test('a certificate does not count as deployed before an edge has confirmed it', () => {
  for (const before of states.filter((state) => !served.includes(state))) {
    for (const state of standings) expect(served).not.toContain(after(before, state))
  }
})

test('a certificate that is not wanted yields no facts', () => {
  for (const before of states) expect(certificateFacts(before, undefined)).toEqual([])
})

test('a certificate trouble is reported while it lasts, and no longer', () => {
  expect(certificateTrouble(standing('blocked'))?.code).toBe('ca.dns')
  expect(certificateTrouble(standing('renewal_failing'))?.code).toBe('ca.dns')
  expect(certificateTrouble(standing('validating'))).toBeNull()
  expect(certificateTrouble(undefined)).toBeNull()
})

test('a change of a domain that is or was served is sent to the edges', () => {
  expect(isRerouted(proven('validating'), proven('issued'))).toBe(true)
  expect(isRerouted(proven('deployed'), { ...proven('deployed'), rest: 'paused' })).toBe(true)
  expect(isRerouted(proven('deployed'), proven('deployed'))).toBe(true)
  expect(isRerouted(proven('queued'), proven('blocked'))).toBe(false)
})
