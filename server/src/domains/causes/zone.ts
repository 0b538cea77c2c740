// Zone causes: the zone, its nameservers and its signatures, and answers that are merely out
// of date.

import type { Cause } from './cause.ts'

export const zoneCauses = {
  'zone.lame_ns': {
    severity: 'warns',
    actor: 'owner',
    text: '{k} of {n} nameservers of {apex} do not answer correctly: {list}. At your registrar, enter only the nameservers that your DNS provider gave you, or ask the provider to set up {apex} on them.',
  },
  'zone.ns_unreachable': {
    severity: 'warns',
    actor: 'third_party',
    text: 'We get no answer from {list}. This is usually temporary, and we keep trying. If it lasts, ask {provider}.',
  },
  'zone.not_queried': {
    severity: 'waits',
    actor: 'platform',
    text: 'We could not query the DNS of {host}, so we do not know which records exist. If you have not created the records shown below yet, you can do that now; nothing else is needed. We keep trying, and continue automatically.',
  },
  'zone.ns_disagree': {
    severity: 'waits',
    actor: 'third_party',
    text: '{m} of {n} nameservers of {apex} already have your change. The others need a little longer. Nothing to do; we keep checking.',
  },
  'zone.ns_mismatch_parent_child': {
    severity: 'warns',
    actor: 'owner',
    text: 'Your registrar lists {parent} as nameservers of {apex}, but these list {own} themselves. Visitors may get old answers. Enter the same nameservers in both places.',
  },
  'zone.subdelegated': {
    severity: 'blocks',
    actor: 'owner',
    text: '{label} is run by other nameservers ({ns}) than {registered}. Add the record there, not at {provider}.',
  },
  'zone.dnssec_bogus': {
    severity: 'blocks',
    actor: 'owner',
    text: 'DNSSEC of {apex} is broken, so certificate authorities must refuse. At your registrar turn DNSSEC off (delete the DS record); it takes effect after {ttl}. Or have {provider} repair the keys.',
  },
  'zone.dnssec_ds_stale': {
    severity: 'blocks',
    actor: 'owner',
    text: 'DNSSEC of {apex} is broken: the DS record at your registrar (key tag {tag}) belongs to keys that are no longer used, most likely those of your previous DNS provider. Delete it there; that takes effect after {ttl}.',
  },
  'zone.dnssec_expired': {
    severity: 'blocks',
    actor: 'third_party',
    text: 'The DNSSEC signatures of {apex} expired on {date}. Ask {provider} to sign the domain again, or turn DNSSEC off at your registrar.',
  },
  'zone.servfail_other': {
    severity: 'blocks',
    actor: 'third_party',
    text: 'DNS queries for {host} return an error. Contact {provider} and quote: {detail}. We will check again automatically.',
  },
  'zone.edns_tcp_broken': {
    severity: 'blocks',
    actor: 'third_party',
    text: 'The nameservers of {apex} do not handle modern DNS queries correctly ({detail}). Ask {provider} to fix this, or move the DNS of {apex} to another provider.',
  },
  'zone.case_0x20': {
    severity: 'blocks',
    actor: 'third_party',
    text: 'The nameservers of {apex} change the letter case of queries ({list}), which certificate authorities rely on for security. Ask {provider} to fix this, or move the DNS of {apex} to another provider.',
  },
  'zone.geo_blocked': {
    severity: 'blocks',
    actor: 'owner',
    text: 'The DNS of {host} answers differently in different parts of the world. Certificate checks come from several continents. At {provider}, remove rules by country, and allow queries from everywhere.',
  },
  'prop.negative_cache': {
    severity: 'waits',
    actor: 'third_party',
    text: 'Your record is correct. Some resolvers have cached, until about {time}, that it did not exist. Nothing to do.',
  },
  'prop.old_ttl': {
    severity: 'waits',
    actor: 'third_party',
    text: 'Your record is correct. Some resolvers have the old value cached until about {time}. Nothing to do.',
  },
  'prop.ns_change': {
    severity: 'waits',
    actor: 'third_party',
    text: 'Your record is correct. You changed nameservers recently, and some resolvers use the old ones until about {time}. Until then keep the records at the old provider as well.',
  },
} as const satisfies Record<string, Cause>
