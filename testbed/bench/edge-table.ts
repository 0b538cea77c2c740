// The cost of the host table of an edge, in a process of its own, which prints it as JSON: memory for each hostname, time for a
// lookup, and the time an edge takes to read it from its disk after a restart. Lookups are timed in tables of three sizes, in
// turns: of a thousand popular names, of all names evenly, and of names that are absent. The steps are the same for every size;
// the growth is the cost of memory outside the processor's caches. Every name looked up is a new string, as one from a request
// is.

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openDisk } from '../../server/src/edge/host-table-disk.io.ts'
import { readRoute } from '../../server/src/edge/decode-control.ts'
import { createHostTable, type HostTable } from '../../server/src/edge/host-table.ts'
import { CHANGES_MAX, type Route } from '../../server/src/fleet/protocol.ts'

export type TableFigures = {
  names: number
  bytesPerName: number
  lookups: readonly { names: number; popularNs: number; evenNs: number; missingNs: number }[]
  disk: { bytesPerName: number; writeMs: number; startMs: number }
}

const names = 100_000
const large = 10 * names
const SMALL = 1000
const LOOKUPS = 10_000
const ROUNDS = 25

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Of three hostnames, two serve a shop and one redirects to the first of them. */
const hostnameOf = (index: number) => `${['www', 'shop', 'pets'][index % 3]}.customer-${Math.floor(index / 3)}.example`

function routeAt(index: number): unknown {
  const common = {
    seq: index + 1,
    hostname: hostnameOf(index),
    slug: `happy-paws-${Math.floor(index / 3)}`,
    generation: String(1 + (index % 5)),
    serial: randomBytes(18).toString('hex'),
  }
  const isRedirect = index % 3 === 2
  return isRedirect
    ? { ...common, kind: 'redirect', target: hostnameOf(index - 2), status: 301 }
    : { ...common, kind: 'site' }
}

/** As the feed delivers it: a page of JSON at a time. */
function* pagesOf(count: number): Generator<Route[]> {
  for (let from = 0; from < count; from += CHANGES_MAX) {
    const size = Math.min(CHANGES_MAX, count - from)
    const text = JSON.stringify(Array.from({ length: size }, (_, index) => routeAt(from + index)))
    yield (JSON.parse(text) as unknown[]).map(readRoute).filter((route) => route !== undefined)
  }
}

function filled(count: number): HostTable {
  const table = createHostTable()
  for (const page of pagesOf(count)) for (const route of page) table.apply(route)
  return table
}

function heapOf<T>(make: () => T): { made: T; bytes: number } {
  collect()
  const before = process.memoryUsage().heapUsed
  const made = make()
  collect()
  return { made, bytes: process.memoryUsage().heapUsed - before }
}

type Wanted = 'popular' | 'even' | 'missing'

/** Nanoseconds per lookup. */
function lookupNs(table: HostTable, count: number, wanted: Wanted): number {
  const [range, step] = wanted === 'popular' ? [SMALL, count / SMALL] : [count, 1]
  const hostnames = Array.from({ length: LOOKUPS }, () => {
    const name = hostnameOf(Math.floor(Math.random() * range) * step)
    return Buffer.from(wanted === 'missing' ? `x${name}` : name).toString('latin1')
  })
  let found = 0
  const startedAt = process.hrtime.bigint()
  for (const name of hostnames) if (table.find(name)) found += 1
  const ns = Number(process.hrtime.bigint() - startedAt) / LOOKUPS
  if (found !== (wanted === 'missing' ? 0 : LOOKUPS)) throw new Error('the table does not have what it should')
  return ns
}

async function throughDisk(count: number): Promise<{ writeMs: number; loadMs: number; logBytes: number }> {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-edge-table-'))
  const fail = (error: Error) => {
    throw error
  }
  const open = (table: HostTable) => openDisk({ now: Date.now, onError: fail }, directory, table)
  try {
    const table = createHostTable()
    const disk = await open(table)
    let writeMs = 0
    for (const page of pagesOf(count)) {
      for (const route of page) table.apply(route)
      const startedAt = performance.now()
      await disk.keep(page)
      writeMs += performance.now() - startedAt
    }
    await disk.close()
    const again = createHostTable()
    const startedAt = performance.now()
    const reopened = await open(again)
    const loadMs = performance.now() - startedAt
    await reopened.close()
    if (again.size !== table.size || again.seq !== table.seq) throw new Error('the disk has lost routes')
    return { writeMs, loadMs, logBytes: (await stat(join(directory, 'routes.log'))).size }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Other load on the machine can only increase the time. */
const best = (list: readonly number[]) => Math.round(Math.min(...list))

// Measured before anything else is on the heap.
const { made: table, bytes } = heapOf(() => filled(names))
const tables: [count: number, table: HostTable][] = [
  [SMALL, filled(SMALL)],
  [names, table],
  [large, filled(large)],
]
const times = tables.map(() => ({ popular: [] as number[], even: [] as number[], missing: [] as number[] }))
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [index, [count, one]] of tables.entries()) {
    for (const wanted of ['popular', 'even', 'missing'] as const) {
      times[index]?.[wanted].push(lookupNs(one, count, wanted))
    }
  }
}
const { writeMs, loadMs, logBytes } = await throughDisk(names)
const lookups = tables.map(([count], index) => ({
  names: count,
  popularNs: best(times[index]?.popular ?? []),
  evenNs: best(times[index]?.even ?? []),
  missingNs: best(times[index]?.missing ?? []),
}))
const figures: TableFigures = {
  names,
  bytesPerName: Math.round(bytes / names),
  lookups,
  disk: {
    bytesPerName: Math.round(logBytes / names),
    writeMs: Math.round(writeMs),
    startMs: Math.round(loadMs),
  },
}
process.stdout.write(JSON.stringify(figures))
