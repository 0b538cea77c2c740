// A view for every step, status, state and group of the overview. One that the contract
// adds does not compile until it has a view here.

import type { Received } from '@petstore-platform/contract/platform/client'
import type { DeploymentState } from '@petstore-platform/contract/platform/deployments'
import type { OverviewStep } from '@petstore-platform/contract/platform/overview'
import * as texts from '../texts/texts.ts'
import type { Tone } from '../ui/badge.tsx'

const { steps, site, domains } = texts.start

export type Overview = Received<'getOverview'>

/** With the field of the page, if it is about one. */
type StepView = { title: string; text: string; action: string; to: StepPath; hash?: string }
type StepPath =
  | '/projects/$project/animals'
  | '/projects/$project/site'
  | '/projects/$project/settings/plan'
  | '/projects/$project/settings/domains'

export const stepViews: Readonly<Record<OverviewStep, StepView>> = {
  animals: { ...steps.animals, to: '/projects/$project/animals' },
  contact: { ...steps.contact, to: '/projects/$project/site', hash: 'email' },
  about: { ...steps.about, to: '/projects/$project/site', hash: 'about' },
  look: { ...steps.look, to: '/projects/$project/site', hash: 'look' },
  publish: { ...steps.publish, to: '/projects/$project/site' },
  plan: { ...steps.plan, to: '/projects/$project/settings/plan' },
  domain: { ...steps.domain, to: '/projects/$project/settings/domains' },
  live: { ...steps.live, to: '/projects/$project/settings/domains' },
}

export const deploymentViews: Readonly<Record<DeploymentState, { label: string; tone: Tone }>> = {
  queued: { label: site.states.queued, tone: 'wait' },
  building: { label: site.states.building, tone: 'wait' },
  succeeded: { label: site.states.succeeded, tone: 'good' },
  failed: { label: site.states.failed, tone: 'bad' },
}

/** Groups that require action first. */
export const domainViews: Readonly<
  Record<keyof Overview['domains'], { label: (count: number) => string; tone: Tone }>
> = {
  needAction: { label: domains.groups.needAction, tone: 'warn' },
  live: { label: domains.groups.live, tone: 'good' },
  waiting: { label: domains.groups.waiting, tone: 'wait' },
  others: { label: domains.groups.others, tone: 'plain' },
}
