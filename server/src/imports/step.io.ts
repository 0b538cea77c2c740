// What the steps of all imports share, which a worker takes: how they keep their claim, read the file and the rows, and
// conclude. A step can be repeated until it is concluded, and one that lost its claim concludes nothing.

import { PART_BYTES_MAX } from '@petstore-platform/contract/platform/imports'
import { isAccountId } from '../accounts/account-queries.ts'
import type { AnimalRequests, SetStatuses } from '../animals/ports.ts'
import { statement, type Db } from '../foundation/postgres/postgres.io.ts'
import { lockTimer, type Timer } from '../foundation/postgres/timer-leases.io.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import type { ProjectContext } from '../projects/project-context.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { advance } from './advance.io.ts'
import type { StatedFact } from './changes.ts'
import * as imports from './import-queries.ts'
import type { OpenRowJudge } from './row-judge.ts'
import type { ReadSheet } from './spreadsheet/process.io.ts'

export type ImportContext = Pick<ProjectContext, 'database' | 'inProject' | 'now' | 'plans'> & {
  /** Undefined if this installation sends no mail. */
  queueMail?: QueueMail<'import_finished'> | undefined
}

/** Of imports that are reviewed. */
export type ReviewContext = ImportContext & {
  requests: AnimalRequests
  setStatuses: SetStatuses
  readSheet: ReadSheet
  openRowJudge: OpenRowJudge
}

export const CLAIM_SECONDS = 60

export const lost = ({ id }: Timer) => new Error(`another worker has taken ${id}`)

const EXTENDED_EVERY_MS = 5000

/** Returns a function that extends the claim if it is time, on a connection of its own, and then reports progress. */
export function claimExtender(
  { database, now }: Pick<ImportContext, 'database' | 'now'>,
  due: Timer,
  everyMs = EXTENDED_EVERY_MS,
  report = async () => {},
): () => Promise<void> {
  let last = -Infinity
  return async () => {
    if (now() - last < everyMs) return
    last = now()
    if (!(await lockTimer(database.run, due, CLAIM_SECONDS))) throw lost(due)
    await report()
  }
}

/** Rows that are judged, or undone, together. */
const BATCH_ROWS = 1000

/** Reads rows in the order of the file, so many at a time; `extendClaim` runs behind each batch. */
export async function* inBatches<Row extends { row: number }>(
  read: (after: number, count: number) => Promise<Row[]>,
  extendClaim: () => Promise<void>,
): AsyncGenerator<Row[]> {
  for (let after: number | undefined = 0; after !== undefined;) {
    const rows: Row[] = await read(after, BATCH_ROWS)
    yield rows
    after = rows.length === BATCH_ROWS ? rows.at(-1)?.row : undefined
    await extendClaim()
  }
}

/** The file in pieces of so many bytes at the most, from the first part to the last. */
export async function* piecesOf(
  { id, parts }: Pick<imports.WholeImport, 'id' | 'parts'>,
  pieceBytes: number,
  read: (number: number, from: number) => Promise<Buffer | undefined>,
): AsyncGenerator<Buffer> {
  for (let number = 1; number <= (parts ?? 0); number += 1) {
    for (let from = 1; from <= PART_BYTES_MAX; from += pieceBytes) {
      const bytes = await read(number, from)
      if (!bytes) throw new Error(`part ${number} of ${id} is gone`)
      if (bytes.length > 0) yield bytes
      if (bytes.length < pieceBytes) break
    }
  }
}

/**
 * The transaction that applies an import waits while progress is written on another connection, which may itself have to
 * wait, and while a process judges rows.
 */
export const extendIdleTimeout = statement<never, []>(
  'extend-idle-timeout',
  `select set_config('idle_in_transaction_session_timeout', '60000', true)`,
)

/** A member still watches the page of a shorter one. */
const MAILED_SECONDS = 60

/** In the transaction of the step's last write. False if another worker has taken the import, or it is discarded. */
export async function conclude(
  { queueMail }: Pick<ImportContext, 'queueMail'>,
  db: Db,
  due: Timer,
  fact: StatedFact,
): Promise<boolean> {
  const project = due.project as ProjectId
  if (!(await lockTimer(db, due, CLAIM_SECONDS))) return false
  const held = await imports.lock(db, project, due.id)
  if (!held || !(await advance(db, project, held, fact))) return false
  const { id, state, isReviewed, createdBy: recipient, ageSeconds } = held
  // A file that was never sent completely is nothing that the member waits for, and a review is watched to its end.
  const isAwaited = (fact.kind === 'succeeded' || fact.kind === 'failed') && !isReviewed && state !== 'uploading'
  if (queueMail && isAwaited && ageSeconds > MAILED_SECONDS && isAccountId(recipient))
    await queueMail(db, { kind: 'import_finished', recipient, subject: { import: id }, project })
  return true
}
