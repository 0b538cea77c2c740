// The operator suspends a project with the command while three processes of the service and two edges, each a process of
// its own with its caches warm, get requests without pause. Counted is the last success that was begun after the
// transaction of the command began, also after a deployment and a new certificate in the meantime; then how long it takes
// until every process serves the resumed project again.

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../../devserver/free-port.ts'
import { putRoute } from '../../../server/src/fleet/directory.io.ts'
import { addEdge } from '../../../server/src/fleet/edge-tokens.io.ts'
import { newId } from '../../../server/src/foundation/ids.io.ts'
import { openDatabase, statement, type Database } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { createKey } from '../../../server/src/projects/api-keys.io.ts'
import { createProject } from '../../../server/src/projects/projects.io.ts'
import { inProjectOf, type ProjectId } from '../../../server/src/projects/scope.io.ts'
import { exchange } from '../../harness/http.ts'
import { spawnProgram, type Program } from '../../harness/program.ts'
import { publishAtOnce } from '../../harness/publish.ts'
import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { contentWith } from '../../samples/sites.ts'
import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'

export const PROMISED_MS = 1000
/** After what would open the sites again: longer than any cache. */
const WATCHED_MS = 1500
const PLATFORM_HOST = 'petstore.test'
const DOMAIN = 'shop.example'
const SLUG = 'north'

export type TakedownFigures = {
  variant: 'the command' | 'control: the row alone, without a note to caches and edges'
  requests: number
  /** Milliseconds from the beginning of the suspension to the begin of the last request that still succeeded. */
  worstMs: number
  /** Those of them that succeeded after the deployment. */
  afterDeployment: number
  /** Until every process and every edge served it again. */
  backMs: number
}

/** The fault of the figures; undefined if the promise was kept. */
export function takedownFault({ variant, worstMs, afterDeployment }: TakedownFigures): string | undefined {
  if (afterDeployment > 0) return `${variant}: ${afterDeployment} requests succeeded after the deployment`
  return worstMs <= PROMISED_MS ? undefined : `${variant}: a request succeeded ${worstMs} ms after the suspension`
}

/** Both variants, one after the other, with the same processes. */
export async function measureTakedown(urls: { appUrl: string; ownerUrl: string }): Promise<TakedownFigures[]> {
  await using stack = new AsyncDisposableStack()
  const open = (url: string) =>
    stack.adopt(openDatabase({ url, poolMax: 2, onError: () => {} }), (database) => database.close())
  const database = open(urls.appUrl)
  const owner = open(urls.ownerUrl)
  const project = await createProject(database, { slug: SLUG, name: 'North' })
  const shop = { database, project, deployments: 0 }
  await deploy(shop)
  const key = await createKey({ inProject: inProjectOf(database), newId, randomBytes, kind: 'live' }, project, {
    label: 'measured',
  })
  const places = await startPlaces(stack, database, urls.appUrl, key.key)
  const command = (verb: string) => runCommand(urls.appUrl, verb)

  const byCommand = await measureOnce(shop, places, 'the command', () => command('suspend'))
  const backMs = await resumed(places, () => command('resume'))
  const byRow = await measureOnce(
    shop,
    places,
    'control: the row alone, without a note to caches and edges',
    async () => void (await owner.run(suspendRow, SLUG)),
  )
  return [
    { ...byCommand, backMs },
    { ...byRow, backMs: 0 },
  ]
}

/** A process, and what a visitor or a client requests of it. */
type Place = { port: number; path: string; headers: Record<string, string> }

async function startPlaces(
  stack: AsyncDisposableStack,
  database: Database,
  databaseUrl: string,
  key: string,
): Promise<Place[]> {
  const unlimited = '1000000000'
  const limits = { RATE_LIMIT_PER_KEY: unlimited, RATE_LIMIT_PER_PROJECT: unlimited }
  const common = { PLATFORM_HOST, LOG_LEVEL: 'error', ...limits }
  const spawn = (role: string, env: Record<string, string>): Program =>
    stack.use(spawnProgram([role], { ...common, ...env }))
  const controls = [await freePort(), await freePort()]
  const services = await Promise.all(
    [...controls, undefined].map((control) =>
      spawn('serve', {
        DATABASE_URL: databaseUrl,
        PORT: '0',
        ...(control !== undefined && { CONTROL_PORT: String(control) }),
      }).port.then((port) => ({ port, path: '/v1/pets?limit=1', headers: { Authorization: `Bearer ${key}` } })),
    ),
  )
  const visited: Place[] = []
  for (const control of controls) {
    const { token } = await addEdge({ run: database.run, newId, randomBytes }, `edge-${control}`)
    const folder = await mkdtemp(join(tmpdir(), 'petstore-takedown-'))
    stack.defer(() => rm(folder, { recursive: true, force: true }))
    const port = await freePort()
    spawn('edge', {
      EDGE_PORT: String(port),
      EDGE_CONTROL_URL: `http://127.0.0.1:${control}`,
      EDGE_TOKEN: token,
      EDGE_KEY: randomBytes(32).toString('base64'),
      EDGE_DIRECTORY: folder,
      EDGE_CERTIFICATE_PORT: String(await freePort()),
    })
    for (const [host, scheme] of [
      [DOMAIN, 'https'],
      [`${SLUG}.${PLATFORM_HOST}`, 'http'],
    ] as const)
      visited.push({ port, path: '/', headers: { Host: host, 'X-Forwarded-Proto': scheme } })
  }
  const places = [...services, ...visited]
  await Promise.all(places.map(served))
  return places
}

const isSuccess = async ({ port, path, headers }: Place): Promise<boolean> => {
  const { status } = await exchange(`http://127.0.0.1:${port}`, { path, headers })
  return status >= 200 && status < 300
}

/** An edge takes a moment to start and to learn its hostnames. */
async function served(place: Place): Promise<void> {
  for (let left = 2400; left > 0; left -= 1) {
    if (await isSuccess(place).catch(() => false)) return
    await delay(25)
  }
  throw new Error(`${place.path} at port ${place.port} was not served`)
}

type Shop = { database: Database; project: ProjectId; deployments: number }

/** A site, and a new certificate for its domain. */
async function deploy(shop: Shop): Promise<void> {
  shop.deployments += 1
  const { database, project, deployments } = shop
  await publishAtOnce(inProjectOf(database), project, contentWith({ title: `Site ${deployments}` }), deployments)
  const serial = deployments.toString(16).padStart(2, '0')
  await putRoute(database.run, DOMAIN, BigInt(deployments), { kind: 'site', slug: SLUG, serial })
}

type Call = { startedAt: number; isOk: boolean }

async function measureOnce(
  shop: Shop,
  places: readonly Place[],
  variant: TakedownFigures['variant'],
  suspend: () => Promise<void>,
): Promise<Omit<TakedownFigures, 'backMs'>> {
  await Promise.all(places.map(served))
  const over = new AbortController()
  const call = async (place: Place): Promise<Call[]> => {
    const calls: Call[] = []
    while (!over.signal.aborted) {
      const startedAt = Date.now()
      calls.push({ startedAt, isOk: await isSuccess(place) })
      await delay(2)
    }
    return calls
  }
  const running = Promise.all(places.map(call))
  await suspend()
  const [row] = await shop.database.run(readSuspension, SLUG)
  const suspendedAt = row?.suspendedAt.getTime() ?? Number.NaN
  await delay(Math.max(0, suspendedAt + PROMISED_MS - Date.now()))
  await deploy(shop)
  const deployedAt = Date.now()
  await delay(WATCHED_MS)
  over.abort()
  const calls = (await running).flat()
  const late = calls.filter(({ isOk, startedAt }) => isOk && startedAt > suspendedAt)
  return {
    variant,
    requests: calls.length,
    worstMs: Math.max(0, ...late.map(({ startedAt }) => startedAt - suspendedAt)),
    afterDeployment: late.filter(({ startedAt }) => startedAt > deployedAt).length,
  }
}

/** Milliseconds from the end of the command. */
async function resumed(places: readonly Place[], resume: () => Promise<void>): Promise<number> {
  await resume()
  const at = Date.now()
  await Promise.all(places.map(served))
  return Date.now() - at
}

async function runCommand(databaseUrl: string, verb: string): Promise<void> {
  const words = ['projects', verb, '--project', SLUG, '--as', 'mia', '--reason', 'measured']
  const { code, errors } = await spawnProgram(words, { DATABASE_URL: databaseUrl, PLATFORM_HOST }).ended
  if (code !== 0) throw new Error(`petstore projects ${verb} ended with ${code}: ${errors}`)
}

const suspendRow = statement<never, [slug: string]>(
  'testbed-suspend-row-alone',
  `update slug_directory
   set suspended_at = now()
   where slug = $1`,
)

const readSuspension = statement<{ suspendedAt: Date }, [slug: string]>(
  'testbed-read-suspension',
  `select suspended_at as "suspendedAt"
   from slug_directory
   where slug = $1`,
)

/** The command: measures on a database of its own, prints the figures, and fails if they are wrong. */
async function printFigures(): Promise<void> {
  const flags = readFlags('takedown')
  await using postgres = await startTemporaryPostgres()
  const all: TakedownFigures[] = []
  const faults: (string | undefined)[] = []
  for (let round = 0; round < Number(flags.rounds); round += 1) {
    const [figures, control] = await measureTakedown(await postgres.createDatabase(`takedown_${round}`))
    if (!figures || !control) throw new Error('nothing was measured')
    all.push(figures, control)
    faults.push(takedownFault(figures), takedownFault(control) === undefined ? 'the control: not noticed' : undefined)
  }
  conclude(flags, { figures: all }, ...faults)
}

if (import.meta.main) await printFigures()
