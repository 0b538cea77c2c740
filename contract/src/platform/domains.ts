// Custom domains: a hostname of the owner, added to a project and checked until it is correct,
// with the cause whenever it is not. No operation requires removing a domain in order to try
// again.

import { Type } from 'typebox'
import { cursor, limitOf, type Parameter } from '../parameters.ts'
import {
  Domain,
  DomainCheck,
  DomainEvents,
  DomainRemoval,
  DomainSettings,
  Domains,
  HOSTNAME_LENGTH_MAX,
  REDIRECTS_MAX,
  Redirect,
  TYPED_LENGTH_MAX,
  hostname,
  settingsVersion,
} from './domain-shapes.ts'
import { member, projectSlug, type PlatformOperation } from './operation.ts'

const typedHostname = Type.Unsafe<string>({
  type: 'string',
  minLength: 1,
  maxLength: TYPED_LENGTH_MAX,
  description: 'As typed by the owner; a pasted URL is reduced to its hostname.',
})
const HostnameToCheck = Type.Object(
  { hostname: typedHostname },
  { $id: 'HostnameToCheck', additionalProperties: false },
)
const NewDomain = Type.Object(
  {
    hostname: typedHostname,
    redirectTo: Type.Optional(
      Type.Unsafe<string>({
        ...hostname,
        description:
          'Another domain of this project, to which visitors are redirected with status 301 once both are live. It does not have to be live yet.',
      }),
    ),
  },
  { $id: 'NewDomain', additionalProperties: false },
)
const PrimaryChoice = Type.Object(
  { hostname, version: Type.Optional(settingsVersion) },
  { $id: 'PrimaryChoice', additionalProperties: false },
)
const RedirectsChange = Type.Object(
  {
    version: settingsVersion,
    primary: Type.Optional(hostname),
    redirects: Type.Array(Redirect, { maxItems: REDIRECTS_MAX }),
  },
  { $id: 'RedirectsChange', additionalProperties: false },
)

const typedFault = `'hostname' must be text of 1 to ${TYPED_LENGTH_MAX} characters.`
const hostnameFault = `'hostname' must be text of 1 to ${HOSTNAME_LENGTH_MAX} characters.`
const redirectToFault = `'redirectTo' must be text of 1 to ${HOSTNAME_LENGTH_MAX} characters.`
const primaryFault = `'primary' must be text of 1 to ${HOSTNAME_LENGTH_MAX} characters.`
const versionFault = "'version' must be the version at which the settings were read, an integer from 0."

/** A hostname that the project has not added is not found. */
export const hostnameParameter: Parameter<string, 'path'> = {
  in: 'path',
  description: 'Hostname of the domain.',
  schema: { type: 'string' },
  refusal: 'not_found',
  component: 'Hostname',
  example: 'www.happy-paws.example',
}
const parameters = { project: projectSlug, hostname: hostnameParameter }

const at = '2026-11-14T22:00:00Z'
const removal = { removedAt: at, edges: [{ edge: 'frankfurt-1', confirmedAt: at, isConnected: true }] }
/** As examples show it. */
export const diagnosis = {
  rootCause: {
    code: 'dns.conflict_a',
    severity: 'blocks',
    actor: 'owner',
    advice:
      'An **A record** for www sends visitors to `192.0.2.7` and blocks the CNAME. Delete it, then add the CNAME.',
    until: null,
  },
  also: [],
  records: [
    {
      type: 'CNAME',
      name: 'www',
      fullName: 'www.happy-paws.example',
      value: 'happy-paws.petstore.example',
      ttl: 3600,
      have: [{ line: 'A 192.0.2.7', todo: 'delete' }],
      state: 'conflicting',
      action: 'delete_others',
      required: true,
    },
  ],
  propagation: {
    note: 'A DNS change can take up to 48 hours to be visible everywhere; most are visible within minutes. The current value may stay cached for about 5 minutes after you change it.',
    until: null,
  },
  provider: { id: 'cloudflare', name: 'Cloudflare', dnsPage: 'https://dash.cloudflare.com/' },
  evidence: [
    {
      server: 'ada.ns.cloudflare.com (192.0.2.53)',
      question: 'A www.happy-paws.example',
      answer: 'A 192.0.2.7',
      ms: 12,
    },
  ],
  evidenceAt: at,
}
const names = { hostname: 'www.happy-paws.example', displayName: 'www.happy-paws.example', kind: 'subdomain' }
const listed = {
  id: 'dom_5e0c2b9a7d1f4c3b2a190807',
  ...names,
  status: 'action_required',
  nextCheckAt: '2026-11-14T22:00:05Z',
  until: null,
  isPrimary: false,
  redirect: null,
  addedAt: at,
  verifiedAt: null,
  liveAt: null,
}
const summary = { ...listed, rootCause: diagnosis.rootCause }
const domain = {
  ...listed,
  axes: { ownership: 'unproven', proof: null, routing: 'conflict', certificate: 'none' },
  ...diagnosis,
  certificate: null,
}
const settings = {
  version: 3,
  primary: 'www.happy-paws.example',
  redirects: [{ from: 'happy-paws.example', to: 'www.happy-paws.example', status: 301 }],
}
const oneName = { summary: 'A subdomain', value: { hostname: 'www.happy-paws.com' } }

export const checkDomain = {
  operationId: 'checkDomain',
  method: 'POST',
  path: '/projects/{project}/domains/check',
  tag: 'domains',
  access: 'viewer',
  summary: 'Check a hostname',
  description:
    'Diagnoses a hostname before it is added: the required records next to the current ones, and what blocks verification. Nothing is stored or reserved. Responds within 5 seconds.',
  parameters: { project: projectSlug },
  body: { schema: HostnameToCheck, faults: { hostname: typedFault }, examples: { one: oneName } },
  success: {
    status: 200,
    description: 'The diagnosis.',
    schema: DomainCheck,
    headers: [],
    example: {
      ...names,
      sibling: 'happy-paws.example',
      isReady: false,
      needs: [
        'First delete the other records for www, which are in the way.',
        'One record at Cloudflare: a CNAME for www.',
      ],
      ...diagnosis,
    },
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const addDomain = {
  operationId: 'addDomain',
  method: 'POST',
  path: '/projects/{project}/domains',
  tag: 'domains',
  access: 'admin',
  summary: 'Add domain',
  description:
    'Attaches a hostname to the project and checks it immediately. Other projects can add the same name; the project that proves ownership holds it. Requires the plan `pro` or above, and a deployed site. The first domain of a project that goes live becomes its primary domain, unless the owner has chosen one.',
  parameters: { project: projectSlug },
  body: {
    schema: NewDomain,
    faults: { hostname: typedFault, redirectTo: redirectToFault },
    examples: {
      one: oneName,
      sibling: {
        summary: 'The domain itself, redirected to www',
        value: { hostname: 'happy-paws.com', redirectTo: 'www.happy-paws.com' },
      },
    },
  },
  success: {
    status: 201,
    description: 'The domain, with the records to create.',
    schema: Domain,
    headers: ['Location'],
    example: domain,
  },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const listDomains = {
  operationId: 'listDomains',
  method: 'GET',
  path: '/projects/{project}/domains',
  tag: 'domains',
  access: 'viewer',
  summary: 'List domains',
  description: 'Sorted by hostname, without removed domains.',
  parameters: { project: projectSlug, limit: limitOf('domains'), cursor },
  success: {
    status: 200,
    description: 'The domains.',
    schema: Domains,
    headers: ['ETag', 'Link'],
    example: [summary],
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const getDomain = {
  operationId: 'getDomain',
  method: 'GET',
  path: '/projects/{project}/domains/{hostname}',
  tag: 'domains',
  access: 'viewer',
  summary: 'Show a domain',
  description:
    'Its status, the root cause if there is one, each required record next to the current one, what was observed, and the time of the next check.',
  parameters,
  success: { status: 200, description: 'The domain.', schema: Domain, headers: ['ETag'], example: domain },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const verifyDomain = {
  operationId: 'verifyDomain',
  method: 'POST',
  path: '/projects/{project}/domains/{hostname}/verify',
  tag: 'domains',
  access: 'admin',
  summary: 'Verify, or verify again',
  description:
    'Checks the domain now and returns the diagnosis within 5 seconds, with status 200 even if verification fails. It can be called any number of times; there is never a need to remove the domain first. A name that another project holds moves here by this call alone, and only with a fresh TXT record.',
  parameters,
  success: { status: 200, description: 'The domain as it is now.', schema: Domain, headers: [], example: domain },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const removeDomain = {
  operationId: 'removeDomain',
  method: 'DELETE',
  path: '/projects/{project}/domains/{hostname}',
  tag: 'domains',
  access: 'admin',
  summary: 'Remove a domain',
  description:
    'Visitors are no longer served there, and redirects from and to it are removed. If the address was shared, set up a redirect first. The same project may add it again at any time.',
  parameters,
  success: {
    status: 200,
    description: 'When it was removed, and which servers have confirmed it. Waits at most one second for all of them.',
    schema: DomainRemoval,
    headers: [],
    example: removal,
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const getDomainRemoval = {
  operationId: 'getDomainRemoval',
  method: 'GET',
  path: '/projects/{project}/domains/{hostname}/removal',
  tag: 'domains',
  access: 'viewer',
  summary: 'Show the progress of a removal',
  description:
    'For the latest removal of this name by this project: which servers have confirmed that they no longer serve it, and which have not yet.',
  parameters,
  success: {
    status: 200,
    description: 'When it was removed, and which servers have confirmed it.',
    schema: DomainRemoval,
    headers: [],
    example: removal,
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const getDomainSettings = {
  operationId: 'getDomainSettings',
  method: 'GET',
  path: '/projects/{project}/domains/settings',
  tag: 'domains',
  access: 'viewer',
  summary: 'Show primary and redirects',
  description: 'The primary domain of the project, and the redirects between its domains.',
  parameters: { project: projectSlug },
  success: { status: 200, description: 'The settings.', schema: DomainSettings, headers: ['ETag'], example: settings },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const setPrimaryDomain = {
  operationId: 'setPrimaryDomain',
  method: 'PUT',
  path: '/projects/{project}/domains/primary',
  tag: 'domains',
  access: 'admin',
  summary: 'Choose the primary domain',
  description:
    'Sets the main address of the site: once it is live, the default address redirects to it. With `version` the request is rejected if the settings have changed since that version.',
  parameters: { project: projectSlug },
  body: {
    schema: PrimaryChoice,
    faults: { hostname: hostnameFault, version: versionFault },
    examples: { one: { summary: 'One of the domains', value: { hostname: 'www.happy-paws.com', version: 2 } } },
  },
  success: { status: 200, description: 'The settings.', schema: DomainSettings, headers: [], example: settings },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const setRedirects = {
  operationId: 'setRedirects',
  method: 'PUT',
  path: '/projects/{project}/domains/redirects',
  tag: 'domains',
  access: 'admin',
  summary: 'Set redirects',
  description:
    'Replaces all redirects at once, based on the given version of the settings: all of them are stored, or none. Chains are shortened to a single redirect; a loop is rejected. With `primary` the primary domain is set in the same change.',
  parameters: { project: projectSlug },
  body: {
    schema: RedirectsChange,
    bytesMax: 1024 * 1024,
    faults: {
      version: versionFault,
      primary: primaryFault,
      redirects: `'redirects' must be a list of at most ${REDIRECTS_MAX} redirects, each with from, to and, if it is not 301, status.`,
    },
    examples: {
      one: {
        summary: 'From the apex to www',
        value: { version: 0, redirects: [{ from: 'happy-paws.com', to: 'www.happy-paws.com', status: 301 }] },
      },
    },
  },
  success: { status: 200, description: 'The settings.', schema: DomainSettings, headers: [], example: settings },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const listDomainEvents = {
  operationId: 'listDomainEvents',
  method: 'GET',
  path: '/projects/{project}/domains/{hostname}/history',
  tag: 'domains',
  access: 'viewer',
  summary: 'List the history of a domain',
  description: 'Newest first. Only changes are recorded; a check that found nothing new is not.',
  parameters: { ...parameters, limit: limitOf('events'), cursor },
  success: {
    status: 200,
    description: 'The events.',
    schema: DomainEvents,
    headers: ['ETag', 'Link'],
    example: [{ id: 1, at, kind: 'domain.added', code: null, detail: {} }],
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

/** Operations without a hostname in their path come first: every hostname contains a dot, so they hide none. */
export const domainOperations: readonly PlatformOperation[] = [
  checkDomain,
  addDomain,
  listDomains,
  getDomainSettings,
  setPrimaryDomain,
  setRedirects,
  getDomain,
  verifyDomain,
  removeDomain,
  getDomainRemoval,
  listDomainEvents,
]
