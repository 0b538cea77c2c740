// Reads a sheet of an XLSX file, which is XML in a ZIP archive, both streamed: an archive of a few kilobytes can unpack to
// gigabytes, so nothing is unpacked that is not needed, and reading ends at the limit. Entries are taken in the order of the
// file, never by the directory at its end, which could list one entry many times. Pure.

import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { Unzip, UnzipInflate } from 'fflate'
import { tooLarge, UnfitFile, type OnRow, type SheetLimits } from './limits.ts'
import { cellText, isDate1904, numberStyles, type NumberStyle } from './xlsx-cells.ts'

export type Sheets = { sheet: string; sheets: string[] }

/** `wanted`: the name of a sheet; the first if it is undefined. */
export function readXlsx(bytes: Uint8Array, wanted: string | undefined, limits: SheetLimits, onRow: OnRow): Sheets {
  const budget = { left: limits.bytesMax }
  const book = emptyBook()
  readEntries(bytes, budget, limits, (path) => bookReaders[path]?.(book, limits))
  const named = book.sheets.filter(({ target }) => target !== undefined)
  const chosen = wanted === undefined ? named[0] : named.find(({ name }) => name === wanted)
  if (named.length === 0) throw new UnfitFile('This is not a spreadsheet. Save it as XLSX or CSV, and import it again.')
  if (!chosen) throw new UnfitFile('The file has no sheet of this name.')
  const path = pathOf(book.targets.get(chosen.target ?? '') ?? '')
  let isFound = false
  readEntries(bytes, budget, limits, (entry) => {
    if (entry !== path || isFound) return undefined
    isFound = true
    return sheetReader(book, limits, onRow)
  })
  if (!isFound) throw new UnfitFile('A sheet of the file is missing.')
  return { sheet: chosen.name, sheets: named.map(({ name }) => name) }
}

type Book = {
  sheets: { name: string; target: string | undefined }[]
  targets: Map<string, string>
  strings: string[]
  styles: readonly NumberStyle[]
  is1904: boolean
}

const emptyBook = (): Book => ({ sheets: [], targets: new Map(), strings: [], styles: [], is1904: false })

/** Relative to the folder `xl`, or to the archive. */
const pathOf = (target: string): string =>
  (target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\//, '')}`).toLowerCase()

/** What happens to the elements of an entry. */
type Reader = {
  open?: (name: string, tag: SaxesTagPlain) => void
  text?: (text: string) => void
  close?: (name: string) => void
}

/** Few enough that an archive of nothing but names is given up soon. */
const ENTRIES_MAX = 2000
/** A small step: what is packed may be a thousand times larger when it is unpacked. */
const STEP_BYTES = 4096

function readEntries(
  bytes: Uint8Array,
  budget: { left: number },
  limits: SheetLimits,
  readerOf: (path: string) => Reader | undefined,
): void {
  const archive = new Unzip()
  archive.register(UnzipInflate)
  let entries = 0
  archive.onfile = (file) => {
    entries += 1
    if (entries > ENTRIES_MAX) throw new UnfitFile('The file contains too many parts.')
    const reader = readerOf(file.name.toLowerCase())
    if (!reader) return
    const parse = xmlParser(reader)
    file.ondata = (error, data, isLast) => {
      // What is thrown below comes back here.
      if (error) throw error instanceof UnfitFile ? error : new UnfitFile(DAMAGED)
      budget.left -= data.length
      if (budget.left < 0) throw tooLarge(limits)
      parse(data, isLast)
    }
    file.start()
  }
  try {
    for (let at = 0; at < bytes.length; at += STEP_BYTES) {
      archive.push(bytes.subarray(at, at + STEP_BYTES), at + STEP_BYTES >= bytes.length)
    }
  } catch (error) {
    throw error instanceof UnfitFile ? error : new UnfitFile(DAMAGED, { cause: error })
  }
}

const DAMAGED = 'The file is damaged, or protected by a password.'
/** Of one text or tag. A cell has at most 32,767 characters. */
const TOKEN_LENGTH_MAX = 1_000_000
const DEPTH_MAX = 64

function xmlParser(reader: Reader): (data: Uint8Array, isLast: boolean) => void {
  const parser = new SaxesParser({ xmlns: false, position: false })
  let decoder: TextDecoder | undefined
  let unread = 0
  let depth = 0
  const seen = () => void (unread = 0)
  parser.on('error', () => {
    throw new UnfitFile(DAMAGED)
  })
  parser.on('doctype', () => {
    throw new UnfitFile('The file contains a document type, which no spreadsheet needs.')
  })
  parser.on('opentag', (tag) => {
    seen()
    depth += 1
    if (depth > DEPTH_MAX) throw new UnfitFile(DAMAGED)
    reader.open?.(localName(tag.name), tag)
  })
  parser.on('text', (text) => {
    seen()
    reader.text?.(text)
  })
  parser.on('cdata', (text) => {
    seen()
    reader.text?.(text)
  })
  parser.on('closetag', ({ name }) => {
    seen()
    depth -= 1
    reader.close?.(localName(name))
  })
  return (data, isLast) => {
    decoder ??= new TextDecoder(
      data[0] === 0xff && data[1] === 0xfe ? 'utf-16le' : data[0] === 0xfe && data[1] === 0xff ? 'utf-16be' : 'utf-8',
    )
    const text = decoder.decode(data, { stream: !isLast })
    for (let at = 0; at < text.length; at += PIECE_LENGTH) {
      const piece = text.slice(at, at + PIECE_LENGTH)
      unread += piece.length
      parser.write(piece)
      // What began and does not end is held in memory.
      if (unread > TOKEN_LENGTH_MAX) throw new UnfitFile('A cell of the file is too long.')
    }
    if (isLast) parser.close()
  }
}

const PIECE_LENGTH = 65_536

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
const attribute = ({ attributes }: SaxesTagPlain, name: string): string | undefined => attributes[name]

const SHEETS_MAX = 100

const bookReaders: Readonly<Record<string, (book: Book, limits: SheetLimits) => Reader>> = {
  'xl/workbook.xml': (book) => ({
    open(name, tag) {
      if (name === 'workbookPr') book.is1904 = isDate1904(attribute(tag, 'date1904'))
      if (name !== 'sheet') return
      if (book.sheets.length >= SHEETS_MAX) throw new UnfitFile(`The file has more than ${SHEETS_MAX} sheets.`)
      const target = Object.entries(tag.attributes).find(([key]) => localName(key) === 'id' && key !== 'id')?.[1]
      book.sheets.push({ name: (attribute(tag, 'name') ?? '').slice(0, 255), target })
    },
  }),
  'xl/_rels/workbook.xml.rels': (book) => ({
    open(name, tag) {
      if (name !== 'Relationship' || book.targets.size > 10 * SHEETS_MAX) return
      book.targets.set(attribute(tag, 'Id') ?? '', attribute(tag, 'Target') ?? '')
    },
  }),
  'xl/styles.xml': (book) => {
    const styles = numberStyles()
    return {
      open: (name, tag) => styles.open(name, tag.attributes),
      close(name) {
        styles.close(name)
        if (name === 'styleSheet') book.styles = styles.styles
      },
    }
  },
  'xl/sharedstrings.xml': (book, limits) => stringsReader(book, limits),
}

/** Short ones take more memory than their letters. */
const STRINGS_MAX = 1_000_000

/** A string may consist of several runs; how it is pronounced is none of it. */
function stringsReader(book: Book, { cellMax }: SheetLimits): Reader {
  let current = ''
  let isText = false
  let isSpoken = false
  return {
    open(name) {
      if (name === 'si') current = ''
      if (name === 'rPh') isSpoken = true
      isText = name === 't' && !isSpoken
    },
    text(text) {
      if (isText && current.length <= cellMax) current += text.slice(0, cellMax + 1)
    },
    close(name) {
      if (name === 'rPh') isSpoken = false
      if (name === 't') isText = false
      if (name !== 'si') return
      if (book.strings.length >= STRINGS_MAX) throw new UnfitFile('The file contains too many different texts.')
      book.strings.push(current)
    },
  }
}

function sheetReader(book: Book, { columnsMax, cellMax }: SheetLimits, onRow: OnRow): Reader {
  let row = 0
  let cells: string[] = []
  let column = -1
  let type = ''
  let style = 0
  let value = ''
  let isValue = false
  return {
    open(name, tag) {
      if (name === 'row') {
        row = Number(attribute(tag, 'r') ?? row + 1)
        if (!Number.isInteger(row) || row < 1 || row > ROWS_OF_EXCEL) throw new UnfitFile(DAMAGED)
        cells = []
        column = -1
      } else if (name === 'c') {
        column = columnOf(attribute(tag, 'r')) ?? column + 1
        type = attribute(tag, 't') ?? 'n'
        style = Number(attribute(tag, 's') ?? 0)
        value = ''
      }
      isValue = name === 'v' || name === 't'
    },
    text(text) {
      if (isValue && value.length <= cellMax) value += text.slice(0, cellMax + 1)
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false
      if (name === 'c') {
        const text =
          type === 's'
            ? (book.strings[Number(value)] ?? '')
            : cellText(value, type, book.styles[style] ?? null, book.is1904)
        if (text.trim() === '') return
        if (column >= columnsMax) throw new UnfitFile(`The file has more than ${columnsMax} columns.`)
        while (cells.length < column) cells.push('')
        cells[column] = text
      }
      if (name === 'row') onRow(row, cells)
    },
  }
}

const ROWS_OF_EXCEL = 1_048_576

/** Of "BC12"; the first is 0. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^([A-Za-z]{1,3})\d*$/.exec(reference ?? '')?.[1]?.toUpperCase()
  if (letters === undefined) return undefined
  return letters.split('').reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
