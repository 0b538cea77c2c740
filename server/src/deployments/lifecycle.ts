// The states of a deployment, and how it gets from one to the next: one table.
// What stands in no row does not happen. Beginning twice is no mistake, since a
// worker that died is followed by another one.

import type { DeploymentState } from '@petstore/contract/platform/deployments'

export type DeploymentEvent = 'begin' | 'succeed' | 'fail'

const table: Readonly<Record<DeploymentState, Partial<Record<DeploymentEvent, DeploymentState>>>> = {
  queued: { begin: 'building', fail: 'failed' },
  building: { begin: 'building', succeed: 'succeeded', fail: 'failed' },
  succeeded: {},
  failed: {},
}

/** The state after the event; undefined if it does not happen in this state. */
export const nextState = (state: DeploymentState, event: DeploymentEvent): DeploymentState | undefined =>
  table[state][event]

/** Nothing happens to it any more. */
export const isFinal = (state: DeploymentState): boolean => Object.keys(table[state]).length === 0

/** Only what was made without a fault may be shown again. */
export const canBePublished = (state: DeploymentState): boolean => state === 'succeeded'
