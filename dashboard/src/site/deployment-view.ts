// How each state of a deployment looks. One that the contract adds does not compile
// until it has a face here.

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

/** One that was made and, since something later was shown by then, never seen, says why. */
export const viewOf = ({ state, reason }: Deployment): View =>
  state === 'succeeded' && reason !== null
    ? { label: texts.site.notShown, tone: 'plain', isRunning: false }
    : views[state]
