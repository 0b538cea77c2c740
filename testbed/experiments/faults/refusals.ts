// Requests that an authority rejects, at the order or after validating the domain; and
// certificates that it issues and that must never be stored.

import type { CauseCode } from '../../../server/src/domains/causes/causes.ts'
import { acmeFault, type AcmeFault } from '../../internet/acme-fault-rules.ts'
import { MINUTE, type Row } from './row.ts'

export function refusals(): Omit<Row, 'zone'>[] {
  const common = { at: 'shared', goesOn: 'Re-verify' } as const
  const validation = (type: string, code: CauseCode, says: string): Omit<Row, 'zone'> => ({
    ...common,
    name: `validation-${type.toLowerCase()}`,
    says,
    code,
    faults: () => [acmeFault.failedValidation({ type })],
  })
  const mismatch = 'The key authorization file from the server did not match this challenge. Expected "a.b" (got "c")'
  return [
    {
      ...common,
      name: 'order-caa',
      says: '`caa` for the order',
      code: 'ca.caa',
      faults: () => [acmeFault.problem('newOrder', { type: 'caa', status: 403 })],
    },
    {
      ...common,
      name: 'order-compound',
      says: '`caa` in a subproblem',
      code: 'ca.caa',
      faults: () => [
        acmeFault.problem('newOrder', {
          type: 'compound',
          status: 403,
          detail: 'Errors during validation',
          subproblems: [
            { type: 'urn:ietf:params:acme:error:caa', detail: 'CAA record for shop.test prevents issuance' },
          ],
        }),
      ],
    },
    {
      ...common,
      name: 'order-policy',
      says: '`rejectedIdentifier` for the order',
      code: 'ca.policy',
      faults: () => [acmeFault.problem('newOrder', { type: 'rejectedIdentifier' })],
    },
    {
      ...common,
      name: 'order-malformed',
      says: '`malformed` for the order',
      code: 'ca.malformed',
      faults: () => [acmeFault.problem('newOrder', { type: 'malformed', detail: 'Error unmarshaling JSON' })],
    },
    {
      ...common,
      name: 'finalize-csr',
      says: '`badCSR` when the certificate is requested',
      code: 'ca.malformed',
      faults: () => [acmeFault.problem('finalize', { type: 'badCSR', detail: 'Error parsing certificate request' })],
    },
    validation('caa', 'ca.caa', '`caa` during validation'),
    validation('dns', 'ca.dns', '`dns` during validation'),
    validation('connection', 'ca.connection', '`connection` during validation'),
    validation('unauthorized', 'ca.unauthorized', '`unauthorized` during validation'),
    validation('tls', 'ca.tls', '`tls` during validation'),
    validation('rejectedIdentifier', 'ca.policy', '`rejectedIdentifier` during validation'),
    {
      ...common,
      name: 'validation-key',
      says: '`unauthorized`: the challenge response was for another account',
      code: 'ca.key_mismatch',
      faults: () => [acmeFault.failedValidation({ type: 'unauthorized', detail: mismatch })],
    },
    {
      ...common,
      name: 'validation-secondary',
      says: 'a secondary vantage point of the authority got a different response',
      code: 'ca.mpic',
      faults: () => [acmeFault.secondaryValidation()],
    },
  ]
}

export function certificates(): Omit<Row, 'zone'>[] {
  const bad = (name: string, says: string, fault: () => AcmeFault): Omit<Row, 'zone'> => ({
    name: `certificate-${name}`,
    says: `the certificate ${says}`,
    at: 'shared',
    code: 'ca.outage',
    goesOn: 'Re-verify',
    faults: () => [fault()],
  })
  return [
    bad('name', 'is for another name', () => acmeFault.wrongLeaf({ hostnames: ['other.test'] })),
    bad('key', 'is for another key', () => acmeFault.otherKey()),
    bad('expired', 'has expired', () =>
      acmeFault.wrongLeaf({ notBefore: Date.now() - 120 * MINUTE, notAfter: Date.now() - MINUTE }),
    ),
    bad('truncated', 'is truncated', () => acmeFault.truncated()),
    bad('alone', 'is sent without its issuer', () => acmeFault.leafOnly()),
    bad('issuer', 'is sent with the wrong issuer', () => acmeFault.foreignIssuer()),
    bad('page', 'is an HTML page', () => acmeFault.page('certificate', 200)),
  ]
}
