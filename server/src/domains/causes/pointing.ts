// Pointing causes: where the name points, and the records that get in the way.

import type { Cause } from './cause.ts'

export const pointingCauses = {
  'dns.no_record': {
    severity: 'blocks',
    actor: 'owner',
    text: 'There is no record for {host} yet{instead}. At {provider}, add {fields}.{otherwise}',
  },
  'dns.conflict_a': {
    severity: 'blocks',
    actor: 'owner',
    text: 'An A record for {host} sends visitors to `{ip}`{owner_hint}. {fix}',
  },
  'dns.conflict_aaaa': {
    severity: 'blocks',
    actor: 'owner',
    text: 'An AAAA (IPv6) record for {host} sends visitors to `{ip}`, which is not our server. Delete it: browsers and certificate checks prefer IPv6.{afterwards}',
  },
  'dns.a_instead_of_cname': {
    severity: 'blocks',
    actor: 'owner',
    text: '{host} has {type} with our address. Delete it, then {add}: our addresses can change, and an address does not identify your store.',
  },
  'dns.cname_wrong': {
    severity: 'blocks',
    actor: 'owner',
    text: '{host} points to `{found}`. Change the value to {target}.',
  },
  'dns.cname_other_project': {
    severity: 'blocks',
    actor: 'owner',
    text: '{host} points to another store here (`{found}`). Change the value to {target}, or add the domain in that store.',
  },
  'dns.cname_unknown_project': {
    severity: 'blocks',
    actor: 'owner',
    text: '{host} points to `{found}`, but there is no store with that name. Change the value to {target}.',
  },
  'dns.cname_bare_platform_host': {
    severity: 'blocks',
    actor: 'owner',
    text: "{host} points to `{found}`, which does not identify a store. Put your store's name in front: {target}.",
  },
  'dns.cname_former_host': {
    severity: 'warns',
    actor: 'owner',
    text: '{host} works, but it points to `{found}`, an earlier address of ours that will end one day. Change the value to {target}.',
  },
  'dns.cname_typo': {
    severity: 'blocks',
    actor: 'owner',
    text: 'Almost: {host} points to `{found}`, but we need {target} ({difference}). Change the value.',
  },
  'dns.cname_zone_appended': {
    severity: 'blocks',
    actor: 'owner',
    text: '{host} points to `{target}.{tail}`: your DNS provider added `{tail}` to the value. Put a dot at its end: `{target}.`',
  },
  'dns.cname_indirect': {
    severity: 'blocks',
    actor: 'owner',
    text: '{host} reaches us only through {via}. Point it directly to {target}.',
  },
  'dns.name_doubled': {
    severity: 'blocks',
    actor: 'owner',
    text: 'The record was created as `{host}.{apex}`, because your DNS provider appends `{apex}` automatically. Edit its Name to {short}.',
  },
  'dns.mixed_targets': {
    severity: 'blocks',
    actor: 'owner',
    text: 'Only {m} of the {n} addresses of {host} are ours, so some visitors reach the wrong site at random. Delete {list}.',
  },
  'dns.multiple_cname': {
    severity: 'blocks',
    actor: 'owner',
    text: 'There are several CNAME records for {host}, to {list}. Keep only one, to {target}.',
  },
  'dns.cname_with_others': {
    severity: 'blocks',
    actor: 'owner',
    text: '{host} has a CNAME and also other records ({types}); DNS does not allow that. Delete those or move them to another name, or use another subdomain for your site.',
  },
  'dns.apex_cname_illegal': {
    severity: 'blocks',
    actor: 'owner',
    text: '{host} itself cannot have a CNAME: it would hide your other records, such as those for mail. Delete it, then {add}.',
  },
  'dns.apex_no_alias': {
    severity: 'blocks',
    actor: 'owner',
    text: 'There is no record for {host} yet, and {provider} has no ALIAS record, which a domain without a subdomain needs. Choose: (1) add {addresses}, with the TXT record below; (2) use www.{apex} and forward {apex} to it; (3) move DNS to a provider with ALIAS.',
  },
  'dns.apex_by_address': {
    severity: 'informs',
    actor: 'owner',
    text: '{host} works. It uses fixed IP addresses: if ours ever change, you will have to update these records.',
  },
  'dns.alias_stale': {
    severity: 'waits',
    actor: 'third_party',
    text: '{host} still has addresses that we used earlier. {provider} refreshes ALIAS records slowly. Nothing to do; we check every minute.',
  },
  'dns.url_forwarding': {
    severity: 'blocks',
    actor: 'owner',
    text: 'Web forwarding by {provider} is on for {host}. Turn it off, then {add}.',
  },
  'dns.parked': {
    severity: 'blocks',
    actor: 'owner',
    text: '{host} still shows a parking page of {provider}. Remove the parking record, then {add}.',
  },
  'dns.chain_too_long': {
    severity: 'blocks',
    actor: 'owner',
    text: '{host} goes through too many CNAME records ({chain}). Point it directly to {target}.',
  },
  'dns.cname_loop': {
    severity: 'blocks',
    actor: 'owner',
    text: 'The CNAME records of {host} form a loop ({chain}). Point it directly to {target}.',
  },
  'dns.wildcard_match': {
    severity: 'warns',
    actor: 'owner',
    text: '{host} seems to work only through a wildcard (`*`) record. Add a record of its own, so that a change to the wildcard cannot break it.',
  },
  'dns.reserved_ip': {
    severity: 'blocks',
    actor: 'owner',
    text: '{host} points to `{ip}`, an address inside a private network that no visitor can reach. Delete it, then {add}.',
  },
  'dns.record_disabled': {
    severity: 'warns',
    actor: 'owner',
    text: 'Nothing has changed at {provider} since our first check. If you have already created the record, choose Save or Publish there.',
  },
  'dns.wrong_zone_edited': {
    severity: 'blocks',
    actor: 'owner',
    text: 'The record exists at {other}, but {apex} uses other nameservers: {ns}{whose}. Add the record there instead.',
  },
} as const satisfies Record<string, Cause>
