// A view for every state of a deployment. One that the contract adds does not compile
// until it has a view here.

import type { Received } from '@petstore/contract/platform/client'
import type { DeploymentState } from '@petstore/contract/platform/deployments'
import { texts } from '../texts/texts.ts'
import type { Tone } from '../ui/badge.tsx'

export type Deployment = Received<'getDeployment'>

type View = { label: string; tone: Tone; isRunning: boolean }

const { states } = texts.site
const views: Record<DeploymentState, View> = {
  queued: { label: states.queued, tone: 'wait', isRunning: true },
  building: { label: states.building, tone: 'wait', isRunning: true },
  succeeded: { label: states.succeeded, tone: 'good', isRunning: false },
  failed: { label: states.failed, tone: 'bad', isRunning: false },
}

/** A deployment that succeeded but was superseded before it was published explains why. */
export const viewOf = ({ state, reason }: Deployment): View =>
  state === 'succeeded' && reason !== null
    ? { label: texts.site.notShown, tone: 'plain', isRunning: false }
    : views[state]
