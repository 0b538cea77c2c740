// What an edge must not lose by a restart: its copy of the host table and when it last
// heard of its control plane. (Certificates are in keys.ts.) Routes are appended as they
// come, and are on the disk before anybody is told that the edge has them. What a crash
// or the disk has damaged is cut off at the first bad line: the edge then knows less and
// asks from there. When more than half of the lines are history, the log is written anew
// beside the old one, a piece at a time, while changes go on.
//
// Nothing here is secret. Whatever fails is told and tried again with the next change; it
// never stops an edge, which has everything in memory.

import { mkdir, open, readFile, rename, rm, truncate, writeFile, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as pause } from 'node:timers/promises'
import { MINUTE, type Clock, type Instant } from '../foundation/time.ts'
import { createSingleFlight } from '../foundation/single-flight.ts'
import { entryOf, lineOf, type LogEntry } from './log-line.ts'
import type { Table } from './host-table.ts'

export type Disk = {
  /** Writes what the table has just taken in, and comes back when it is on the disk. */
  keep(entries: readonly LogEntry[]): Promise<void>
  /** The table was emptied. */
  reset(): Promise<void>
  /** When the control plane was last heard of; undefined: never. */
  readonly contactAt: Instant | undefined
  contacted(): Promise<void>
  close(): Promise<void>
}

export type DiskDeps = {
  directory: string
  /** Filled from the disk, and the source of what is written anew. */
  table: Table
  now: Clock
  onError: (error: Error) => void
}

/** Below this the history costs less than writing anew. */
const LINES_MIN = 1000
const LINES_AT_ONCE = 2000
const CONTACT_EVERY = MINUTE

export async function openDisk({ directory, table, now, onError }: DiskDeps): Promise<Disk> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, 'routes.log')
  const contact = await openContact(join(directory, 'contact'), now)
  const { alone } = createSingleFlight()
  let lines = await load(path, table)
  let log = await open(path, 'a', 0o600)
  let isDamaged = false
  /** While the log is written anew: what came since, which goes into both. */
  let since: string[] | undefined
  let rewriting: Promise<void> | undefined

  const append = (text: string, count: number) => {
    since?.push(text)
    return alone('log', async () => {
      lines += count
      await log.appendFile(text)
      await log.datasync()
    }).catch((error: Error) => {
      // What follows a line that was written in part cannot be read.
      isDamaged = true
      onError(error)
    })
  }
  const rewrite = async () => {
    since = []
    await rm(`${path}.new`, { force: true })
    const file = await open(`${path}.new`, 'a', 0o600)
    try {
      const written = await writeAll(file, table, table.seq)
      await alone('log', async () => {
        const newer = since ?? []
        await file.appendFile(newer.join(''))
        await file.datasync()
        await rename(`${path}.new`, path)
        const old = log
        log = file
        isDamaged = false
        await old.close()
        // Or the old one comes back after a loss of power, without what was appended to this one.
        await syncFolder(directory)
        lines = written + newer.reduce((count, text) => count + text.split('\n').length - 1, 0)
      })
    } finally {
      since = undefined
      if (log !== file) await file.close()
    }
  }
  return {
    get contactAt() {
      return contact.at
    },
    contacted: () => contact.renew().catch(onError),
    async keep(entries) {
      if (entries.length > 0) await append(entries.map(lineOf).join(''), entries.length)
      if (!isDamaged && (lines < LINES_MIN || lines <= 2 * table.size)) return
      rewriting ??= rewrite()
        .catch(onError)
        .finally(() => (rewriting = undefined))
    },
    async reset() {
      await rewriting
      await alone('log', () => log.truncate(0)).catch(onError)
      lines = 0
    },
    async close() {
      await rewriting
      await alone('log', () => log.close())
    },
  }
}

/** Everything up to a number, a piece at a time; gives how many lines that is. */
async function writeAll(file: FileHandle, table: Table, upTo: number): Promise<number> {
  let count = 0
  let lines: string[] = []
  const flush = async () => {
    await file.appendFile(lines.join(''))
    count += lines.length
    lines = []
    await pause()
  }
  for (const route of table.routes()) {
    // Newer ones stand at the end, and go into the log as what came since.
    if (route.seq > upTo) break
    lines.push(lineOf(route))
    if (lines.length >= LINES_AT_ONCE) await flush()
  }
  // Of the names that are gone there is no line, yet their numbers are known.
  lines.push(lineOf({ seq: upTo }))
  await flush()
  return count
}

/** Fills the table from the log, and cuts off what cannot be read; gives how many lines are left. */
async function load(path: string, table: Table): Promise<number> {
  let [lines, goodBytes, isGood] = [0, 0, true]
  let rest: Buffer = Buffer.alloc(0)
  const take = (line: Buffer) => {
    const entry = entryOf(line.toString('utf8'))
    if (entry) apply(table, entry)
    return entry !== undefined
  }
  for await (const chunk of chunksOf(path)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let from = 0
    for (let to = bytes.indexOf(LINE_BREAK); to !== -1 && isGood; to = bytes.indexOf(LINE_BREAK, from)) {
      isGood = to - from <= LINE_BYTES_MAX && take(bytes.subarray(from, to))
      if (!isGood) break
      lines += 1
      from = to + 1
    }
    goodBytes += from
    rest = bytes.subarray(from)
    if (!isGood || rest.length > LINE_BYTES_MAX) break
  }
  await truncate(path, goodBytes).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  return lines
}

function apply(table: Table, entry: LogEntry): void {
  if ('hostname' in entry) table.apply(entry)
  else table.advance(entry.seq)
}

async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (file) for await (const chunk of file.createReadStream({ highWaterMark: CHUNK_BYTES })) yield chunk as Buffer
}

const LINE_BREAK = 0x0a
const LINE_BYTES_MAX = 4096
const CHUNK_BYTES = 1 << 20

/** When the control plane was last heard of, kept once a minute: after a restart it is rather too long ago. */
async function openContact(path: string, now: Clock) {
  const stored = entryOf((await readFile(path, 'utf8').catch(() => '')).trimEnd())
  // A clock that was set back would let it count from the future.
  let at = stored === undefined ? undefined : Math.min(stored.seq, now())
  let keptAt = at
  return {
    get at() {
      return at
    },
    async renew(): Promise<void> {
      const moment = now()
      at = moment
      if (keptAt !== undefined && moment >= keptAt && moment - keptAt < CONTACT_EVERY) return
      keptAt = moment
      await replaceFile(path, lineOf({ seq: moment }))
    },
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** At once and whole, or not at all, for whoever reads it and for whoever pulls the plug. */
export async function replaceFile(path: string, content: string | Buffer, fresh = `${path}.new`): Promise<void> {
  try {
    await writeFile(fresh, content, { mode: 0o600, flush: true })
    await rename(fresh, path)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
}
