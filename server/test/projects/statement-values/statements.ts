// What the tests that run every statement need to know of it, beside its text.

import type { ProjectId } from '../../../src/projects/scope.io.ts'

/** The things of the north. Those that begin with `twin` have a namesake in the south, with the same identifier. */
export type North = {
  project: ProjectId
  keyId: string
  /** Asked for by somebody. */
  petId: string
  /** Nobody asked for it. */
  lonePetId: string
  categoryId: string
}

export type Statements = {
  /** What it is run with: the project first, and otherwise the things of the north. */
  values: Record<string, (project: bigint, north: North) => unknown[]>
  /** Mutants that change nothing, and why. That they change nothing is tested like everything else. */
  harmless?: Record<string, string>
  /** What is put behind a text so that what it wrote can be seen. */
  seen?: Record<string, string>
  /** Statements that do nothing where there is something already, and why that is. */
  idle?: Record<string, string>
  /** Statements that tell what is missing: so many rows say that there is nothing. */
  lacking?: Record<string, number>
}

export const BEGINNING = '9223372036854775807'
export const NORTHS_KEY = 'retry-of-the-north'
export const OWNER = 'acc_000000000000000000000001'
export const TWIN_PET = '4000000000000001'
export const TWIN_ORDER = '4000000000000002'
/** Of an animal of the north alone. */
export const CARRIED_CATEGORY = '77'
export const UPLOADING = 'imp_000000000000000000000001'
export const QUEUED = 'imp_000000000000000000000002'
/** The north shows the first, the south the second; both have both. */
export const TWIN_DEPLOYMENTS = ['dep_000000000000000000000001', 'dep_000000000000000000000002'] as const
/** Shown by both; used by the north alone; used by nobody. */
export const BLOBS = { shown: 'a'.repeat(64), used: 'b'.repeat(64), unused: 'c'.repeat(64) } as const
export const INVITATION = 'inv_000000000000000000000001'
export const EXPIRED_INVITATION = 'inv_000000000000000000000002'
/** Of the north alone, with all that can hang on it. */
export const DOMAIN = 'dom_000000000000000000000001'
export const NORTHS_HOSTNAME = 'shop.north.example.com'
/** The north had it once. */
export const REMOVED_HOSTNAME = 'gone.north.example.com'
/** Both have both, under names of their own; the first is the primary, and leads to the second. */
export const TWIN_DOMAINS = ['dom_000000000000000000000002', 'dom_000000000000000000000003'] as const
