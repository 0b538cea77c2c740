// Third-party programs on the same rows, loaded with requests for the same page by the same wrk:
// testbed/bench/peers/README.md describes each and what is not comparable. They run one at a
// time, each in a process of its own, alternating with ours.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { wrk, type LoadFigures, type Load } from './load.ts'
import { median, type PeerComparison } from './report.ts'
import { PAGE, wrkScript } from './workloads.ts'
import { startServe, type World } from './environment.ts'
import { freePort } from '../../devserver/free-port.ts'

type Peer = {
  name: (version: string) => string
  /** The npm package that must be installed, and whose version is reported. */
  package: string
  /** Arguments of node, run inside testbed/bench/peers; may write files into `folder` first. */
  command(world: World, port: number, folder: string): string[] | Promise<string[]>
  /** The page of one project, newest first, as closely as its API allows. */
  path(project: number): string
  /** It has no data of its own: only the number of animals can be checked, not which ones. */
  isMock?: boolean
}

const directory = join(import.meta.dirname, 'peers')
const contract = join(import.meta.dirname, '../../contract/openapi.json')
/** json-server reads its whole file into memory and scans all of it for each request. */
const IN_MEMORY = 20_000
const PATIENCE = 30_000

const peers: readonly Peer[] = [
  {
    name: (version) => `Fastify ${version} + pg`,
    package: 'fastify',
    command: () => ['plain-fastify.mjs'],
    path: (project) => `/pets?limit=${PAGE}&projectId=${project}`,
  },
  {
    name: (version) => `Platformatic DB ${version}`,
    package: '@platformatic/db',
    command: () => ['platformatic.mjs'],
    path: (project) =>
      `/pets/?limit=${PAGE}&where.projectId.eq=${project}&orderby.id=desc&fields=id&fields=name&fields=categoryId&fields=status`,
  },
  {
    name: (version) => `json-server ${version}`,
    package: 'json-server',
    async command(world, port, folder) {
      const file = join(folder, 'animals.json')
      writeFileSync(file, JSON.stringify({ pets: await animalsOf(world, IN_MEMORY) }))
      const script = 'node_modules/json-server/lib/cli/bin.js'
      return [script, '--quiet', '--read-only', '--host', '127.0.0.1', '--port', `${port}`, file]
    },
    path: (project) => `/pets?projectId=${project}&_sort=id&_order=desc&_limit=${PAGE}`,
  },
  {
    name: (version) => `Prism ${version}`,
    package: '@stoplight/prism-cli',
    async command(world, port, folder) {
      const file = join(folder, 'openapi.json')
      writeFileSync(file, contractShowing(await animalsOf(world, PAGE)))
      const script = 'node_modules/@stoplight/prism-cli/dist/index.js'
      return [script, 'mock', '-h', '127.0.0.1', '-p', `${port}`, '-v', 'error', '--multiprocess=false', file]
    },
    path: () => `/pets?limit=${PAGE}`,
    isMock: true,
  },
]

export async function comparePeers(world: World, load: Load, rounds: number): Promise<Record<string, PeerComparison>> {
  // All of them are looked up before the first is measured.
  const found = peers.map((peer) => ({ peer, name: peer.name(installedVersion(peer.package)) }))
  const figures: Record<string, PeerComparison> = {}
  const service = await startServe(world.appUrl)
  try {
    const ours = () => wrk(service.origin, wrkScript('list', world), load)
    await ours()
    for (const { peer, name } of found) figures[name] = await measure(peer, name, world, load, rounds, ours)
  } finally {
    await service.stop()
  }
  return figures
}

async function measure(
  peer: Peer,
  name: string,
  world: World,
  load: Load,
  rounds: number,
  ours: () => Promise<LoadFigures>,
): Promise<PeerComparison> {
  const running = await start(peer, name, world)
  try {
    const script = requestsOf(peer, world)
    await wrk(running.origin, script, { ...load, seconds: 1 })
    const measured: LoadFigures[] = []
    const own: LoadFigures[] = []
    for (let round = 0; round < rounds; round += 1) {
      measured.push(await wrk(running.origin, script, load))
      own.push(await ours())
    }
    return { ...median(measured), ours: median(own).perSecond }
  } catch (error) {
    throw new Error(`${name} failed under load. It said:\n${running.said()}`, { cause: error })
  } finally {
    await running.stop()
  }
}

function installedVersion(name: string): string {
  try {
    const { version } = JSON.parse(readFileSync(join(directory, 'node_modules', name, 'package.json'), 'utf8')) as {
      version: string
    }
    return version
  } catch (error) {
    throw new Error(`${name} is not installed: run npm ci --prefix testbed/bench/peers`, { cause: error })
  }
}

/** The request of every project is formatted before the run; wrk picks them in a random order. */
function requestsOf(peer: Peer, { projects, keys }: World): string {
  const paths = Array.from({ length: projects }, (_, index) => peer.path(index + 1))
  return `
local paths = {${paths.map((path) => `"${path}"`).join(',')}}
local lists = {}
function prepare()
  for index, path in ipairs(paths) do
    lists[index] = wrk.format("GET", path, { Authorization = "Bearer ${keys[0]}" })
  end
end
function next_request() return lists[math.random(#lists)] end`
}

type Running = { origin: string; said(): string; stop(): Promise<void> }

async function start(peer: Peer, name: string, world: World): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-peer-'))
  const port = await freePort()
  const args = await peer.command(world, port, folder)
  const child = spawn(process.execPath, args, {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: world.bareUrl, PORT: String(port) },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output = `${output}${text}`.slice(-4000)))
  }
  const ended = once(child, 'exit')
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const running = {
    origin: `http://127.0.0.1:${port}`,
    said: () => output,
    async stop() {
      child.kill('SIGTERM')
      const impatient = setTimeout(() => child.kill('SIGKILL'), 5000)
      await ended
      clearTimeout(impatient)
      rmSync(folder, { recursive: true, force: true })
    },
  }
  try {
    await untilRight(peer, world, running.origin, hasEnded)
    return running
  } catch (error) {
    await running.stop()
    throw new Error(`${name} did not serve ${PAGE} animals. It said:\n${output}`, { cause: error })
  }
}

/** Waits for the first response; it must be the page, so that no error page is counted as speed. */
async function untilRight(peer: Peer, world: World, origin: string, hasEnded: () => boolean): Promise<void> {
  const project = 1 + Math.floor(Math.random() * world.projects)
  const deadline = performance.now() + PATIENCE
  while (performance.now() < deadline && !hasEnded()) {
    const answer = await fetch(`${origin}${peer.path(project)}`, {
      headers: { authorization: `Bearer ${world.keys[0]}` },
    }).catch(() => undefined)
    if (answer) return check(peer, project, world, answer.status, await answer.text())
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(hasEnded() ? 'it ended by itself' : `it did not answer within ${PATIENCE} ms`)
}

function check(peer: Peer, project: number, { projects, animals }: World, status: number, body: string): void {
  const wrong = (what: string) => new Error(`${what}: ${status} ${body.slice(0, 500)}`)
  if (status !== 200) throw wrong('not 200')
  const rows: unknown = JSON.parse(body)
  if (!Array.isArray(rows) || rows.length !== PAGE) throw wrong(`not ${PAGE} rows`)
  // Platformatic returns a bigint as text.
  const ids = rows.map((row: { id: number | string }) => Number(row.id))
  if (ids.some((id, index) => !(id < (ids[index - 1] ?? Infinity)))) throw wrong('not by descending id')
  // Seeded animal n belongs to project 1 + n modulo projects; the workloads have added others, with higher ids.
  const isForeign = (id: number) => id <= animals && 1 + (id % projects) !== project
  if (!peer.isMock && ids.some(isForeign)) throw wrong(`not of project ${project}`)
}

type Animal = { id: number; projectId: number; name: string; categoryId: number; status: string }

/** The oldest ones: they cycle through all projects, and do not depend on what the workloads have added since. */
async function animalsOf({ bareUrl }: World, count: number): Promise<Animal[]> {
  const client = new pg.Client({ connectionString: bareUrl })
  await client.connect()
  try {
    const { rows } = await client.query<Animal>(
      `select id::float8, project_id::float8 as "projectId", name, category_id::float8 as "categoryId", status
       from pets where id <= $1 order by id desc`,
      [count],
    )
    return rows
  } finally {
    await client.end()
  }
}

type Contract = {
  paths: { '/pets': { get: { responses: { 200: { content: { 'application/json': { example: unknown } } } } } } }
}

/** Prism responds with the example of the contract, which has two animals: here it gets a whole page of them. */
function contractShowing(animals: readonly Animal[]): string {
  const document = JSON.parse(readFileSync(contract, 'utf8')) as Contract
  document.paths['/pets'].get.responses[200].content['application/json'].example = animals.map(
    ({ projectId: _, ...pet }) => pet,
  )
  return JSON.stringify(document)
}
