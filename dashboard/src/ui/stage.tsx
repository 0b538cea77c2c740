// The stage of a request, in the words of the project's kind. One that is added to the contract does not compile until
// it has a view here.

import type { OrderStage } from '@petstore-platform/contract/platform/orders'
import type { ProjectKind } from '@petstore-platform/contract/platform/projects'
import * as texts from '../texts/texts.ts'
import { Badge, type Tone } from './badge.tsx'

const words = texts.stages

const views: Readonly<Record<OrderStage, { label: (kind: ProjectKind) => string; tone: Tone }>> = {
  new: { label: () => words.new, tone: 'wait' },
  talking: { label: () => words.talking, tone: 'warn' },
  visit: { label: () => words.visit, tone: 'plum' },
  approved: { label: () => words.approved, tone: 'good' },
  completed: { label: (kind) => words.completed[kind], tone: 'good' },
  declined: { label: () => words.declined, tone: 'plain' },
  withdrawn: { label: () => words.withdrawn, tone: 'plain' },
  closed: { label: () => words.closed, tone: 'plain' },
  expired: { label: () => words.expired, tone: 'plain' },
}

export const stageLabel = (stage: OrderStage, kind: ProjectKind): string => views[stage].label(kind)

export const StageBadge = ({ stage, kind }: { stage: OrderStage; kind: ProjectKind }) => (
  <Badge tone={views[stage].tone}>{views[stage].label(kind)}</Badge>
)
