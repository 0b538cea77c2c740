// What the process that reads spreadsheets replies to the worker. A file is sent to it as messages without a head, then the
// task is the head of the last one.

import type { SheetRow } from './columns.ts'
import type { SheetTable } from './table.ts'

export type SheetReply =
  | { outcome: 'rows'; rows: readonly SheetRow[] }
  | ({ outcome: 'done' } & SheetTable)
  | { outcome: 'unfit'; reason: string }
