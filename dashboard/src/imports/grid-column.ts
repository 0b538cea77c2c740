// A column of the review, and the name of a cell, by which a problem leads to it.

import type { ImportField } from '@petstore-platform/contract/platform/import-shapes'

export type GridColumn = { index: number; title: string; field: ImportField; name: string }

const PREFIX = 'cell-'

export const cellId = (row: number, column: number): string => `${PREFIX}${row}-${column}`
export const isCellId = (id: string): boolean => id.startsWith(PREFIX)
