// Every cell of the lifecycle of deployments, stated a second time as people read it.

import { deploymentStates } from '@petstore-platform/contract/platform/deployments'
import { expect, test } from 'vitest'
import { canBePublished, deploymentFacts, deploymentTransitions, isFinal } from './lifecycle.ts'

test('every cell is as stated here: a deployment is queued, built, and then succeeds or fails permanently', () => {
  const cells = deploymentStates.flatMap((state) =>
    deploymentFacts.flatMap((fact) => {
      const next = deploymentTransitions[state][fact]
      return next === undefined ? [] : [`${state} ${fact} ${next}`]
    }),
  )
  expect(cells).toEqual([
    'queued begun building',
    'queued failed failed',
    'building begun building',
    'building succeeded succeeded',
    'building failed failed',
  ])
  expect(deploymentStates.filter(isFinal)).toEqual(['succeeded', 'failed'])
  expect(deploymentStates.filter(canBePublished)).toEqual(['succeeded'])
})
