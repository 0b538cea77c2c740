import { expect, test } from 'vitest'
import type { CertificateStatus } from '../certificates/certificate-status.ts'
import { troubleOf } from './desired.ts'

const cause = { code: 'ca.malformed', detail: 'BADSIG.', authority: null, until: 0, isPaced: false }
const status: CertificateStatus = {
  generation: 1n,
  state: 'blocked',
  cause,
  serial: null,
  notAfter: null,
  authority: null,
}

test('a failed order is one sentence with its reason and the next attempt', () => {
  expect(troubleOf('*.shops.example', status)).toBe(
    'The certificate of *.shops.example could not be ordered: BADSIG. Next attempt at 1970-01-01T00:00:00.000Z.',
  )
  expect(troubleOf('x.example', { ...status, state: 'renewal_failing', cause: { ...cause, until: null } })).toBe(
    'The certificate of x.example could not be renewed: BADSIG. Next attempt within the hour.',
  )
})

test('an order that waits for its turn is no trouble (negative control)', () => {
  expect(troubleOf('x.example', { ...status, cause: { ...cause, isPaced: true } })).toBeUndefined()
  expect(troubleOf('x.example', { ...status, cause: null })).toBeUndefined()
})
