// CAA causes: the certificate authorities that the owner allows (RFC 8659, RFC 8657). A text
// names an authority by the domain that owners must type, and calls the records CAA records,
// because that is the term in every provider's form.

import type { Cause } from './cause.ts'

export const caaCauses = {
  'caa.blocked': {
    severity: 'blocks',
    actor: 'owner',
    text: 'A CAA record on {at} allows certificates only from {list}. Add one more: Type CAA, Name {name}, Flag 0, Tag issue, Value {ca}. Leave the others as they are.',
  },
  'caa.blocked_by_deny_all': {
    severity: 'blocks',
    actor: 'owner',
    text: 'A CAA record on {at} forbids every certificate, so the site cannot be secure. Add one more: Type CAA, Name {name}, Flag 0, Tag issue, Value {ca}.',
  },
  'caa.wild_blocked': {
    severity: 'blocks',
    actor: 'owner',
    text: 'CAA records on {at} do not let us get a certificate for all subdomains. Add one more: `0 issuewild "{ca}"`.',
  },
  'caa.account_bound': {
    severity: 'blocks',
    actor: 'owner',
    text: 'Your CAA record on {at} restricts {authority} to another account. Add one more: Type CAA, Name {name}, Flag 0, Tag issue, Value {value}. Or remove `accounturi=…` from the record.',
  },
  'caa.method_bound': {
    severity: 'blocks',
    actor: 'owner',
    text: 'Your CAA record on {at} lets {ca} check the domain only by {methods}; we use {ours}. Remove `validationmethods=…` from the record, or add {ours} to it.',
  },
  'caa.critical_unknown': {
    severity: 'blocks',
    actor: 'owner',
    text: 'The CAA record `{tag}` on {at} is marked as critical, and {authority} does not know it, so it must refuse. Set the flag of that record to 0, or delete it.',
  },
  'caa.lookup_failed': {
    severity: 'blocks',
    actor: 'third_party',
    text: 'The nameservers do not answer CAA queries for {at}, and certificate authorities must then refuse. Ask {provider} to answer CAA queries, even if there are no CAA records. We will check again automatically.',
  },
  'caa.via_target': {
    severity: 'waits',
    actor: 'platform',
    text: 'Our own CAA records block the certificate. The problem is on our side; you do not need to change anything.',
  },
  'caa.fallback_ca_used': {
    severity: 'informs',
    actor: 'owner',
    text: 'Your CAA record excludes {ca1}, so we get the certificate from {ca2}. Nothing to do.',
  },
} as const satisfies Record<string, Cause>
