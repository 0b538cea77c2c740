// Reachability causes: the servers that respond at the addresses, and the proxies in front of them.

import type { Cause } from './cause.ts'

export const reachCauses = {
  'http.not_us': {
    severity: 'blocks',
    actor: 'owner',
    text: '`{ip}` answers for {host}, but it is not our server (server: {server}). If it is your own proxy, set its origin to {target} and pass on the Host header; otherwise replace its record with the one shown below.',
  },
  'http.timeout': {
    severity: 'blocks',
    actor: 'owner',
    text: '`{ip}` does not answer on port 80. If it is not your own proxy, replace its record with the one shown below; otherwise allow port 80.',
  },
  'http.refused': {
    severity: 'blocks',
    actor: 'owner',
    text: '`{ip}` refuses connections on port 80. If it is not your own proxy, replace its record with the one shown below; otherwise allow port 80.',
  },
  'http.reset': {
    severity: 'blocks',
    actor: 'owner',
    text: '`{ip}` closes the connection on port 80; often this is a firewall. Allow port 80 for everyone, or replace its record with the one shown below.',
  },
  'http.ipv6_broken': {
    severity: 'blocks',
    actor: 'owner',
    text: 'The IPv6 address `{ip}` does not work. Delete the AAAA record.',
  },
  'http.ip_discrepancy': {
    severity: 'warns',
    actor: 'owner',
    text: 'The addresses of {host} answer differently: {list}. Keep only the records shown below.',
  },
  'http.bad_redirect': {
    severity: 'blocks',
    actor: 'owner',
    text: '{host} redirects certificate checks to `{url}`. Exclude `/.well-known/acme-challenge/`.',
  },
  'http.challenge_intercepted': {
    severity: 'blocks',
    actor: 'owner',
    text: 'A firewall or login page blocks `/.well-known/acme-challenge/`. Allow it for everyone.',
  },
  'proxy.cloudflare_ok': {
    severity: 'informs',
    actor: 'owner',
    text: 'Traffic reaches us through Cloudflare, which is fine. Keep the SSL/TLS mode at Full (strict).',
  },
  'proxy.cloudflare_blocks': {
    severity: 'blocks',
    actor: 'owner',
    text: 'The orange cloud is on for {name}. Set it to DNS only (grey), wait for Live, then switch it back if you like.',
  },
  'proxy.cloudflare_flexible_loop': {
    severity: 'blocks',
    actor: 'owner',
    text: 'In Cloudflare set SSL/TLS mode to Full (strict); Flexible causes an endless redirect.',
  },
  'proxy.cloudflare_1014': {
    severity: 'blocks',
    actor: 'owner',
    text: 'Cloudflare refuses this link between two accounts (error 1014). Set the record to DNS only.',
  },
  'proxy.cloudflare_1000': {
    severity: 'blocks',
    actor: 'owner',
    text: 'Cloudflare refuses an address that is its own (error 1000). Use the CNAME, DNS only.',
  },
  'proxy.cloudflare_52x': {
    severity: 'blocks',
    actor: 'owner',
    text: 'Cloudflare cannot reach us ({status}). Set SSL/TLS mode to Full (strict), or the record to DNS only.',
  },
  'proxy.cloudflare_always_https': {
    severity: 'warns',
    actor: 'owner',
    text: 'Turn off Always Use HTTPS until the certificate is installed.',
  },
  'proxy.other_cdn': {
    severity: 'blocks',
    actor: 'owner',
    text: '{cdn} is in front of {host}. {fix}',
  },
  'acme.dns01_txt_conflict': {
    severity: 'blocks',
    actor: 'owner',
    text: 'Delete the TXT record `_acme-challenge.{short}`; it blocks automatic certificates. Keep only the CNAME.',
  },
  'acme.dns01_cname_missing': {
    severity: 'blocks',
    actor: 'owner',
    text: 'Add CNAME `_acme-challenge.{short}` with value {acme_target}.',
  },
  'acme.dns01_cname_wrong': {
    severity: 'blocks',
    actor: 'owner',
    text: '`_acme-challenge.{short}` points to `{found}`; it must be {acme_target}.',
  },
} as const satisfies Record<string, Cause>
