// What became of a certificate reaches the domain's life by ways that its table allows.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CertificateStatus, CertificateStatusState } from '../../certificates/certificate-status.ts'
import { certificateFacts, certificateTrouble, isRerouted } from './certificate-facts.ts'
import { certificateAxis, initialState, next } from './lifecycle.ts'
import type { CertificateState, LifecycleState } from './states.ts'

const now = Date.UTC(2027, 0, 1)
const states = Object.keys(certificateAxis) as CertificateState[]
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

test('a domain stands where its certificate stands, from wherever it was', () => {
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

test('no certificate counts as deployed before an edge has said so', () => {
  for (const before of states.filter((state) => !served.includes(state))) {
    for (const state of standings) expect(served).not.toContain(after(before, state))
  }
})

test('nothing is known of a certificate that nobody wants', () => {
  for (const before of states) expect(certificateFacts(before, undefined)).toEqual([])
})

test('what stands in the way is told while it does, and not once it is over', () => {
  expect(certificateTrouble(standing('blocked'))?.code).toBe('ca.dns')
  expect(certificateTrouble(standing('renewal_failing'))?.code).toBe('ca.dns')
  expect(certificateTrouble(standing('validating'))).toBeNull()
  expect(certificateTrouble(undefined)).toBeNull()
})

test('edges may have to hear of whatever is served, or was', () => {
  expect(isRerouted(proven('validating'), proven('issued'))).toBe(true)
  expect(isRerouted(proven('deployed'), { ...proven('deployed'), rest: 'paused' })).toBe(true)
  expect(isRerouted(proven('deployed'), proven('deployed'))).toBe(true)
  expect(isRerouted(proven('queued'), proven('blocked'))).toBe(false)
})
