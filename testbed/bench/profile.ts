// Profile of the service's own time: one run under Node's profiler, in which every sample is
// attributed to the function that was running, and that function to a part of the program. So
// the shares add up to the whole.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { wrk, type Load } from './load.ts'
import type { Workload } from './options.ts'
import { wrkScript } from './workloads.ts'
import { startServe, type World } from './environment.ts'

type Frame = { functionName: string; url: string }
type Profile = { nodes: { id: number; callFrame: Frame }[]; samples: number[]; timeDeltas: number[]; startTime: number }

const SAMPLE_MICROSECONDS = 200
/** Nothing is served while the service stops and writes the profile. */
const TAIL_SECONDS = 0.5

/** The share of each part in the time in which the service was busy, the largest first. */
export async function profile(world: World, workload: Workload, load: Load): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-profile-'))
  try {
    const flags = ['--cpu-prof', `--cpu-prof-interval=${SAMPLE_MICROSECONDS}`, `--cpu-prof-dir=${folder}`]
    const service = await startServe(world.appUrl, { flags })
    await wrk(service.origin, wrkScript(workload, world), { ...load, seconds: 3 })
    await wrk(service.origin, wrkScript(workload, world), load)
    await service.stop()
    const [file = ''] = readdirSync(folder)
    return sharesOf(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile, load.seconds)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function sharesOf({ nodes, samples, timeDeltas }: Profile, seconds: number): Record<string, number> {
  const parts = new Map(nodes.map(({ id, callFrame }) => [id, partOf(callFrame)]))
  const microseconds = new Map<string, number>()
  const end = timeDeltas.reduce((sum, delta) => sum + delta, 0) - TAIL_SECONDS * 1e6
  let at = 0
  samples.forEach((sample, index) => {
    const delta = timeDeltas[index] ?? 0
    at += delta
    const part = parts.get(sample)
    if (part === undefined || at > end || at < end - (seconds - 2 * TAIL_SECONDS) * 1e6) return
    microseconds.set(part, (microseconds.get(part) ?? 0) + delta)
  })
  const busy = [...microseconds.values()].reduce((sum, part) => sum + part, 0)
  return Object.fromEntries(
    [...microseconds].sort(([, a], [, b]) => b - a).map(([part, spent]) => [part, spent / busy]),
  )
}

const sourceParts: readonly [pattern: RegExp, part: string][] = [
  [/node_modules\/(pg|pg-.*|postgres-.*)\//, 'PostgreSQL driver'],
  [/node_modules\/(fastify|find-my-way|@fastify|avvio|light-my-request)\//, 'Fastify'],
  [/node_modules\/(pino|sonic-boom|.*-stringify)\//, 'log'],
  [/node_modules\//, 'other libraries'],
  [
    /\/server\/src\/foundation\/(json-reader|http\/(operation\.io|validate|negotiation|list-response|cursor|body\.io))\.ts/,
    'operation: checking and answering',
  ],
  [/\/server\/src\/foundation\/load\/batch\.ts/, 'batching'],
  [/\/server\/src\/foundation\/(http\/(http|connections|socket-errors)\.io|log)\.ts/, 'HTTP rules and log line'],
  [/\/server\/src\/(projects|app\.ts|foundation\/load\/(cache|rate-limit\.io)\.ts)/, 'key and quota'],
  [/\/(server|contract)\/src\//, 'the rest of ours'],
  [/^node:internal\/crypto/, 'digests (key, entity tag)'],
  [/^node:/, 'Node: HTTP, sockets, events, promises'],
]

/** Undefined means idle. */
function partOf({ functionName, url }: Frame): string | undefined {
  if (functionName === '(idle)') return undefined
  if (functionName === '(garbage collector)') return 'garbage collection'
  if (/^write(v|Utf8String|Latin1String|Buffer)$/.test(functionName) && url === '') return 'system calls that write'
  return sourceParts.find(([pattern]) => pattern.test(url))?.[1] ?? 'native code and the rest'
}
