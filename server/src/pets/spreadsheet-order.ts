// What the worker and the process that reads spreadsheets say to one another. A file is sent as messages without a head,
// then the order is the head of the last one.

import type { SheetLimits } from './spreadsheet-limits.ts'
import type { SheetFormat } from './spreadsheet-read.ts'

export type SheetOrder = { sheet: string | undefined; limits: SheetLimits }

export type SheetReply =
  | { outcome: 'rows'; rows: readonly { row: number; cells: readonly string[] }[] }
  | { outcome: 'done'; format: SheetFormat }
  | { outcome: 'unfit'; reason: string }
