// The lifecycle of a deployment, in one table: the state that follows from each fact. A fact is something that happened, in
// the past tense; a blank cell is a fact that changes nothing in this state. Work may begin twice, since another worker takes
// over when one dies.

import type { DeploymentState } from '@petstore-platform/contract/platform/deployments'

export const deploymentFacts = ['begun', 'succeeded', 'failed'] as const
export type DeploymentFact = (typeof deploymentFacts)[number]

export const deploymentTransitions: Readonly<
  Record<DeploymentState, Readonly<Partial<Record<DeploymentFact, DeploymentState>>>>
> = {
  queued: { begun: 'building', failed: 'failed' },
  building: { begun: 'building', succeeded: 'succeeded', failed: 'failed' },
  succeeded: {},
  failed: {},
}

/** True if no transition leaves the state. */
export const isFinal = (state: DeploymentState): boolean => Object.keys(deploymentTransitions[state]).length === 0

/** Only a deployment that succeeded can be published again. */
export const canBePublished = (state: DeploymentState): boolean => state === 'succeeded'
