// Serving causes: problems of a domain that is, or was, live.

import type { Cause } from './cause.ts'

export const servingCauses = {
  'tls.not_yet_deployed': {
    severity: 'waits',
    actor: 'platform',
    text: 'The certificate has been issued and is being deployed to our servers. If the browser warns about a private connection, wait a few minutes and retry in a fresh browser session.',
  },
  'tls.cached_by_browser': {
    severity: 'informs',
    actor: 'owner',
    text: 'We serve the right certificate now (valid until {date}). An old one is cached: retry in a fresh browser session.',
  },
  'tls.wrong_cert_served': {
    severity: 'blocks',
    actor: 'platform',
    text: 'Visitors get a certificate for {found}. {proxy_hint}',
  },
  'tls.expiring': {
    severity: 'warns',
    actor: 'owner',
    text: 'The certificate is valid until {date}; renewal is blocked because: {cause}.',
  },
  'tls.expired': {
    severity: 'blocks',
    actor: 'owner',
    text: 'The certificate expired on {date} because: {cause}.',
  },
  'renew.failing': {
    severity: 'warns',
    actor: 'owner',
    text: 'Your site works; the certificate is valid until {date}. Renewal is blocked because: {cause}.',
  },
  'drift.pointed_away': {
    severity: 'warns',
    actor: 'owner',
    text: '{host} now points to `{found}`. If you moved it on purpose, choose Remove; otherwise restore the record.',
  },
  'drift.address_retired': {
    severity: 'warns',
    actor: 'owner',
    text: 'Our address `{ip}` will be retired on {date}. Change it to `{ip4}`, or use ALIAS.',
  },
  'drift.domain_expired': {
    severity: 'blocks',
    actor: 'owner',
    text: '{apex} seems to have expired at your registrar. Renew it there; we will check again automatically and bring the site back.',
  },
  'redir.target_not_live': {
    severity: 'warns',
    actor: 'platform',
    text: '{to} is not live, so the redirect from {from} is paused and {from} shows the site. The redirect resumes automatically.',
  },
  'redir.from_not_pointing': {
    severity: 'blocks',
    actor: 'owner',
    text: 'Visitors to {from} cannot reach us yet. Add its record: {record}.',
  },
  'redir.external_loop': {
    severity: 'warns',
    actor: 'owner',
    text: '{url} redirects back to {from}. Turn that redirect off.',
  },
  'redir.cached_chain': {
    severity: 'informs',
    actor: 'owner',
    text: 'We serve: {status} to {location}. Your browser has cached an older redirect; try a fresh browser session.',
  },
  'redir.hsts_blocked': {
    severity: 'warns',
    actor: 'owner',
    text: 'Browsers insist on HTTPS for {apex}; visitors see an error until the certificate is installed (a few minutes).',
  },
  'primary.cert_dead': {
    severity: 'blocks',
    actor: 'platform',
    text: '{primary} has no valid certificate, so redirects to it are paused and the site is shown at {target}.',
  },
  'remove.still_pointing': {
    severity: 'informs',
    actor: 'owner',
    text: 'Removed. Your DNS still points here; delete the record at {provider}. No other store can use it, but visitors see an error page.',
  },
  'remove.edge_unreachable': {
    severity: 'waits',
    actor: 'platform',
    text: 'Removed on {k} of {n} servers. {list} cannot be reached at the moment and will stop serving it once they reconnect.',
  },
} as const satisfies Record<string, Cause>
