// The explanation table lists which troubles are only consequences of another one, so that
// owners read the cause and not its consequences. `family.*` stands for every code of a
// family.

import { causeCodes, type CauseCode } from '../causes/causes.ts'

type Pattern = CauseCode | `${string}.*`

const everythingOfDns: readonly Pattern[] = [
  'zone.*',
  'own.*',
  'dns.*',
  'caa.*',
  'proxy.*',
  'http.*',
  'acme.*',
  'ca.*',
  'prop.*',
]
// If the nameservers are broken, a resolver that does not answer is their problem, not ours.
const faultyServers: readonly Pattern[] = ['caa.lookup_failed', 'ca.dns', 'platform.internal']
const brokenZone: readonly Pattern[] = [...faultyServers, 'ca.caa', 'prop.*', 'zone.servfail_other']
// The server at a wrong address is worth knowing as well, so `http.*` stays.
const elsewhere: readonly Pattern[] = ['ca.connection', 'ca.unauthorized', 'ca.tls', 'ca.dns']
const unanswered: readonly Pattern[] = ['ca.connection', 'ca.unauthorized', 'ca.tls']
const inFront: readonly Pattern[] = [
  'dns.conflict_a',
  'dns.conflict_aaaa',
  'http.not_us',
  'http.timeout',
  'http.refused',
  'http.reset',
  'http.bad_redirect',
  ...unanswered,
]

const table: Readonly<Partial<Record<CauseCode, readonly Pattern[]>>> = {
  'name.unregistered': everythingOfDns,
  'name.on_hold': everythingOfDns,
  'drift.domain_expired': ['name.unregistered', 'name.on_hold', ...everythingOfDns],
  'drift.pointed_away': ['own.lost', 'own.txt_missing', 'dns.*', 'proxy.*', 'http.*'],
  'plan.lapsed': ['platform.*', 'tls.*', 'redir.*'],

  'zone.dnssec_bogus': brokenZone,
  'zone.dnssec_ds_stale': ['zone.dnssec_bogus', ...brokenZone],
  'zone.dnssec_expired': ['zone.dnssec_bogus', ...brokenZone],
  'zone.servfail_other': [...faultyServers, 'prop.*'],
  'zone.lame_ns': faultyServers,
  'zone.ns_unreachable': faultyServers,
  'zone.edns_tcp_broken': [...faultyServers, 'zone.ns_unreachable'],
  'zone.case_0x20': faultyServers,
  'zone.geo_blocked': ['ca.mpic', 'ca.dns', 'prop.*'],
  'zone.subdelegated': ['dns.no_record', 'dns.apex_no_alias', 'own.txt_missing'],

  'own.contested': ['own.txt_missing', 'own.cname_older_than_project'],
  'own.cname_older_than_project': ['own.txt_missing'],

  'dns.wrong_zone_edited': ['dns.no_record', 'dns.apex_no_alias', 'own.txt_missing', 'zone.ns_mismatch_parent_child'],
  'dns.name_doubled': ['dns.no_record'],
  'dns.no_record': ['ca.dns', 'ca.connection'],
  'dns.parked': ['http.*', ...elsewhere],
  'dns.url_forwarding': ['http.*', ...elsewhere],
  'dns.reserved_ip': elsewhere,
  'dns.conflict_a': elsewhere,
  'dns.conflict_aaaa': elsewhere,
  'dns.mixed_targets': elsewhere,
  'dns.multiple_cname': elsewhere,
  'dns.cname_wrong': elsewhere,
  'dns.cname_typo': elsewhere,
  'dns.cname_zone_appended': ['ca.dns', ...elsewhere],
  'dns.cname_loop': ['ca.dns', 'caa.lookup_failed', 'zone.servfail_other', ...elsewhere],
  'dns.chain_too_long': ['ca.dns', 'caa.lookup_failed', 'zone.servfail_other', ...elsewhere],

  'caa.blocked': ['ca.caa'],
  'caa.blocked_by_deny_all': ['ca.caa'],
  'caa.account_bound': ['ca.caa'],
  'caa.method_bound': ['ca.caa'],
  'caa.critical_unknown': ['ca.caa'],
  'caa.lookup_failed': ['ca.caa', 'ca.dns'],

  // The addresses are the proxy's own: the owner has no record with them to delete.
  'proxy.cloudflare_blocks': inFront,
  'proxy.cloudflare_flexible_loop': inFront,
  'proxy.cloudflare_1014': inFront,
  'proxy.cloudflare_1000': inFront,
  'proxy.cloudflare_52x': inFront,
  'proxy.other_cdn': inFront,

  'http.not_us': unanswered,
  'http.timeout': unanswered,
  'http.refused': unanswered,
  'http.reset': unanswered,
  'http.ipv6_broken': ['dns.conflict_aaaa', ...unanswered],
  'http.bad_redirect': unanswered,
  'http.challenge_intercepted': unanswered,
}

const none: ReadonlySet<CauseCode> = new Set()
const explained = new Map(causeCodes.map((code) => [code, codesOf(table[code] ?? [], code)]))

/** The codes that are not reported if this one is. */
export const explainedBy = (code: CauseCode): ReadonlySet<CauseCode> => explained.get(code) ?? none

function codesOf(patterns: readonly Pattern[], explanation: CauseCode): ReadonlySet<CauseCode> {
  const isMeant = (code: CauseCode) =>
    patterns.some((pattern) => (pattern.endsWith('.*') ? code.startsWith(pattern.slice(0, -1)) : code === pattern))
  return new Set(causeCodes.filter((code) => code !== explanation && isMeant(code)))
}
