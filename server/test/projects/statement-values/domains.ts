// Domains, their checks, their history, primary and redirects.

import { DOMAIN, NORTHS_HOSTNAME, REMOVED_HOSTNAME, TWIN_DOMAINS, type Statements } from './statements.ts'

const [FIRST, SECOND] = TWIN_DOMAINS
const NEW = 'dom_00000000000000000000000f'
const TOKEN = `petstore-verify=${'n'.repeat(28)}`
const AT = '2027-01-01T00:00:00Z'

export const domainStatements: Statements = {
  values: {
    'find-domain': (project) => [project, NORTHS_HOSTNAME],
    'find-domain-by-id': (project) => [project, DOMAIN],
    'lock-domain': (project) => [project, DOMAIN],
    'list-domains': (project) => [project, '', 100],
    'count-domains': (project) => [project],
    'last-token': (project) => [project, NORTHS_HOSTNAME],
    'insert-domain': (project) => [project, NEW, 'new.example.com', TOKEN, 0, [], AT],
    'save-domain': (project) => [
      project,
      DOMAIN,
      'unproven',
      null,
      'missing',
      'none',
      null,
      null,
      false,
      0,
      null,
      AT,
      AT,
      AT,
      AT,
      'dns.no_record',
      'blocks',
      null,
      AT,
      null,
      null,
      '0a',
      false,
      null,
    ],
    'watch-domain': (project) => [project, NORTHS_HOSTNAME, AT, AT],
    'save-token': (project) => [project, DOMAIN, TOKEN, 1, []],
    'insert-domain-event': (project) => [project, FIRST, AT, 'domain.live', null, '{}'],
    'list-domain-events': (project) => [project, DOMAIN, 1000, 100],
    'last-removal': (project) => [project, REMOVED_HOSTNAME],
    'list-domains-leading-here': (project) => [project, SECOND],
    'list-domain-leads': (project) => [project, [FIRST, DOMAIN]],
    'drop-redirects-of-domain': (project) => [project, FIRST],
    'drop-primary-domain': (project) => [project, FIRST],
    'find-domain-look': (project) => [project, DOMAIN],
    'list-domain-judgements': (project) => [project, [FIRST, DOMAIN]],
    'find-remembered-look': (project) => [project, DOMAIN],
    'save-domain-look': (project) => [project, FIRST, AT, '{"a":1}', '{}', '{}', '{}'],
    'find-domain-settings': (project) => [project],
    'find-primary-domain': (project) => [project],
    'open-domain-settings': (project) => [project],
    'hold-domain-settings': (project) => [project],
    'choose-primary-domain': (project) => [project, SECOND],
    'raise-domain-settings': (project) => [project],
    'list-redirects': (project) => [project],
    'drop-redirects': (project) => [project],
    'insert-redirects': (project) => [project, [SECOND], [FIRST], [301]],
    'lock-domain-places': (project) => [project],
    'verified-domains': (project) => [project, [DOMAIN]],
  },
  harmless: {
    'save-domain-look': 'a conflict on (project_id, domain_id) is always with the row of the same project',
  },
  seen: {
    'insert-domain-event': ' returning number',
  },
  idle: { 'open-domain-settings': 'the settings are there already' },
}
