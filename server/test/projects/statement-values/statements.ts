// The data that tests need to run every statement, in addition to its text.

import type { ProjectId } from '../../../src/projects/scope.io.ts'

/** The rows of the north. Those that begin with `twin` have a counterpart in the south, with the same identifier. */
export type North = {
  project: ProjectId
  keyId: string
  /** Has an order. */
  petId: string
  /** Has no order. */
  lonePetId: string
  categoryId: string
}

export type Statements = {
  /** The values to run it with: the project first, and otherwise the rows of the north. */
  values: Record<string, (project: bigint, north: North) => unknown[]>
  /** Mutants that change nothing, and why. That they change nothing is tested like everything else. */
  harmless?: Record<string, string>
  /** Appended to a text so that the rows that it wrote are returned. */
  seen?: Record<string, string>
  /** Statements that do nothing where there is something already, and why that is. */
  idle?: Record<string, string>
  /** Statements that report what is missing: so many rows mean that there is nothing. */
  lacking?: Record<string, number>
}

export const BEGINNING = '9223372036854775807'
export const NORTHS_KEY = 'retry-of-the-north'
export const OWNER = 'acc_000000000000000000000001'
export const TWIN_PET = '4000000000000001'
/** Reserved in both. */
export const TWIN_RESERVED_PET = '4000000000000003'
export const TWIN_ORDER = '4000000000000002'
/** Of the status page of the twin order. */
export const SECRET_DIGEST = Buffer.alloc(32, 1)
/** Of both projects. */
export const REQUEST = 'req_000000000000000000000001'
export const REQUEST_DIGEST = Buffer.alloc(32, 1)
/** Of an animal of the north alone. */
export const CARRIED_CATEGORY = '77'
export const UPLOADING = 'imp_000000000000000000000001'
/** The north's twin has it, and nothing of the south. */
export const EXTERNAL_ID = 'N-1'
/** The north publishes the first, the south the second; both have both. */
export const TWIN_DEPLOYMENTS = ['dep_000000000000000000000001', 'dep_000000000000000000000002'] as const
/** Published by both; used by the north alone; unused. */
export const BLOBS = { shown: 'a'.repeat(64), used: 'b'.repeat(64), unused: 'c'.repeat(64) } as const
/** Of photos: of both projects, and of the north alone. */
export const PHOTOS = { twin: 'd'.repeat(64), norths: 'e'.repeat(64) } as const
export const PLAN_REQUEST = 'plr_000000000000000000000001'
export const INVITATION = 'inv_000000000000000000000001'
export const EXPIRED_INVITATION = 'inv_000000000000000000000002'
/** Of the north alone, with every row that can refer to it. */
export const DOMAIN = 'dom_000000000000000000000001'
export const NORTHS_HOSTNAME = 'shop.north.example.com'
/** A former domain of the north. */
export const REMOVED_HOSTNAME = 'gone.north.example.com'
/** Both have both, under hostnames of their own; the first is the primary, and redirects to the second. */
/** The mails about domains and the announcement of the north. */
export const OPEN_DOMAIN_MAIL = 'dma_000000000000000000000001'
export const CLOSED_DOMAIN_MAIL = 'dma_000000000000000000000002'
export const ANNOUNCEMENT = 'ann_000000000000000000000001'
export const TWIN_DOMAINS = ['dom_000000000000000000000002', 'dom_000000000000000000000003'] as const

export const PHOTO = 'pho_000000000000000000000001'
export const PHOTO_IN_WORK = 'pho_000000000000000000000002'
export const DIGESTS = { ready: 'a'.repeat(64), inWork: 'b'.repeat(64), source: 'c'.repeat(64) }
export const SOURCE = `photos/${DIGESTS.source}/1-master.webp`
export const OBJECT = `photos/${DIGESTS.ready}/1-320.webp`
