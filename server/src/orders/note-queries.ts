// Queries for the notes that members write about a request, inside one project.

import type { Note } from '@petstore-platform/contract/platform/order-notes'
import { NOTES_MAX } from '@petstore-platform/contract/platform/orders'
import { statement, query, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'

export type NoteRow = Omit<Note, 'createdAt'> & { createdAt: Date }

export const listNotes = query<NoteRow, [project: ProjectId, orderId: bigint]>(
  'list-notes',
  `select number, author, created_at as "createdAt", text
   from order_notes
   where project_id = $1 and order_id = $2
   order by number`,
)

const insertNoteRow = statement<
  NoteRow,
  [project: ProjectId, orderId: bigint, number: number, author: string, text: string]
>(
  'insert-note',
  `insert into order_notes (project_id, order_id, number, author, text)
   values ($1, $2, $3, $4, $5)
   returning number, author, created_at as "createdAt", text`,
)

const countNoteRows = statement<{ orderId: bigint; count: number }, [project: ProjectId, orderIds: readonly bigint[]]>(
  'count-notes',
  `select order_id as "orderId", count(*)::integer as count
   from order_notes
   where project_id = $1 and order_id = any ($2::bigint[])
   group by order_id`,
)

/** By request; one without notes is not there. */
export const countNotes = async (
  db: Db,
  project: ProjectId,
  orderIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, number>> =>
  new Map((await db(countNoteRows, project, orderIds)).map(({ orderId, count }) => [orderId, count]))

/** Undefined if there are too many. The request must be locked: its notes are counted. */
export const insertNote = async (
  db: Db,
  project: ProjectId,
  orderId: bigint,
  author: string,
  text: string,
): Promise<NoteRow | undefined> => {
  const count = (await countNotes(db, project, [orderId])).get(orderId) ?? 0
  return count < NOTES_MAX ? (await db(insertNoteRow, project, orderId, count + 1, author, text))[0] : undefined
}
