// The program of the process that reads spreadsheets (spreadsheet-process.io.ts starts it). It takes the parts of one file
// and a task from stdin, writes the rows and what their columns hold to stdout, and ends. What it reads is hostile, so it
// holds no secret.

import { encodeMessage, messageDecoder } from '../../foundation/processes/frames.ts'
import { UnfitFile } from './limits.ts'
import type { SheetReply } from './sheet-reply.ts'
import { readTable, type SheetTask } from './table.ts'

const send = (reply: SheetReply) => process.stdout.write(encodeMessage({ head: reply, blobs: [] }))

function carryOut(bytes: Uint8Array, task: SheetTask): void {
  try {
    send({ outcome: 'done', ...readTable(bytes, task, (rows) => send({ outcome: 'rows', rows })) })
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
    if (head !== null) carryOut(Buffer.concat(parts.splice(0)), head as SheetTask)
  }
})
process.stdin.on('end', () => process.exit())
