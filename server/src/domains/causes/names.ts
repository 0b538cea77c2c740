// Causes in the name itself, and causes that have nothing to do with DNS.

import type { Cause } from './cause.ts'

export const namesCauses = {
  'name.url_pasted': {
    severity: 'informs',
    actor: 'owner',
    text: 'We removed `https://` and the path. You are adding {host}.',
  },
  'name.idn_mixed_script': {
    severity: 'warns',
    actor: 'owner',
    text: 'We will register {unicode} as `{ascii}`. Check the spelling.',
  },
  'name.unregistered': {
    severity: 'blocks',
    actor: 'owner',
    text: '{apex} is not registered, or has expired. Register or renew it, then choose Re-verify.',
  },
  'name.on_hold': {
    severity: 'blocks',
    actor: 'owner',
    text: 'Your registrar has suspended {apex} (often because of an unpaid renewal or an unconfirmed email address). Resolve that with the registrar first.',
  },
  'plan.lapsed': {
    severity: 'blocks',
    actor: 'owner',
    text: '{host} is paused: custom domains need the Pro plan. It returns within a minute of upgrading; DNS can stay as it is.',
  },
  'platform.edge_config_lag': {
    severity: 'waits',
    actor: 'platform',
    text: 'Everything is correct. We are switching on traffic; this takes until about {time}.',
  },
  'platform.internal': {
    severity: 'waits',
    actor: 'platform',
    text: 'The problem is on our side. You do not need to change anything; we keep trying.',
  },
} as const satisfies Record<string, Cause>
