// Causes that the certificate authority reports and that no cause of another family explains.

import type { Cause } from './cause.ts'

export const authorityCauses = {
  'ca.rate_limited_failures': {
    severity: 'waits',
    actor: 'authority',
    text: 'The certificate authority asks us to wait until {time}. Do not remove the domain; we will continue automatically.',
  },
  'ca.rate_limited_duplicate': {
    severity: 'waits',
    actor: 'authority',
    text: 'The certificate authority has already issued this certificate several times this week. We can request the next one at {time}.',
  },
  'ca.rate_limited_domain': {
    severity: 'waits',
    actor: 'authority',
    text: '{apex} has received many certificates this week, including for other services. We can request the next one at {time}.',
  },
  'ca.rate_limited_account': {
    severity: 'waits',
    actor: 'platform',
    text: 'We are issuing many certificates at the moment. Expect yours at about {time}.',
  },
  'ca.paused': {
    severity: 'waits',
    actor: 'platform',
    text: 'The certificate authority has paused requests for {host}. The problem is on our side; you do not need to change anything.',
  },
  'ca.policy': {
    severity: 'blocks',
    actor: 'owner',
    text: '{ca} refuses this name by policy. Please contact support.',
  },
  'ca.outage': {
    severity: 'waits',
    actor: 'authority',
    text: 'The certificate authority has an outage. Next automatic attempt: {time}.',
  },
  'ca.mpic': {
    severity: 'blocks',
    actor: 'owner',
    text: 'The certificate authority checks from several locations, and one of them could not reach {host}. This is usually geo-blocking or slow DNS: allow visitors from everywhere, then choose Re-verify.',
  },
  'ca.dns': {
    severity: 'blocks',
    actor: 'owner',
    text: 'The certificate authority could not read your DNS: {detail}',
  },
  'ca.connection': {
    severity: 'blocks',
    actor: 'owner',
    text: 'The certificate authority could not connect to {host}: {detail}',
  },
  'ca.unauthorized': {
    severity: 'blocks',
    actor: 'owner',
    text: 'The certificate authority got a wrong response from {host}: {detail}',
  },
  'ca.tls': {
    severity: 'blocks',
    actor: 'owner',
    text: 'The certificate authority could not complete TLS with {host}: {detail}',
  },
  'ca.caa': {
    severity: 'blocks',
    actor: 'owner',
    text: 'The certificate authority reports that a CAA record blocks it: {detail}',
  },
  'ca.malformed': {
    severity: 'waits',
    actor: 'platform',
    text: 'The problem is on our side. You do not need to change anything.',
  },
  'ca.key_mismatch': {
    severity: 'waits',
    actor: 'platform',
    text: 'The problem is on our side. We will try again at {time}.',
  },
} as const satisfies Record<string, Cause>

// CAA causes: the certificate authorities that the owner allows (RFC 8659, RFC 8657). A text
// names an authority by the domain that owners must type, and calls the records CAA records,
// because that is the term in every provider's form.

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
