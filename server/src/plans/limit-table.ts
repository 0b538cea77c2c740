// The one table of limits: how much a project has by its plan, an account, an address group, a domain, a process, an edge. Pure
// data: what is limited and in which unit, how much at most, what happens beyond it, and the reason. docs/limits.md is printed
// from it. What features to the left of this folder decide is theirs and named here; features to the right take their figures
// from here, so that no figure exists twice.

import type { PlanName } from '@petstore-platform/contract/platform/projects'
import { accountLimits } from '../accounts/account-limits.ts'
import { queueRules } from '../accounts/sign-in/password-queue.ts'
import { ASKED_PER_HOUR, AUTOMATIC_PER_HOUR } from '../certificates/retry-schedule.ts'
import { QUERIES_AT_ONCE } from '../foundation/dns/query-rate-limit.ts'
import { admissionRules } from '../foundation/load/admission.ts'
import type { OtherLimit, PlanLimit } from '../projects/plan-rules.ts'

export type PerPlan = Readonly<Record<PlanName, number>>

/** `beyond`: the code of the refusal, or what happens instead of one. */
type About = Readonly<{ beyond: string; because: string }>

/** `words`: one of it, and several. */
export type LimitOfPlan = About & Readonly<{ most: PerPlan; words: readonly [one: string, several: string] }>
export type OneLimit = About & Readonly<{ most: number; unit: string }>
/** `setting`: where the default is, which an installation changes. */
export type LimitBySetting = About & Readonly<{ setting: string; unit: string }>

const MiB = 1_048_576
const GiB = 1024 * MiB

const oldest = 'the oldest is removed'
const busy = 'service_unavailable'

const perPlan = (free: number, pro: number, enterprise: number): PerPlan => ({ free, pro, enterprise })

const ofPlan = (
  most: PerPlan,
  words: LimitOfPlan['words'],
  because: string,
  beyond = 'plan_required',
): LimitOfPlan => ({ most, words, because, beyond })

/** Of a project, by its plan. `LIMITS` overrides them. */
export const planTable: Readonly<Record<PlanLimit, LimitOfPlan>> = {
  animals: ofPlan(
    perPlan(100_000, 1_000_000, 100_000_000),
    ['animal', 'animals'],
    'rows and index entries of animals are most of the database',
  ),
  members: ofPlan(perPlan(10, 50, 100), ['member', 'members'], 'all are listed on one page, and mailed'),
  keys: ofPlan(perPlan(10, 100, 1000), ['API key', 'API keys'], 'each process caches the active ones'),
  importRows: ofPlan(
    perPlan(100_000, 1_000_000, 10_000_000),
    ['row in one import', 'rows in one import'],
    'one import occupies a worker for as long as its rows take',
    'the import is refused with a sentence',
  ),
  customDomains: ofPlan(
    perPlan(0, 10, 1000),
    ['custom domain', 'custom domains'],
    'each is checked for ever, and authorities grant few certificates',
    'domain_limit_reached; plan_required where the plan has none',
  ),
  photos: ofPlan(perPlan(10_000, 500_000, 20_000_000), ['photo', 'photos'], 'each becomes up to 27 files'),
  photoBytes: ofPlan(
    perPlan(250_000_000, 20_000_000_000, 1_000_000_000_000),
    ['byte of photos', 'bytes of photos'],
    'the disk of the object store',
  ),
  idempotencyKeys: ofPlan(
    perPlan(100_000, 1_000_000, 100_000_000),
    ['request with an Idempotency-Key in 24 hours', 'requests with an Idempotency-Key in 24 hours'],
    'each is stored for 24 hours, so that it can be repeated safely',
  ),
  storedBytes: ofPlan(
    perPlan(64 * MiB, GiB, 20 * GiB),
    ['byte of imports, logos, deployments and texts', 'bytes of imports, logos, deployments and texts'],
    'the disk of the database: counted when something is written',
  ),
  importBytes: ofPlan(
    perPlan(32 * MiB, 256 * MiB, 2048 * MiB),
    ['byte in one import', 'bytes in one import'],
    'the file is stored until the import has ended',
  ),
  openImports: ofPlan(
    perPlan(2, 5, 10),
    ['unfinished import', 'unfinished imports'],
    'the files of unfinished imports are stored',
    'limit_reached',
  ),
  openRequests: ofPlan(
    perPlan(500, 5000, 50_000),
    ['open request', 'open requests'],
    'any visitor can send one, and a flood must leave the list usable',
    'the page of the site says so',
  ),
  endedRequests: ofPlan(
    perPlan(5000, 50_000, 500_000),
    ['ended request', 'ended requests'],
    'declined, withdrawn, closed or expired more than 90 days ago',
    oldest,
  ),
  deployments: ofPlan(
    perPlan(50, 200, 1000),
    ['deployment', 'deployments'],
    'besides the current one; each is a snapshot of the site',
    oldest,
  ),
  auditEvents: ofPlan(
    perPlan(100_000, 1_000_000, 10_000_000),
    ['audit event', 'audit events'],
    'every action adds one',
    'the oldest are removed',
  ),
  visitorMails: ofPlan(
    perPlan(100, 2000, 20_000),
    ['mail to visitors in a day', 'mails to visitors in a day'],
    'a form that anyone can fill in must not send mail without end',
    'the mail is left out',
  ),
  streams: ofPlan(
    perPlan(100, 500, 2000),
    ['open event stream', 'open event streams'],
    'open in one process; each is a connection and memory',
    'rate_limited',
  ),
}

const one = (most: number, unit: string, because: string, beyond: string): OneLimit => ({ most, unit, because, beyond })

/** The same for all plans. `LIMITS` overrides them as well. */
export const otherTable: Readonly<Record<OtherLimit, OneLimit>> = {
  unpaidProjects: one(5, 'projects on the plan free of an owner', 'what is free would be unlimited', 'limit_reached'),
  projectsPerDay: one(5, 'projects that an account creates in a day', 'deleted ones occupy room', 'limit_reached'),
  projectsEver: one(50, 'projects of an account, deleted ones too', 'slugs are never reused', 'limit_reached'),
  invitationsPerDay: one(
    50,
    'invitations of an account in a day',
    'each is a mail to a person who did not ask for it',
    'rate_limited',
  ),
  newAccountInvitationsPerDay: one(10, 'the same of a new account', 'it may be that of a spammer', 'rate_limited'),
  newAccountDays: one(
    7,
    'days for which an account is new',
    'the smaller number of invitations applies so long',
    'the larger one applies',
  ),
  deletedProjectDays: one(
    7,
    'days for which what a deleted project leaves is kept',
    'nothing reads it any longer',
    'it is erased',
  ),
  endedKeyDays: one(
    90,
    'days for which an API key that was revoked or has expired is listed',
    'a leak is looked into afterwards',
    'it is removed',
  ),
  endedKeys: one(1000, 'such API keys of a project', 'rotated by a program, they would grow for ever', oldest),
  endedImports: one(500, 'imports of a project that have ended', 'they are a history', oldest),
  domainEvents: one(1000, 'events of a domain', 'they are a history', oldest),
  removedDomainDays: one(
    30,
    'days for which a domain that was removed keeps its token and its history',
    'it may be added again',
    'they are removed',
  ),
  auditDays: one(400, 'days for which audit events are kept', 'a year, and some time to read it', 'they are removed'),
  connections: one(
    256,
    'connections of an address group to one process of serve or edge; of its network ten times as many',
    'sockets and memory',
    'rate_limited',
  ),
  edgeConnections: one(
    2000,
    'connections to the listener for edges',
    'a busy edge has about 300',
    'the oldest of the client that has the most is closed',
  ),
  unknownConnections: one(
    64,
    'of these, connections that have not authenticated a request',
    'strangers must not keep edges out',
    'the oldest is closed',
  ),
  unknownGroupConnections: one(
    16,
    'the same of an address group',
    'one address must not take the places of all',
    'the oldest is closed',
  ),
  accountStreams: one(10, 'open event streams of an account, in one process', 'all tabs share one', 'rate_limited'),
  processStreams: one(5000, 'open event streams of a process', 'each is a connection and memory', 'rate_limited'),
  accountUploadBytes: one(
    40_000_000,
    'bytes of photos that an account is uploading',
    'slow uploads in all of its projects must leave room for others',
    'rate_limited',
  ),
  processUploadBytes: one(
    640_000_000,
    'bytes of photos that are being uploaded to a process',
    'they are in temporary files',
    'the slowest upload of the account that has most ends, or rate_limited',
  ),
  sessions: one(accountLimits.sessions, 'sessions of an account', 'any sign-in adds one', 'the oldest ends'),
  passkeyChallenges: one(
    accountLimits.passkeyChallenges,
    'challenges of an address group',
    'any visitor of the sign-in page can request them',
    oldest,
  ),
}

const set = (setting: string, unit: string, because: string, beyond: string): LimitBySetting => ({
  setting,
  unit,
  because,
  beyond,
})

const waits = 'it waits'

/** Of a process, an edge and what it contacts; figures of the program. */
export const processLimits = {
  requestsInFlight: one(
    admissionRules.most,
    `requests of a process in progress; fewer, down to ${admissionRules.least}, while responses are slow`,
    'a response that comes too late is wasted work',
    busy,
  ),
  queuedRequestsInFlight: one(
    admissionRules.mostOfOwnQueues,
    'sign-ins, traces, exports and imports among them, which have queues of their own',
    'their time says nothing about the load',
    busy,
  ),
  passwordsHashed: one(
    queueRules.atOnce,
    'passwords that a process hashes at a time',
    'half of its threads',
    'those who have tried less often come first',
  ),
  passwordsWaiting: one(queueRules.waitingMax, 'passwords that wait for that', 'later ones would time out', busy),
  passwordsWaitingOfGroup: one(
    queueRules.waitingPerGroupMax,
    'of these, passwords of an address group, or of an account',
    'hashing is the most expensive work that a stranger can request',
    busy,
  ),
  uploadsStored: one(
    8,
    'photos that a process stores at a time',
    'up to 160 MB are in memory',
    `${waits} for 30 s; ${busy}`,
  ),
  photosFetched: one(64, 'photos that a worker stores which imports have fetched', 'more than they ever fetch', waits),
  photosOfHost: one(
    2,
    'photos that imports of all projects fetch from one host',
    'it is a server of a stranger',
    'projects take turns',
  ),
  jobsOfKind: one(
    6,
    'jobs of each kind in a worker at a time',
    'more than the projects of one account on the plan free, each of which has one at most',
    waits,
  ),
  domainChecks: one(32, 'checks of domains in a worker at a time', 'most of a check is waiting for nameservers', waits),
  certificateOrders: one(
    16,
    'certificate orders in a worker at a time',
    'most of an order is waiting for the authority',
    waits,
  ),
  domainChecksPerMinute: one(
    30,
    'checks of a domain that its members request in a minute, and checks of names in a project',
    'a person who presses Verify stays below it, a program that never stops does not',
    'rate_limited',
  ),
  automaticOrdersPerHour: one(
    AUTOMATIC_PER_HOUR,
    'automatic attempts for the certificate of a name in an hour',
    'authorities count failures',
    waits,
  ),
  requestedOrdersPerHour: one(
    ASKED_PER_HOUR,
    'the same with those that a person requested',
    'authorities count failures',
    waits,
  ),
  dnsQueries: one(
    QUERIES_AT_ONCE,
    'DNS queries of a process that are in progress',
    'each is a socket',
    'the query is reported as not sent',
  ),
  challengesOfEdge: one(
    64,
    'challenges that an edge looks up at the control plane',
    'guessing tokens must not cause more requests',
    'answered as unknown',
  ),
  certificatesFetched: one(
    8,
    'certificates that an edge fetches in advance',
    'the control plane serves others too',
    waits,
  ),
  keysOfEdge: one(
    1000,
    'private keys that an edge receives in an hour; twice as many as there are names if that is fewer, and 100 at least; `EDGE_KEYS_PER_HOUR` overrides it',
    'a stolen edge is no way to all keys at once',
    'rate_limited',
  ),
} as const satisfies Readonly<Record<string, OneLimit>>

/** Those that an installation changes by a setting of their own. */
export const settingLimits: readonly LimitBySetting[] = [
  set(
    'DATABASE_POOL_MAX',
    'connections of a process to PostgreSQL',
    'PostgreSQL has few',
    `projects take turns; ${busy}`,
  ),
  set(
    'RATE_LIMIT_PER_KEY',
    'requests of an API key in a window',
    'one program must leave room for others',
    'rate_limited',
  ),
  set('RATE_LIMIT_PER_PROJECT', 'requests with the API keys of a project in a window', 'the same', 'rate_limited'),
  set('RATE_LIMIT_PER_ACCOUNT', 'requests of a person in a window', 'the same', 'rate_limited'),
  set(
    'RATE_LIMIT_PER_VISITOR',
    'requests of an address group that is not signed in, in a window',
    'the same',
    'rate_limited',
  ),
  set(
    'RATE_LIMIT_FAILED_AUTHENTICATIONS',
    'requests of an address group without a valid key or token, in a window',
    'guessing; a valid one is never rejected because of it',
    'rate_limited',
  ),
  set('RATE_LIMIT_SIGN_INS_PER_ADDRESS', 'failed sign-ins of an address group in a minute', 'guessing', 'rate_limited'),
  set(
    'RATE_LIMIT_SIGN_INS_PER_ACCOUNT',
    'wrong passwords for an account in an hour, from all new devices',
    'guessing; other ways to sign in stay open',
    'password_not_accepted',
  ),
  set(
    'RATE_LIMIT_RESERVATIONS_PER_ADDRESS',
    'forms of an address group in a window',
    'a form cannot empty a shop window',
    'the page says so',
  ),
  set('RATE_LIMIT_RESERVATIONS_PER_PROJECT', 'forms sent to a project in a window', 'the same', 'the page says so'),
  set('REQUESTS_PER_ADDRESS', 'requests of an address group to a project in a day', 'the same', 'the page says so'),
  set('REQUESTS_PER_NETWORK', 'the same of its network', 'the same', 'the page says so'),
  set('REQUESTS_UNCONFIRMED', 'requests to a project that wait for a confirmation', 'the same', 'the page says so'),
  set('SMTP_PER_SECOND', 'mails in a second', 'the relay may have a limit', waits),
  set('SMTP_CONNECTIONS', 'connections to the relay, for notifications', 'the relay may have a limit', waits),
  set(
    'DNS_QUESTIONS_PER_SECOND',
    'queries to one nameserver in a second',
    'it belongs to others',
    'it waits, or is reported as not sent',
  ),
  set(
    'ACME_ORDERS_PER_3_HOURS',
    'orders that an authority grants in three hours',
    'four fifths of them are used, half of that for renewals alone',
    waits,
  ),
  set('EDGE_PHOTO_BYTES', 'bytes of photos on the disk of an edge', 'the disk', oldest),
]
