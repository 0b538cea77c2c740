// What the certificate authority says, as far as nothing above explains it.

import type { Cause } from './cause.ts'

export const authorityCauses = {
  'ca.rate_limited_failures': {
    severity: 'waits',
    actor: 'authority',
    text: 'The certificate authority asks us to wait until {time}. Do not remove the domain; we go on by ourselves.',
  },
  'ca.rate_limited_duplicate': {
    severity: 'waits',
    actor: 'authority',
    text: 'The authority has issued this certificate several times this week. Next slot: {time}.',
  },
  'ca.rate_limited_domain': {
    severity: 'waits',
    actor: 'authority',
    text: '{apex} received many certificates this week (from other services too). Next slot: {time}.',
  },
  'ca.rate_limited_account': {
    severity: 'waits',
    actor: 'platform',
    text: 'We are issuing many certificates. Yours comes about {time}.',
  },
  'ca.paused': {
    severity: 'waits',
    actor: 'platform',
    text: 'This one is on us; we have asked the authority to resume.',
  },
  'ca.policy': {
    severity: 'blocks',
    actor: 'owner',
    text: '{ca} refuses this name by policy. Please contact support.',
  },
  'ca.outage': {
    severity: 'waits',
    actor: 'authority',
    text: 'The certificate authority has an outage. Next automatic try: {time}.',
  },
  'ca.mpic': {
    severity: 'blocks',
    actor: 'owner',
    text: 'One of the places from which the authority checks could not reach {host}. Usually geo-blocking, or slow DNS: let visitors from everywhere in, then choose Re-verify.',
  },
  'ca.dns': {
    severity: 'blocks',
    actor: 'owner',
    text: 'The authority could not read your DNS: {detail}',
  },
  'ca.connection': {
    severity: 'blocks',
    actor: 'owner',
    text: 'The authority could not connect to {host}: {detail}',
  },
  'ca.unauthorized': {
    severity: 'blocks',
    actor: 'owner',
    text: 'The authority got a wrong answer from {host}: {detail}',
  },
  'ca.tls': {
    severity: 'blocks',
    actor: 'owner',
    text: 'The authority could not complete TLS with {host}: {detail}',
  },
  'ca.caa': {
    severity: 'blocks',
    actor: 'owner',
    text: 'The authority says that a CAA record blocks it: {detail}',
  },
  'ca.malformed': {
    severity: 'waits',
    actor: 'platform',
    text: 'This one is on us; you need not change anything.',
  },
  'ca.key_mismatch': {
    severity: 'waits',
    actor: 'platform',
    text: 'This one is on us; we try again at {time}.',
  },
} as const satisfies Record<string, Cause>
