// The program of the process that reads spreadsheets (spreadsheet-process.io.ts starts it). It takes the parts of one file
// and an order from stdin, writes the rows to stdout, and ends. What it reads is hostile, so it holds no secret.

import { encodeMessage, messageDecoder } from '../media/frames.ts'
import { UnfitFile } from './spreadsheet-limits.ts'
import { readSpreadsheet } from './spreadsheet-read.ts'
import type { SheetOrder, SheetReply } from './spreadsheet-order.ts'

/** Rows that are sent together. */
const BATCH_ROWS = 500
const BATCH_LETTERS = 512 * 1024

const send = (reply: SheetReply) => process.stdout.write(encodeMessage({ head: reply, blobs: [] }))

function carryOut(bytes: Uint8Array, { sheet, limits }: SheetOrder): void {
  let batch: { row: number; cells: readonly string[] }[] = []
  let letters = 0
  const flush = () => {
    if (batch.length > 0) send({ outcome: 'rows', rows: batch })
    batch = []
    letters = 0
  }
  try {
    const format = readSpreadsheet(bytes, sheet, limits, (row, cells) => {
      batch.push({ row, cells })
      letters += cells.reduce((sum, { length }) => sum + length, 0)
      if (batch.length >= BATCH_ROWS || letters > BATCH_LETTERS) flush()
    })
    flush()
    send({ outcome: 'done', format })
  } catch (error) {
    if (!(error instanceof UnfitFile)) throw error
    send({ outcome: 'unfit', reason: error.message })
  }
}

const messagesIn = messageDecoder(Infinity)
const parts: Buffer[] = []

process.stdin.on('data', (chunk: Buffer) => {
  for (const { head, blobs } of messagesIn(chunk)) {
    parts.push(...blobs)
    if (head !== null) carryOut(Buffer.concat(parts.splice(0)), head as SheetOrder)
  }
})
process.stdin.on('end', () => process.exit())
