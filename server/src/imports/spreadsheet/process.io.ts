// Reads a spreadsheet in a process of its own, which is confined as the one that decodes photos is, and killed when it
// takes too much memory or time. What it sends is data of a stranger: rows of text, and never more than the limits allow.

import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { REVIEWED_BYTES_MAX } from '@petstore-platform/contract/platform/import-review'
import { CELL_LENGTH_MAX, COLUMNS_MAX } from '@petstore-platform/contract/platform/import-shapes'
import {
  peakOf,
  processorTimeOf,
  residentOf,
  startConfined,
  WATCH_MS,
} from '../../foundation/processes/confined-process.io.ts'
import { encodeMessage, messageDecoder } from '../../foundation/processes/frames.ts'
import { WAITING_TIMES } from '../../foundation/processes/request-process.io.ts'
import { UnfitFile, type SheetLimits } from './limits.ts'
import type { SheetReply } from './sheet-reply.ts'
import type { SheetRow } from './columns.ts'
import type { SheetTask, SheetTable } from './table.ts'

export type ReadSheet = (
  parts: AsyncIterable<Buffer>,
  wanted: { sheet: string | undefined; rowsMax: number; today: string },
  onAnimals: (animals: readonly SheetRow[]) => Promise<void>,
) => Promise<SheetTable>

/** What the process may take. Its heap is bounded below that, so that it usually ends before it is killed. */
export type ProcessLimits = {
  resident: number
  heapMegabytes: number
  /** Of processor time; six times as long in all. */
  milliseconds: number
  /** Of what is read; only an experiment has others. */
  sheet?: SheetLimits
  /** The most that it had, in bytes, before it ended. */
  onPeak?: (bytes: number) => void
}

const LIMITS: ProcessLimits = { resident: 256 * 1_048_576, heapMegabytes: 128, milliseconds: 120_000 }
const REPLY_BYTES_MAX = 32_000_000

/** Rejects with an `UnfitFile` that says why a file cannot be read. */
export const readSheet: ReadSheet = (parts, wanted, onAnimals) => readConfined(LIMITS, parts, wanted, onAnimals)

export async function readConfined(
  { resident, heapMegabytes, milliseconds, sheet: limits, onPeak }: ProcessLimits,
  ...[parts, { sheet, rowsMax, today }, onAnimals]: Parameters<ReadSheet>
): Promise<SheetTable> {
  const options = [`--max-old-space-size=${heapMegabytes}`]
  const child = startConfined({ program, readable, allowsAddons: false, options })
  let complaint = ''
  let death: string | undefined
  const died = once(child, 'exit')
  died.catch(() => undefined)
  const kill = (reason: string) => {
    death ??= reason
    child.kill('SIGKILL')
  }
  let peak = 0
  const look = () => {
    peak = Math.max(peak, peakOf(child.pid))
    if (residentOf(child.pid) > resident) kill(TOO_MUCH)
    else if (processorTimeOf(child.pid) > milliseconds) kill(TOO_LONG)
  }
  const watch = setInterval(look, WATCH_MS)
  const deadline = setTimeout(kill, WAITING_TIMES * milliseconds, TOO_LONG)
  child.stderr.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-2000)))
  // It has died, and the end of its output says so.
  child.stdin.on('error', () => undefined)
  try {
    const task: SheetTask = { sheet, limits: limits ?? limitsFor(rowsMax), today }
    void sendAll(child.stdin, parts, task).catch((error: Error) => kill(error.message))
    for await (const reply of repliesOf(child.stdout)) {
      if (reply.outcome === 'rows') await onAnimals(reply.rows)
      else if (reply.outcome === 'unfit') throw new UnfitFile(reply.reason)
      else return { table: reply.table, reading: reply.reading }
    }
    if (death !== undefined) throw new UnfitFile(death)
    if (/heap out of memory|heap limit/i.test(complaint)) throw new UnfitFile(TOO_MUCH)
    throw new Error(`The process that reads spreadsheets ended: ${complaint}`)
  } finally {
    look()
    onPeak?.(peak)
    clearInterval(watch)
    clearTimeout(deadline)
    child.kill('SIGKILL')
    await died.catch(() => undefined)
  }
}

const TOO_MUCH = 'The file needs too much memory to be read.'
const TOO_LONG = 'The file takes too long to be read.'

const limitsFor = (rowsMax: number): SheetLimits => ({
  bytesMax: REVIEWED_BYTES_MAX,
  columnsMax: COLUMNS_MAX,
  rowsMax,
  cellMax: CELL_LENGTH_MAX,
})

type Input = NodeJS.WritableStream

async function sendAll(input: Input, parts: AsyncIterable<Buffer>, task: SheetTask): Promise<void> {
  for await (const part of parts) await write(input, encodeMessage({ head: null, blobs: [part] }))
  await write(input, encodeMessage({ head: task, blobs: [] }))
}

/** Waits until the process has taken it: a file is never in memory twice. */
const write = (input: Input, bytes: Buffer): Promise<void> =>
  new Promise((resolve) => input.write(bytes, () => resolve()))

/** Its output is not read while rows are stored, so that the process waits. */
async function* repliesOf(output: AsyncIterable<Buffer>): AsyncGenerator<SheetReply> {
  const messagesIn = messageDecoder(REPLY_BYTES_MAX)
  for await (const chunk of output) for (const { head } of messagesIn(chunk)) yield head as SheetReply
}

const program = join(import.meta.dirname, './child.io.ts')
const { resolve } = createRequire(import.meta.url)
const modules = join(resolve('saxes'), '../..')

/** What a program of imports/ imports, directly and indirectly: our own modules, and packages. */
export const readableWith = (...packages: string[]): readonly string[] => [
  ...['..', '../../animals', '../../foundation', '../../../package.json'].map((path) =>
    join(import.meta.dirname, path),
  ),
  dirname(resolve('@petstore-platform/contract/pets')),
  ...['@petstore-platform/contract', 'typebox', ...packages].map((name) => join(modules, name)),
]
const readable = readableWith('fflate', 'saxes', 'xmlchars')
