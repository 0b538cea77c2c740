// The limits that projects and the features to their right need. The plans folder is to the right of projects, so its
// rules are passed as an argument.

import type { AccountLimits } from '../accounts/account-limits.ts'
import type { Limits, PlanName } from '@petstore-platform/contract/platform/projects'

/** Of a project, by its plan. */
export type PlanLimit =
  | keyof Limits
  | 'photos'
  | 'idempotencyKeys'
  | 'storedBytes'
  | 'importBytes'
  | 'openImports'
  | 'openRequests'
  | 'endedRequests'
  | 'deployments'
  | 'auditEvents'
  | 'visitorMails'
  | 'streams'

/** The same for all plans. */
export type OtherLimit =
  | 'unpaidProjects'
  | 'projectsPerDay'
  | 'projectsEver'
  | 'invitationsPerDay'
  | 'newAccountInvitationsPerDay'
  | 'newAccountDays'
  | 'deletedProjectDays'
  | 'endedKeyDays'
  | 'endedKeys'
  | 'endedImports'
  | 'domainEvents'
  | 'removedDomainDays'
  | 'auditDays'
  | 'connections'
  | 'edgeConnections'
  | 'unknownConnections'
  | 'unknownGroupConnections'
  | 'accountStreams'
  | 'processStreams'
  | 'accountUploadBytes'
  | 'processUploadBytes'
  | keyof AccountLimits

/** Rows that a trigger counts in the transaction that writes them (`row_counts`). */
export type CountedRows = Extract<PlanLimit, 'animals' | 'photos' | 'idempotencyKeys'>

export type PlanRules = Readonly<{
  /** What is shown of a plan. */
  limitsOf(plan: PlanName): Limits
  most(plan: PlanName, what: PlanLimit): number
  /** The error if `more`, by default one, does not fit on top of current usage; undefined if it does. */
  overLimit(plan: PlanName, what: PlanLimit, used: number, more?: number): Error | undefined
  other: Readonly<Record<OtherLimit, number>>
}>
