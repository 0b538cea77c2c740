// Tables of figures as text.

/** Rows of text; the first row is the header. */
export type Table = string[][]

export const fixed = (value: number): string => value.toFixed(2)
export const whole = (value: number): string => Math.round(value).toString()

export function aligned(table: Table): string {
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? []
  return table.map((row) => row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  ')).join('\n')
}
