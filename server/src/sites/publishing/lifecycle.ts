// The states of a deployment and its transitions, in one table. Transitions that are not
// in the table do not happen. Beginning twice is allowed, since another worker takes over
// when one dies.

import type { DeploymentState } from '@petstore-platform/contract/platform/deployments'

export type DeploymentEvent = 'begin' | 'succeed' | 'fail'

const table: Readonly<Record<DeploymentState, Partial<Record<DeploymentEvent, DeploymentState>>>> = {
  queued: { begin: 'building', fail: 'failed' },
  building: { begin: 'building', succeed: 'succeeded', fail: 'failed' },
  succeeded: {},
  failed: {},
}

/** The state after the event; undefined if the event is not allowed in this state. */
export const nextState = (state: DeploymentState, event: DeploymentEvent): DeploymentState | undefined =>
  table[state][event]

/** True if no transition leaves the state. */
export const isFinal = (state: DeploymentState): boolean => Object.keys(table[state]).length === 0

/** Only a deployment that succeeded can be published again. */
export const canBePublished = (state: DeploymentState): boolean => state === 'succeeded'
