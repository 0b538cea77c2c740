// A view for every step, status, state and group of the overview. One that the contract
// adds does not compile until it has a view here.

import type { OrderStatus } from '@petstore/contract/orders'
import type { Received } from '@petstore/contract/platform/client'
import type { DeploymentState } from '@petstore/contract/platform/deployments'
import type { OverviewStep } from '@petstore/contract/platform/overview'
import { texts } from '../texts/texts.ts'
import type { Tone } from '../ui/badge.tsx'

const { steps, orders, publishing, domains } = texts.start

export type Overview = Received<'getOverview'>

type StepView = { title: string; text: string; does: string; to: StepPath }
type StepPath =
  | '/projects/$project/animals'
  | '/projects/$project/site'
  | '/projects/$project/settings/plan'
  | '/projects/$project/settings/domains'

export const stepViews: Readonly<Record<OverviewStep, StepView>> = {
  animals: { ...steps.animals, to: '/projects/$project/animals' },
  publish: { ...steps.publish, to: '/projects/$project/site' },
  plan: { ...steps.plan, to: '/projects/$project/settings/plan' },
  domain: { ...steps.domain, to: '/projects/$project/settings/domains' },
  live: { ...steps.live, to: '/projects/$project/settings/domains' },
}

export const orderViews: Readonly<Record<OrderStatus, { label: string; tone: Tone }>> = {
  placed: { label: orders.statuses.placed, tone: 'warn' },
  approved: { label: orders.statuses.approved, tone: 'good' },
  delivered: { label: orders.statuses.delivered, tone: 'good' },
  declined: { label: orders.statuses.declined, tone: 'plain' },
  expired: { label: orders.statuses.expired, tone: 'plain' },
}

export const deploymentViews: Readonly<Record<DeploymentState, { label: string; tone: Tone }>> = {
  queued: { label: publishing.states.queued, tone: 'wait' },
  building: { label: publishing.states.building, tone: 'wait' },
  succeeded: { label: publishing.states.succeeded, tone: 'good' },
  failed: { label: publishing.states.failed, tone: 'bad' },
}

type GroupView = { label: (count: number) => string; text: string; tone: Tone }

/** Groups that require action first. */
export const domainViews: Readonly<Record<keyof Overview['domains'], GroupView>> = {
  needAction: { label: domains.groups.needAction, text: domains.texts.needAction, tone: 'warn' },
  live: { label: domains.groups.live, text: domains.texts.live, tone: 'good' },
  waiting: { label: domains.groups.waiting, text: domains.texts.waiting, tone: 'wait' },
  others: { label: domains.groups.others, text: domains.texts.others, tone: 'plain' },
}
