// A view for every state of a deployment. One that the contract adds does not compile
// until it has a view here.

import type { Received } from '@petstore-platform/contract/platform/client'
import type { DeploymentState } from '@petstore-platform/contract/platform/deployments'
import { CircleDashed, CircleX, Globe, Hourglass, type LucideIcon } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import type { Tone } from '../ui/badge.tsx'

export type Deployment = Received<'getDeployment'>

type View = { label: string; tone: Tone; icon: LucideIcon; isRunning: boolean }

const { states } = texts.site
const views: Record<DeploymentState, View> = {
  queued: { label: states.queued, tone: 'wait', icon: Hourglass, isRunning: true },
  building: { label: states.building, tone: 'wait', icon: Hourglass, isRunning: true },
  succeeded: { label: states.succeeded, tone: 'plain', icon: Globe, isRunning: false },
  failed: { label: states.failed, tone: 'bad', icon: CircleX, isRunning: false },
}

/** A deployment that succeeded but was superseded before it was published explains why. */
export const viewOf = ({ state, reason }: Deployment): View =>
  state === 'succeeded' && reason !== null
    ? { label: texts.site.notShown, tone: 'plain', icon: CircleDashed, isRunning: false }
    : views[state]
