// A view for every status of an animal and every state of an import. One that is added to
// the contract does not compile until it has a view here.

import type { PetStatus } from '@petstore-platform/contract/pets'
import type { ImportState } from '@petstore-platform/contract/platform/imports'
import * as texts from '../texts/texts.ts'
import type { Tone } from '../ui/badge.tsx'

const { statuses, bulk, imports } = texts.animals

type StatusView = {
  label: string
  tone: Tone
  /** What it means for visitors to set it. */
  meaning: string
}
export const statusViews: Record<PetStatus, StatusView> = {
  available: { label: statuses.available, tone: 'good', meaning: bulk.frees },
  pending: { label: statuses.pending, tone: 'warn', meaning: bulk.keeps },
  sold: { label: statuses.sold, tone: 'wait', meaning: bulk.sells },
}
export const statusList = Object.keys(statusViews) as PetStatus[]
export const statusOptions = statusList.map((value) => ({ value, label: statusViews[value].label }))

type ImportView = { label: string; tone: Tone; isGoing: boolean }
export const importViews: Record<ImportState, ImportView> = {
  uploading: { label: imports.states.uploading, tone: 'plain', isGoing: false },
  queued: { label: imports.states.queued, tone: 'wait', isGoing: true },
  running: { label: imports.states.running, tone: 'wait', isGoing: true },
  succeeded: { label: imports.states.succeeded, tone: 'good', isGoing: false },
  failed: { label: imports.states.failed, tone: 'bad', isGoing: false },
}
