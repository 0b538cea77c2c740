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

// Ownership causes: the project that added the name has not proven that it owns it.

export const ownershipCauses = {
  'own.txt_missing': {
    severity: 'blocks',
    actor: 'owner',
    text: 'At {provider}, add Type TXT, Name {name}, Value {token}, TTL 3600: {why}. Once we have detected it, you may delete it.',
  },
  'own.txt_mismatch': {
    severity: 'blocks',
    actor: 'owner',
    text: 'The TXT record `{full}` has the value `{found}`; it must be `{token}`. Replace the value.',
  },
  'own.txt_stale': {
    severity: 'blocks',
    actor: 'owner',
    text: 'The TXT record `{full}` contains a token from an earlier setup, which is no longer valid. Replace it with `{token}`.',
  },
  'own.txt_quoted_or_split': {
    severity: 'informs',
    actor: 'owner',
    text: 'Your TXT record is accepted. Your DNS provider added quotes or spaces, or split the value; that is harmless.',
  },
  'own.txt_wrong_name': {
    severity: 'blocks',
    actor: 'owner',
    text: 'The TXT record is at `{found}`, but it must be at `{full}`. Edit its Name to {short}; some providers append the domain name automatically.',
  },
  'own.contested': {
    severity: 'blocks',
    actor: 'owner',
    text: '{host} is live on another store. If it is yours, add the TXT record `{full}` with the value `{token}` and choose Verify: this moves it here and stops it there immediately.',
  },
  'own.cname_older_than_project': {
    severity: 'blocks',
    actor: 'owner',
    text: 'The CNAME for {host} existed before this store. Add the TXT record `{full}` with the value `{token}` to confirm that it is meant for you.',
  },
  'own.lost': {
    severity: 'warns',
    actor: 'owner',
    text: 'We can no longer confirm that {host} is yours, because it no longer points here. Your site keeps working for now. Restore the record below, or choose Remove if you moved it on purpose.',
  },
  'own.token_only_in_cache': {
    severity: 'waits',
    actor: 'third_party',
    text: "Some resolvers still have your TXT record cached, but {provider}'s own nameservers no longer have it, so it does not count. If you have just saved it again, there is nothing more to do.",
  },
} as const satisfies Record<string, Cause>
