// A service and a worker, each the program in a process of its own; the file is sent in parts over HTTP, the import is
// started, and polled until it has ended.

import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { spawnProgram } from '../../harness/program.ts'
import { inviteTo } from '../../harness/session.ts'
import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'

export const GROWTH_MAX_MB = 150
const PART_BYTES = 1_000_000
const DASHBOARD = 'https://dashboard.petstore.example'
const UPLOADS_AT_ONCE = 4

export type Sample = { seconds: number; state: string; lines: number; workerMb: number }
export type Memory = { beforeMb: number; peakMb: number; growthMb: number }
export type ImportFigures = {
  animals: number
  bytes: number
  parts: number
  uploadSeconds: number
  importSeconds: number
  rowsPerSecond: number
  state: string
  added: number
  samples: Sample[]
  worker: Memory
  service: Memory
}

/** Faults in the figures; none if all is well. */
export function faultsOf({ animals, state, added, samples, worker, service, importSeconds }: ImportFigures): string[] {
  const seen = new Set(samples.filter((sample) => sample.state === 'running').map(({ lines }) => lines)).size
  const isTooFat = ({ growthMb }: Memory) => growthMb > GROWTH_MAX_MB
  return [
    ...(state === 'succeeded' && added === animals ? [] : [`the import ended as ${state} with ${added} animals`]),
    ...(seen >= Math.min(importSeconds, 20) / 2 ? [] : [`its progress was seen only ${seen} times`]),
    ...(isTooFat(worker) ? [`the worker grew by ${worker.growthMb} MB`] : []),
    ...(isTooFat(service) ? [`the service grew by ${service.growthMb} MB`] : []),
  ]
}

export async function measureImport(databaseUrl: string, animals: number): Promise<ImportFigures> {
  const env = {
    DATABASE_URL: databaseUrl,
    PORT: '0',
    LOG_LEVEL: 'error',
    DASHBOARD_ORIGIN: DASHBOARD,
    RATE_LIMIT_PER_ACCOUNT: '1000000000',
  }
  const service = await startMeasured('serve', env)
  const worker = await startMeasured('work', env)
  try {
    const client = await signUp(`http://127.0.0.1:${service.port}/platform/v1`, databaseUrl)
    // Memory that the first requests need is not growth.
    await client('GET', '/imports')
    service.begin()
    worker.begin()

    const { id } = await client<{ id: string }>('POST', '/imports', { onBadLine: 'refuse' })
    const uploadedAt = performance.now()
    const { parts, bytes } = await upload(client, id, animals)
    const startedAt = performance.now()
    await client('POST', `/imports/${id}/start`, { parts })
    const samples = await watch(client, id, startedAt, worker)
    const last = await client<Seen>('GET', `/imports/${id}`)
    const importSeconds = rounded((samples.at(-1)?.seconds ?? 0) || 0.001)
    return {
      animals,
      bytes,
      parts,
      uploadSeconds: rounded((startedAt - uploadedAt) / 1000),
      importSeconds,
      rowsPerSecond: Math.round(last.added / importSeconds),
      state: last.state,
      added: last.added,
      samples,
      worker: worker.memory(),
      service: service.memory(),
    }
  } finally {
    await Promise.all([service.stop(), worker.stop()])
  }
}

type Seen = { id: string; state: string; lines: number; added: number }

/** Polls until it has ended; each new value is a sample. */
async function watch(client: Client, id: string, startedAt: number, worker: Measured): Promise<Sample[]> {
  const samples: Sample[] = []
  for (;;) {
    const { state, lines } = await client<Seen>('GET', `/imports/${id}`)
    const seconds = rounded((performance.now() - startedAt) / 1000)
    const last = samples.at(-1)
    if (last?.lines !== lines || last.state !== state)
      samples.push({ seconds, state, lines, workerMb: worker.residentMb() })
    if (state === 'succeeded' || state === 'failed') return samples
    await delay(100)
  }
}

async function upload(client: Client, id: string, animals: number): Promise<{ parts: number; bytes: number }> {
  let parts = 0
  let bytes = 0
  const pieces = piecesOf(animals)
  const sender = async () => {
    for (const piece of pieces) {
      parts += 1
      bytes += piece.length
      await client('PUT', `/imports/${id}/parts/${parts}`, piece)
    }
  }
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, sender))
  return { parts, bytes }
}

const names = ['Rex', 'Mia "the cat"', 'Größe', 'Bello, junior', '猫', 'Luna']
const statuses = ['available', 'pending', 'sold']

/** The file, cut without regard for rows or characters. */
function* piecesOf(animals: number): Generator<Buffer> {
  let rest = Buffer.from('name,categoryId,status\r\n')
  let lines: string[] = []
  for (let index = 0; index < animals; index += 1) {
    const name = `${names[index % names.length]} ${index}`.replaceAll('"', '""')
    lines.push(`"${name}",${index % 40},${statuses[index % 3]}\r\n`)
    if (lines.length < 10_000 && index < animals - 1) continue
    rest = Buffer.concat([rest, Buffer.from(lines.join(''))])
    lines = []
    while (rest.length >= PART_BYTES) {
      yield rest.subarray(0, PART_BYTES)
      rest = rest.subarray(PART_BYTES)
    }
  }
  if (rest.length > 0) yield rest
}

type Client = <T = unknown>(method: string, path: string, body?: object) => Promise<T>

/** A new person with a new project; paths are relative to it. */
async function signUp(base: string, databaseUrl: string): Promise<Client> {
  const database = openDatabase({ url: databaseUrl, poolMax: 1, onError: () => {} })
  const secret = await inviteTo(database, 'measure@petstore.example')
  await database.close()
  const password = 'seven otters juggle lanterns'
  const account = await send(`${base}/accounts`, 'POST', { secret, password, name: 'Measure' })
  const cookie = (account.headers.getSetCookie()[0] ?? '').split(';', 1)[0] ?? ''
  const headers = { Cookie: cookie, Origin: DASHBOARD }
  await send(`${base}/projects`, 'POST', { slug: 'measured', name: 'Measured' }, headers)
  return async <T>(method: string, path: string, body?: object) => {
    const answer = await send(`${base}/projects/measured${path}`, method, body, headers)
    const text = await answer.text()
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
}

async function send(url: string, method: string, body?: object, headers: Record<string, string> = {}) {
  const isTable = body instanceof Uint8Array
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(body && { 'Content-Type': isTable ? 'text/csv' : 'application/json' }) },
    ...(body && { body: isTable ? new Uint8Array(body) : JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${url} was answered ${answer.status}: ${await answer.text()}`)
  return answer
}

type Measured = { port: number; begin(): void; residentMb(): number; memory(): Memory; stop(): Promise<unknown> }

async function startMeasured(role: 'serve' | 'work', env: Record<string, string>): Promise<Measured> {
  const { port, pid, end, ended } = spawnProgram([role], env, { ready: role === 'serve' ? 'serving' : 'working' })
  let [before, peak] = [0, 0]
  const takeSample = () => (peak = Math.max(peak, residentMb(pid)))
  const timer = setInterval(takeSample, 50)
  return {
    port: await port,
    begin: () => (before = peak = residentMb(pid)),
    residentMb: () => residentMb(pid),
    memory: () => ({ beforeMb: before, peakMb: takeSample(), growthMb: rounded(peak - before) }),
    stop() {
      clearInterval(timer)
      end('SIGTERM')
      return ended
    },
  }
}

function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return rounded(Number(kilobytes) / 1024)
}

const rounded = (value: number) => Math.round(value * 10) / 10

if (import.meta.main) {
  const flags = readFlags('import')
  await using postgres = await startTemporaryPostgres()
  const { appUrl } = await postgres.createDatabase()
  const figures = await measureImport(appUrl, Number(flags.animals))
  conclude(flags, figures, ...faultsOf(figures))
}
