// Parses CSV as RFC 4180 defines it from text in arbitrary chunks, with commas or another delimiter, and writes it. Pure.
// Records are bounded: none may be longer than RECORD_LENGTH_MAX, so a quote that is
// never closed does not swallow the rest of a file.

/** `line` is where the record begins; the first line of a file is 1. */
export type CsvRecord = { line: number; cells: string[]; fault?: string }

/** The rest of the file cannot be parsed. */
export class CsvError extends Error {}

export const RECORD_LENGTH_MAX = 65_536

export type CsvReader = {
  /** The records that are complete so far. */
  push(text: string): CsvRecord[]
  /** The last one, if no line break ended it. */
  end(): CsvRecord[]
}

export function csvReader(delimiter = ','): CsvReader {
  const separator = delimiter.charCodeAt(0)
  let rest = ''
  let line = 1
  let hasBegun = false

  const read = (isLast: boolean): CsvRecord[] => {
    const found: CsvRecord[] = []
    let at = 0
    while (at < rest.length) {
      const record = recordAt(rest, at, isLast, separator)
      if ((record?.next ?? rest.length) - at > RECORD_LENGTH_MAX) {
        throw new CsvError(
          `The row in line ${line} has more than ${RECORD_LENGTH_MAX} characters; a closing quotation mark may be missing.`,
        )
      }
      if (!record) break
      found.push({ line, cells: record.cells, ...(record.fault !== undefined && { fault: record.fault }) })
      line += lineBreaksIn(rest, at, record.next)
      at = record.next
    }
    rest = rest.slice(at)
    return found
  }

  return {
    push(text) {
      if (text === '') return []
      rest += hasBegun ? text : text.replace(/^\uFEFF/, '')
      hasBegun = true
      return read(false)
    },
    end: () => read(true),
  }
}

const AFTER_QUOTE = 'After a closing quotation mark, a comma or the end of the line must follow.'

type Found = { cells: string[]; next: number; fault?: string }
type FoundCell = { text: string; next: number; fault?: string }

const QUOTE = 0x22
const LF = 0x0a
const CR = 0x0d

/** The record that begins there; undefined if its end has not arrived yet. */
function recordAt(text: string, start: number, isLast: boolean, separator: number): Found | undefined {
  const cells: string[] = []
  let fault: string | undefined
  let at = start
  for (;;) {
    const cell = text.charCodeAt(at) === QUOTE ? quotedAt(text, at, isLast, separator) : plainAt(text, at, separator)
    if (!cell || (cell.next >= text.length && !isLast)) return undefined
    cells.push(cell.text)
    fault ??= cell.fault
    at = cell.next
    if (text.charCodeAt(at) === separator) {
      at += 1
      continue
    }
    const isCarriageReturn = text.charCodeAt(at) === CR
    // Whether a line feed belongs to it is not known yet.
    if (isCarriageReturn && at + 1 >= text.length && !isLast) return undefined
    const next = at + (isCarriageReturn && text.charCodeAt(at + 1) === LF ? 2 : 1)
    return { cells, next: Math.min(next, text.length), ...(fault !== undefined && { fault }) }
  }
}

function plainAt(text: string, start: number, separator: number): FoundCell {
  let at = start
  while (at < text.length && !isEnd(text.charCodeAt(at), separator)) at += 1
  return { text: text.slice(start, at), next: at }
}

function quotedAt(text: string, start: number, isLast: boolean, separator: number): FoundCell | undefined {
  let at = start + 1
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote === -1) {
      if (!isLast) return undefined
      return { text: text.slice(start + 1), next: text.length, fault: 'A closing quotation mark is missing.' }
    }
    if (text.charCodeAt(quote + 1) === QUOTE) {
      at = quote + 2
      continue
    }
    // It may be the first of two.
    if (quote + 1 >= text.length && !isLast) return undefined
    const inside = text.slice(start + 1, quote).replaceAll('""', '"')
    if (quote + 1 >= text.length || isEnd(text.charCodeAt(quote + 1), separator))
      return { text: inside, next: quote + 1 }
    const { next } = plainAt(text, quote + 1, separator)
    return { text: inside, next, fault: AFTER_QUOTE }
  }
}

const isEnd = (code: number, separator: number) => code === separator || code === LF || code === CR

/** CRLF is one; so is either of them alone. */
function lineBreaksIn(text: string, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at)
    if (code === LF || (code === CR && text.charCodeAt(at + 1) !== LF)) count += 1
  }
  return count
}

export const csvLine = (cells: readonly string[]): string => `${cells.map(written).join(',')}\r\n`

const written = (cell: string) => (/[",\r\n\uFEFF]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

// A spreadsheet takes these for formulas, in some languages the full-width forms as well. An apostrophe in front of such a cell may belong to the animal's
// name, so those get one more too: then exactly one can be removed when parsing.
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/
const DISARMED = /^'+[=+\-@\t\r＝＋－＠]/

export const disarmed = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell)
export const rearmed = (cell: string): string => (DISARMED.test(cell) ? cell.slice(1) : cell)
