// Load generators for both sides: pgbench on bare PostgreSQL, wrk on the service. Each runs for
// some seconds over a number of connections and returns its rate, median latency and p99.

import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { quantile } from '../harness/quantile.ts'

const run = promisify(execFile)

export type LoadFigures = { perSecond: number; p50: number; p99: number }
export type Load = { seconds: number; connections: number }

/** `script` is in pgbench's language; latencies are in ms, from its own transaction log. */
export async function pgbench(url: string, script: string, { seconds, connections }: Load): Promise<LoadFigures> {
  return inFolder(async (folder) => {
    const file = join(folder, 'script.sql')
    writeFileSync(file, script)
    const { stdout, stderr } = await run(
      'pgbench',
      ['-n', '-M', 'prepared', '-c', String(connections), '-j', '1', '-T', String(seconds), '-l', '-f', file, url],
      { cwd: folder, maxBuffer: 1 << 24 },
    )
    const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
    if (!(perSecond > 0)) throw new Error(`pgbench said: ${stdout}${stderr}`)
    const latencies = readdirSync(folder)
      .filter((name) => name.startsWith('pgbench_log.'))
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
      .map((line) => Number(line.split(' ', 3)[2]) / 1000)
    return { perSecond, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }
  })
}

/** `requests` is Lua that fills the table `requests`; wrk sends them in a random order. */
export async function wrk(origin: string, requests: string, { seconds, connections }: Load): Promise<LoadFigures> {
  return inFolder(async (folder) => {
    const file = join(folder, 'requests.lua')
    writeFileSync(file, `${requests}\n${lua}`)
    const { stdout } = await run(
      'wrk',
      ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '--latency', '-s', file, origin],
      {
        maxBuffer: 1 << 24,
      },
    )
    const line = /^RESULT (.*)$/m.exec(stdout)?.[1]
    if (!line) throw new Error(`wrk said: ${stdout}`)
    const { errors, ...figures } = JSON.parse(line) as LoadFigures & { errors: number }
    if (errors > 0) throw new Error(`${errors} requests failed: ${stdout}`)
    return figures
  })
}

const lua = `
local seed = os.time()
function init(args) math.randomseed(seed); prepare() end
function request() return next_request() end
function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format('RESULT {"perSecond":%f,"p50":%f,"p99":%f,"errors":%d}\\n',
    summary.requests / (summary.duration / 1e6), latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
`

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-load-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Neither of them is ever installed silently. */
export async function requirePrograms(...names: readonly ('pgbench' | 'wrk')[]): Promise<void> {
  const found = await Promise.all(
    names.map((name) =>
      run('sh', ['-c', `command -v ${name}`]).then(
        () => undefined,
        () => name,
      ),
    ),
  )
  const missing = found.filter((name) => name !== undefined)
  if (missing.length > 0)
    throw new Error(`Missing: ${missing.join(', ')}. On Debian: apt-get install postgresql-15 wrk`)
}
