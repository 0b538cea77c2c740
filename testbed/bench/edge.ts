// `npm run bench -- --only edge`: measures the cost of our edge next to the lower bound for
// serving the same bytes over TLS, which is Caddy with a file and a certificate from disk. The
// figure is processor time of all servers that take part, per full handshake and per request on
// kept connections. Both ways are measured in one run, in turn, so that a noisy machine affects
// both; the result is the ratio of the medians.
//
// A resumed session is not a handshake: the client has no session cache and reports an error if
// a session was resumed all the same. The cost of a host table with many hostnames is measured
// by edge-table.ts, in a process of its own, and printed with the rest; it has limits, beyond which this exits with 1.

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { parseArgs, promisify } from 'node:util'
import type { TableFigures } from './edge-table.ts'
import { startEdgeWorld, type EdgeWorld, type EdgePath } from './edge-environment.ts'
import { quantile } from '../harness/quantile.ts'
import { wrk } from './load.ts'
import { aligned, fixed, whole } from './table.ts'

type Round = { perSecond: number; micros: Readonly<Record<string, number>>; sum: number }

/** Microseconds of processor time for each; ours also by process. */
export type EdgeCost = {
  ratio: number
  plainMicros: number
  ourMicros: number
  ourParts: Readonly<Record<string, number>>
  plainPerSecond: number
  ourPerSecond: number
}

export type EdgeResults = { rounds: number; seconds: number; connections: number; pageBytes: number } & {
  handshake: EdgeCost
  request: EdgeCost
  table: TableFigures
}

/** Of the host table. */
const BYTES_PER_NAME_MAX = 400
const POPULAR_NS_MAX = 3000

type EdgeOptions = { seconds: number; rounds: number; connections: number; json: boolean }

/** Whether only the edge is selected: it needs no database and is measured separately. */
export const isOfEdge = (args: readonly string[]): boolean =>
  args.some((arg, index) => arg === '--only=edge' || (arg === '--only' && args[index + 1] === 'edge'))

export async function benchEdge(args: readonly string[]): Promise<void> {
  const options = readOptions(args)
  const table = await measureTable()
  const world = await startEdgeWorld()
  try {
    const handshake = await compare(world, options, handshakes)
    logProgress(`handshake: ${handshake.ratio.toFixed(2)}`)
    const request = await compare(world, options, requests)
    logProgress(`request: ${request.ratio.toFixed(2)}`)
    const { rounds, seconds, connections } = options
    const results: EdgeResults = { rounds, seconds, connections, pageBytes: world.pageBytes, handshake, request, table }
    process.stdout.write(`${options.json ? JSON.stringify({ edge: results }) : print(results)}\n`)
  } finally {
    await world.stop()
  }
}

async function measureTable(): Promise<TableFigures> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'edge-table.ts')])
  const table = JSON.parse(stdout) as TableFigures
  const isSlow = table.lookups.some(({ popularNs }) => popularNs > POPULAR_NS_MAX)
  if (isSlow || table.bytesPerName > BYTES_PER_NAME_MAX) process.exitCode = 1
  return table
}

const logProgress = (text: string) => process.stderr.write(`${text}\n`)

function readOptions(args: readonly string[]): EdgeOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      connections: { type: 'string', default: '32' },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const { quick, json } = values
  return {
    seconds: Number(values.seconds ?? (quick ? 1 : 4)),
    rounds: Number(values.rounds ?? (quick ? 3 : 7)),
    connections: Number(values.connections),
    json,
  }
}

/** Loads one way for the duration and returns how many handshakes or requests were completed. */
type Load = (world: EdgeWorld, way: EdgePath, options: EdgeOptions) => Promise<number>

async function compare(world: EdgeWorld, options: EdgeOptions, load: Load): Promise<EdgeCost> {
  const found = { plain: [] as Round[], ours: [] as Round[] }
  for (const name of ['plain', 'ours'] as const) await load(world, world[name], { ...options, seconds: 2 })
  for (let round = 0; round < options.rounds; round += 1) {
    for (const name of ['plain', 'ours'] as const) found[name].push(await measure(world, world[name], options, load))
  }
  const [plain, ours] = [middle(found.plain), middle(found.ours)]
  return {
    ratio: ours.sum / plain.sum,
    plainMicros: plain.sum,
    ourMicros: ours.sum,
    ourParts: ours.micros,
    plainPerSecond: plain.perSecond,
    ourPerSecond: ours.perSecond,
  }
}

async function measure(world: EdgeWorld, way: EdgePath, options: EdgeOptions, load: Load): Promise<Round> {
  const before = workOf(way)
  const begin = performance.now()
  const count = await load(world, way, options)
  const seconds = (performance.now() - begin) / 1000
  const after = workOf(way)
  const micros = Object.fromEntries(
    Object.keys(way.pids).map((name) => [name, (((after[name] ?? 0) - (before[name] ?? 0)) * 1000) / count]),
  )
  return { perSecond: count / seconds, micros, sum: Object.values(micros).reduce((sum, one) => sum + one, 0) }
}

const TICK_MS = 10

/** Milliseconds of user and system time of each process so far, over all its threads. */
function workOf({ pids }: EdgePath): Record<string, number> {
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return [name, (Number(fields[11]) + Number(fields[12])) * TICK_MS]
    }),
  )
}

/** The median of each figure separately. */
function middle(rounds: readonly Round[]): Round {
  const of = (figure: (round: Round) => number): number => quantile(rounds.map(figure), 0.5)
  const names = Object.keys(rounds[0]?.micros ?? {})
  return {
    perSecond: of(({ perSecond }) => perSecond),
    micros: Object.fromEntries(names.map((name) => [name, of(({ micros }) => micros[name] ?? Number.NaN)])),
    sum: of(({ sum }) => sum),
  }
}

async function handshakes(world: EdgeWorld, way: EdgePath, { seconds, connections }: EdgeOptions): Promise<number> {
  const end = performance.now() + seconds * 1000
  let count = 0
  const visit = async (): Promise<void> => {
    while (performance.now() < end) {
      await shakeHands(world, way)
      count += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, visit))
  return count
}

function shakeHands({ hostname, rootPem }: EdgeWorld, { address, port }: EdgePath): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, servername: hostname, ca: rootPem, minVersion: 'TLSv1.3' }, () => {
      if (socket.isSessionReused()) reject(new Error('A session was resumed, so this measures nothing.'))
      socket.destroy()
    })
    socket.on('error', reject)
    // Closed on our side first; one after the other, so that the machine does not run out of ports.
    socket.on('close', () => resolve())
  })
}

async function requests(
  { hostname }: EdgeWorld,
  way: EdgePath,
  { seconds, connections }: EdgeOptions,
): Promise<number> {
  // The hostname goes into the handshake and the Host header; the address is given here, because no DNS resolves it.
  const script = `
function wrk.resolve(host, service) wrk.addrs = wrk.lookup("${way.address}", service) end
local text
function prepare() text = wrk.format("GET", "/", { Host = "${hostname}" }) end
function next_request() return text end`
  const { perSecond } = await wrk(`https://${hostname}:${way.port}`, script, { seconds, connections })
  return perSecond * seconds
}

function print({ rounds, seconds, connections, pageBytes, handshake, request, table: known }: EdgeResults): string {
  const row = (name: string, cost: EdgeCost) => [
    name,
    fixed(cost.ratio),
    whole(cost.plainMicros),
    whole(cost.ourMicros),
    ...['caddy', 'edge'].map((part) => whole(cost.ourParts[part] ?? Number.NaN)),
    whole(cost.plainPerSecond),
    whole(cost.ourPerSecond),
  ]
  const table = [
    ['', 'ratio', 'static µs', 'ours µs', 'Caddy µs', 'edge µs', 'static /s', 'ours /s'],
    row('full handshake', handshake),
    row('request', request),
  ]
  return [
    'Processor time of the edge beside Caddy with a file and a certificate from disk',
    `${connections} connections, ${pageBytes} bytes, medians of ${rounds} rounds of ${seconds} s each, in turn`,
    '',
    aligned(table),
    '',
    `Host table: ${known.bytesPerName} bytes of memory for each of ${known.names} names`,
    ...known.lookups.map(
      ({ names, popularNs, evenNs, missingNs }) =>
        `  of ${names} names: a popular one is found in ${popularNs} ns, any in ${evenNs} ns, one that is not there in ${missingNs} ns`,
    ),
    `  on the disk: ${known.disk.bytesPerName} bytes for each, written in ${known.disk.writeMs} ms, read at a start in ${known.disk.startMs} ms`,
  ].join('\n')
}
