// The caps of the tables that belong to projects, and of the entries of projects in directories. Pure. The bytes of a row
// are those of its longest texts at four bytes a character, with its index entries.

import { CATEGORIES_MAX } from '@petstore-platform/contract/platform/animals'
import { SHARES_MAX } from '@petstore-platform/contract/platform/domain-sharing'
import { INVITATIONS_MAX } from '@petstore-platform/contract/platform/members'
import { notificationTopics } from '@petstore-platform/contract/platform/notifications'
import { NOTES_MAX } from '@petstore-platform/contract/platform/orders'
import { PASSKEYS_MAX } from '@petstore-platform/contract/platform/passkeys'
import { PHOTOS_KEPT, capsPer, constant, each, key, limit, limitAnd, operator, rate, type Caps } from './cap.ts'
import { REPORTS_PER_DAY, REPORT_DAYS } from './retention.ts'

/** The default of REQUESTS_UNCONFIRMED. */
const UNCONFIRMED_MAX = 100
const withProject = 'never: a slug is never used again'
const withTheProject = 'deletedProjectDays after the project was deleted'

export const capsOfProjects = capsPer('project', {
  projects: [key, 1500, 'createProject: unpaidProjects, projectsPerDay, projectsEver', withProject],
  slug_directory: [key, 200, 'createProject', withProject],
  stored_usage: [constant(4), 200, 'primary key: one of each kind', withTheProject],
  row_counts: [
    constant(300),
    200,
    'one for each connection that wrote one of three kinds; merged daily',
    withTheProject,
  ],
  project_usage: [key, 200, 'primary key', withTheProject],
  site_secrets: [key, 150, 'primary key', withTheProject],
  request_settings: [key, 200, 'primary key', withTheProject],
  domain_settings: [key, 200, 'primary key', withTheProject],
  sites: [key, 'storedBytes', 'putSite: storedBytes', withTheProject],
  published: [key, 200, 'primary key', 'replaced by the next deployment'],
  members: [limit('members'), 250, 'acceptInvitation: members', 'when the member leaves'],
  member_directory: [each('members'), 200, 'with the member', 'with the member'],
  notification_settings: [
    each('members', notificationTopics.length),
    200,
    'primary key: one of each topic',
    'with the member',
  ],
  invitations: [
    constant(INVITATIONS_MAX),
    2000,
    'createInvitation: 100 open ones, invitationsPerDay',
    'when it is accepted',
  ],
  invitation_directory: [each('invitations', 3), 300, 'the oldest link makes room', 'with the invitation'],
  invited_directory: [each('invitations'), 400, 'with the invitation', 'with the invitation'],
  plan_requests: [operator(100), 6500, 'requestPlan: one at a time, until the operator answers', withTheProject],
  api_keys: [limit('keys', 'endedKeys'), 900, 'createKey: keys'],
  key_directory: [each('api_keys'), 200, 'with the key', 'with the key'],
  audit: [limit('auditEvents'), 3000, 'the oldest make room, every night'],
  pets: [limit('animals'), 4500, 'createPet, createAnimal, duplicateAnimal, imports: animals', 'deleteAnimal'],
  pet_profiles: [each('pets'), 'storedBytes', 'putProfile: storedBytes', 'with the animal'],
  // 7 of a name, 4 of each breed and the chip number.
  pet_words: [each('pets', 16), 700, 'with the animal: 40 characters of each of its first words', 'with the animal'],
  categories: [constant(CATEGORIES_MAX), 1200, 'createCategory', 'deleteCategory'],
  photos: [limit('photos'), 2500, 'addPhoto: photos, photoBytes', 'deletePhoto'],
  objects: [
    each('photos', 9 * PHOTOS_KEPT),
    'photoBytes',
    'addPhoto: photoBytes',
    '7 days after the photo, or at once beyond photoBytes of them in a week',
  ],
  idempotency: [limit('idempotencyKeys'), 4000, 'createPet: idempotencyKeys'],
  imports: [limit('openImports', 'endedImports'), 20_000, 'createImport: openImports'],
  import_parts: [
    limit('openImports'),
    'storedBytes',
    'putImportPart: importBytes, storedBytes',
    'when the import has ended',
  ],
  import_rows: [
    limit('importRows'),
    'storedBytes',
    'readImport: importRows, storedBytes',
    '7 days after the import has ended',
  ],
  blobs: [limit('deployments'), 'storedBytes', 'putLogo: storedBytes', 'when no deployment uses it'],
  deployments: [limit('deployments'), 'storedBytes', 'deploy: storedBytes', 'when there are more than deployments'],
  orders: [limit('openRequests', 'endedRequests'), 60_000, 'requests of visitors: openRequests'],
  order_notes: [each('orders', NOTES_MAX), 'storedBytes', 'addNote: storedBytes', 'with the request'],
  request_confirmations: [
    constant(UNCONFIRMED_MAX),
    60_000,
    'requests of visitors: REQUESTS_UNCONFIRMED',
    'a day later',
  ],
  // As many that were removed.
  domains: [limit('customDomains', 'customDomains'), 6000, 'addDomain: customDomains'],
  domain_events: [each('domains', 'domainEvents'), 2000, 'the oldest makes room', 'with the domain'],
  domain_looks: [each('domains'), 300_000, 'primary key', 'with the domain'],
  domain_mails: [each('domains', 400), 500, 'one open of each cause', 'with the last of its domains'],
  mailed_domains: [each('domain_mails'), 300, 'primary key', 'with the alert'],
  redirects: [each('domains'), 300, 'primary key', 'with the domain'],
  address_announcements: [constant(100), 1000, 'one of each change of addresses', withTheProject],
  share_directory: [each('domains', SHARES_MAX), 300, 'shareDomain'],
  hostname_directory: [each('domains'), 600, 'addDomain', 'never: generations only increase'],
  holder_directory: [each('domains', 10), 700, 'with the domain', 'never: it shows who held a name, and when'],
  sighting_directory: [
    each('domains'),
    700,
    'primary key',
    'never: a name that pointed at a free slug stays protected',
  ],
  route_directory: [each('domains', 2), 1200, 'with the domain'],
  certificate_wishes: [each('domains'), 1500, 'with the domain'],
  certificate_orders: [each('certificate_wishes', 50), 10_000, 'one at a time'],
  certificate_challenges: [each('certificate_orders'), 1500, 'with the order'],
  certificates: [each('certificate_wishes', 3), 90_000, 'with the order'],
  due_directory: [
    // Of a photo, its processing, and in two weeks that overlap the removal of its files; of a project, its upkeep and sweep.
    limitAnd(
      UNCONFIRMED_MAX + 10,
      ...(['photos', 'photos', 'photos', 'openImports', 'endedImports', 'openRequests'] as const),
      ...(['deployments', 'customDomains'] as const),
    ),
    250,
    'with what is due',
    'when the work is done',
  ],
  mail_directory: [rate(2000, 30), 2500, 'limits of each kind of mail'],
})

// The caps of the tables that an installation has once: what its operator and its migrations write, and what is counted
// for all projects together.

export const capsOfInstallation = capsPer('installation', {
  schema_migrations: [operator(1000), 400, 'petstore migrate', 'never'],
  edge_directory: [operator(1000), 1100, 'petstore edges add', 'never: a revoked edge stays listed'],
  route_clock: [constant(1), 100, 'primary key', 'never'],
  last_backup: [constant(1), 100, 'primary key', 'never'],
  mail_secrets: [constant(3), 150, 'one for each purpose', 'never'],
  mail_relay_failures: [constant(2), 300, 'one for each queue', 'when the relay accepts a mail'],
  mail_counts: [rate(10 * 86_400, 2), 400, 'SMTP_PER_SECOND'],
  mail_suppressions: [
    rate(10 * 86_400, 365),
    250,
    'one for each address that mail came back from',
    'when it is verified',
  ],
  revocation_directory: [rate(1200 * 1440, 1 / 24), 250, 'limits of requests'],
  site_reports: [rate(REPORTS_PER_DAY, REPORT_DAYS), 9000, 'limit of reports'],
  tombstone_directory: [rate(1200 * 1440, 35), 250, 'limits of requests', 'when it is written to TOMBSTONES_DIRECTORY'],
  authority_accounts: [operator(10), 8000, 'one for each of ACME_DIRECTORIES', 'never'],
  authority_uses: [rate(100_000, 8), 300, 'ACME_ORDERS_PER_3_HOURS'],
  certificate_clients: [rate(2400, 8), 300, 'ACME_ORDERS_PER_3_HOURS'],
})

// The caps of the tables of accounts, and of what visitors can cause before they have one.

export const capsOfAccounts = capsPer('account', {
  accounts: [key, 3500, 'createAccount: a link for each address', 'deleteAccount'],
  sessions: [limit('sessions'), 700, 'the oldest ends'],
  known_devices: [constant(20), 300, 'the one that was not used for longest makes room'],
  access_tokens: [constant(100), 900, 'createAccessToken', 'when it is revoked'],
  passkeys: [constant(PASSKEYS_MAX), 6000, 'addPasskey', 'removePasskey'],
  recovery_codes: [constant(10), 250, 'ten at a time', 'when it is used, or others are created'],
  email_changes: [rate(120, 8), 2500, 'changeEmail: one at a time, limit of requests'],
  account_links: [rate(120, 8), 600, 'limits of each kind of mail'],
  account_audit: [rate(2880, 365), 1700, 'limit of requests that change an account'],
})

/** Kept so briefly that the rate at which they can be requested bounds them. */
export const capsOfVisitors = capsPer('address group', {
  passkey_challenges: [limit('passkeyChallenges'), 400, 'the oldest is removed'],
  recovery_requests: [rate(30 * 60 * 24, 1 / 24), 2500, 'requestRecovery: limit of attempts'],
  sign_up_requests: [rate(30 * 60 * 24, 1), 2500, 'requestSignUp: limit of attempts'],
  sign_up_links: [rate(30 * 60 * 24, 1), 500, 'with the request', 'with the request'],
  sign_in_failures: [rate(100 * 24, 1), 150, 'limits of failed sign-ins', 'when the person of the account signs in'],
  rate_directory: [rate(30 * 60 * 24, 1), 250, 'one row for each that is counted'],
  former_addresses: [rate(1, 3), 1500, 'deleteAccount'],
})

/** The caps of every table: a test compares this list with PostgreSQL's catalogue. */
export const caps: Caps = { ...capsOfProjects, ...capsOfAccounts, ...capsOfVisitors, ...capsOfInstallation }
