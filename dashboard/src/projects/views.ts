// A view for every role, plan and limit, and a text for every reason why a short name is
// not available. One that the contract adds does not compile until it has them.

import type { Received } from '@petstore-platform/contract/platform/client'
import type { Role } from '@petstore-platform/contract/platform/operation'
import type { Limits, PlanName, SlugReason } from '@petstore-platform/contract/platform/projects'
import * as texts from '../texts/texts.ts'
import type { Tone } from '../ui/badge.tsx'

const words = texts.projects

export type ListedProject = Received<'listProjects'>[number]
export type Member = Received<'listMembers'>[number]
export type Invitation = Received<'listInvitations'>[number]

type Key = Received<'listKeys'>[number]

/** The keys that the person created and that are accepted. */
export const activeKeysOf = (keys: readonly Key[], account: string, now: number): Key[] =>
  keys.filter(
    ({ createdBy, revokedAt, expiresAt }) =>
      createdBy === account && revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now),
  )

export const roleViews: Readonly<Record<Role, { label: string; text: string }>> = words.roles
/** The lowest role first. */
export const roleList = Object.keys(roleViews) as Role[]

export const planViews: Readonly<Record<PlanName, { label: string; text: string; tone: Tone }>> = {
  free: { ...words.plans.free, tone: 'plain' },
  pro: { ...words.plans.pro, tone: 'good' },
  enterprise: { ...words.plans.enterprise, tone: 'good' },
}

export const limitLabels: Readonly<Record<keyof Limits, string>> = words.plan.limits
export const limitList = Object.keys(limitLabels) as (keyof Limits)[]

export const reasonWords: Readonly<Record<SlugReason, (slug: string) => string>> = words.create.reasons

/** Numbers of bytes in larger units, all others as they are. */
export const amountOf = (limit: keyof Limits, amount: number): string =>
  limit === 'photoBytes' ? words.plan.bytes(amount) : words.plan.count(amount)
