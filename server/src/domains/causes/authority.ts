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
