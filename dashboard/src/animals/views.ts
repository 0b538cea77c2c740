// A view for every status of an animal, in the words of the project's kind. One that is added to the contract does not compile until it has a view here.

import type { PetStatus } from '@petstore-platform/contract/pets'
import type { ProjectKind } from '@petstore-platform/contract/platform/projects'
import * as texts from '../texts/texts.ts'
import type { Tone } from '../ui/badge.tsx'

const { statuses, bulk } = texts.animals

type StatusView = {
  tone: Tone
  /** What it means for visitors to set it. */
  meaning: string
}
export const statusViews: Record<PetStatus, StatusView> = {
  available: { tone: 'good', meaning: bulk.frees },
  pending: { tone: 'warn', meaning: bulk.keeps },
  sold: { tone: 'wait', meaning: bulk.sells },
}
export const statusList = Object.keys(statusViews) as PetStatus[]

export const statusLabel = (status: PetStatus, kind: ProjectKind): string => statuses[kind][status]
export const statusOptions = (kind: ProjectKind) =>
  statusList.map((value) => ({ value, label: statusLabel(value, kind) }))
