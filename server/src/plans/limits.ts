// The one table of limits: how much a project has by its plan, an account, an address group, a domain. Pure. What every
// table of the database may hold follows from it (caps.ts). An installation can override any of them (limits-file.ts);
// features receive the result as an argument, and none of them knows a number of its own.

import { plans, type PlanName } from '@petstore-platform/contract/platform/projects'
import { accountLimits } from '../accounts/account-limits.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { OtherLimit, PlanLimit, PlanRules } from '../projects/plan-rules.ts'

export type PerPlan = Readonly<Record<PlanName, number>>

const perPlan = (free: number, pro: number, enterprise: number): PerPlan => ({ free, pro, enterprise })

const MiB = 1_048_576
const GiB = 1024 * MiB

/** Of a project, by its plan. */
export const planLimits = {
  animals: perPlan(100_000, 1_000_000, 100_000_000),
  members: perPlan(10, 50, 100),
  keys: perPlan(10, 100, 1000),
  importRows: perPlan(100_000, 1_000_000, 10_000_000),
  customDomains: perPlan(0, 10, 1000),
  photos: perPlan(10_000, 500_000, 20_000_000),
  photoBytes: perPlan(250_000_000, 20_000_000_000, 1_000_000_000_000),
  /** Requests of 24 hours that can be repeated safely. */
  idempotencyKeys: perPlan(100_000, 1_000_000, 100_000_000),
  /** Files of imports, logos, deployments and the texts of the site. */
  storedBytes: perPlan(64 * MiB, GiB, 20 * GiB),
  importBytes: perPlan(32 * MiB, 256 * MiB, 2048 * MiB),
  openImports: perPlan(2, 5, 10),
  openRequests: perPlan(500, 5000, 50_000),
  /** Declined, withdrawn, closed or expired more than 90 days ago; the oldest are removed. */
  endedRequests: perPlan(5000, 50_000, 500_000),
  /** Besides the current one; the oldest is removed. */
  deployments: perPlan(50, 200, 1000),
  /** The oldest are removed. */
  auditEvents: perPlan(100_000, 1_000_000, 10_000_000),
  /** In a day; reaching it refuses nothing: the mail is left out. */
  visitorMails: perPlan(100, 2000, 20_000),
  /** Open event streams, in one process. */
  streams: perPlan(100, 500, 2000),
} as const satisfies Readonly<Record<PlanLimit, PerPlan>>

/** The same for all plans. */
export const otherLimits = {
  /** Of an account: projects on the plan `free` that it owns. */
  unpaidProjects: 5,
  /** Of an account. */
  projectsPerDay: 5,
  /** Of an account, deleted ones too: slugs are never reused. */
  projectsEver: 50,
  /** Of an account; each is a mail to a person who did not ask for it. */
  invitationsPerDay: 50,
  newAccountInvitationsPerDay: 10,
  /** For how long an account is new. */
  newAccountDays: 7,
  /** For how long what a deleted project leaves is kept. */
  deletedProjectDays: 7,
  /** For how long API keys that were revoked or have expired are listed, and how many of a project. */
  endedKeyDays: 90,
  endedKeys: 1000,
  /** Of a project; the oldest are removed. */
  endedImports: 500,
  /** Of a domain; the oldest makes room. */
  domainEvents: 1000,
  /** For how long a domain that its project removed keeps its token and its history. */
  removedDomainDays: 30,
  auditDays: 400,
  /** Open at a time, of an address group to one process of `serve` or `edge`, of its network ten times as many. */
  connections: 256,
  /** The same at the listener for edges, in all: one busy edge has about 300. */
  edgeConnections: 2000,
  /** Of these, as long as none of its requests has been authenticated: in all, and of an address group. */
  unknownConnections: 64,
  unknownGroupConnections: 16,
  /** Open event streams of an account, in one process. */
  accountStreams: 10,
  /** Open event streams of a process, in all. */
  processStreams: 5000,
  /** Of an account and of a process, of photos whose upload is under way. */
  accountUploadBytes: 40_000_000,
  processUploadBytes: 640_000_000,
  ...accountLimits,
} as const satisfies Readonly<Record<OtherLimit, number>>

export type LimitTable = Readonly<{
  ofPlan: Readonly<Record<PlanLimit, PerPlan>>
  other: Readonly<Record<OtherLimit, number>>
}>

export const defaultLimits: LimitTable = { ofPlan: planLimits, other: otherLimits }

export function planRulesOf({ ofPlan, other }: LimitTable): PlanRules {
  const most = (plan: PlanName, what: PlanLimit): number => ofPlan[what][plan]
  return {
    other,
    most,
    limitsOf: (plan) => ({
      animals: most(plan, 'animals'),
      members: most(plan, 'members'),
      keys: most(plan, 'keys'),
      importRows: most(plan, 'importRows'),
      customDomains: most(plan, 'customDomains'),
      photoBytes: most(plan, 'photoBytes'),
    }),
    overLimit(plan, what, used, more = 1) {
      const limit = most(plan, what)
      return used + more <= limit ? undefined : refusalOf(ofPlan, plan, what, used)
    },
  }
}

/** With the limits that an installation has unless it overrides them. */
export const defaultRules = planRulesOf(defaultLimits)

/** Says which limit it is, how much the plan includes, and what can be done. */
function refusalOf(ofPlan: LimitTable['ofPlan'], plan: PlanName, what: PlanLimit, used: number): Refusal {
  const most = ofPlan[what][plan]
  const [one, several] = words[what]
  const included = most === 0 ? `no ${several}` : `${most} ${most === 1 ? one : several}`
  const inUse = used === 0 ? '' : `; ${used} ${used === 1 ? 'is' : 'are'} in use`
  return new Refusal('plan_required', `The plan '${plan}' includes ${included}${inUse}.`)
}

/** Singular and plural. */
const words: Readonly<Record<PlanLimit, readonly [one: string, several: string]>> = {
  animals: ['animal', 'animals'],
  members: ['member', 'members'],
  keys: ['API key', 'API keys'],
  importRows: ['row in one import', 'rows in one import'],
  customDomains: ['custom domain', 'custom domains'],
  photos: ['photo', 'photos'],
  idempotencyKeys: ['request with an Idempotency-Key in 24 hours', 'requests with an Idempotency-Key in 24 hours'],
  photoBytes: ['byte of photos', 'bytes of photos'],
  storedBytes: ['byte of imports, logos, deployments and texts', 'bytes of imports, logos, deployments and texts'],
  importBytes: ['byte in one import', 'bytes in one import'],
  openImports: ['unfinished import', 'unfinished imports'],
  openRequests: ['open request', 'open requests'],
  endedRequests: ['ended request', 'ended requests'],
  deployments: ['deployment', 'deployments'],
  auditEvents: ['audit event', 'audit events'],
  visitorMails: ['mail to visitors in a day', 'mails to visitors in a day'],
  streams: ['open event stream', 'open event streams'],
}

/** What a larger plan includes is never less. */
export const isOrdered = (limit: PerPlan): boolean =>
  plans.every((plan, index) => index === 0 || limit[plan] >= limit[plans[index - 1] ?? plan])
