// Every state with every event: the expected transitions, and no others.

import { deploymentStates } from '@petstore-platform/contract/platform/deployments'
import { expect, test } from 'vitest'
import { canBePublished, isFinal, nextState, type DeploymentEvent } from './lifecycle.ts'

const events: readonly DeploymentEvent[] = ['begin', 'succeed', 'fail']

test('a deployment is queued, built, and then succeeds or fails permanently', () => {
  const happens = deploymentStates.flatMap((state) =>
    events.flatMap((event) => {
      const next = nextState(state, event)
      return next === undefined ? [] : [`${state} ${event} ${next}`]
    }),
  )
  expect(happens).toEqual([
    'queued begin building',
    'queued fail failed',
    'building begin building',
    'building succeed succeeded',
    'building fail failed',
  ])
  expect(deploymentStates.filter(isFinal)).toEqual(['succeeded', 'failed'])
  expect(deploymentStates.filter(canBePublished)).toEqual(['succeeded'])
})
