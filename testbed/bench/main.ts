// `npm run bench`: compares the service with bare PostgreSQL. Rounds of pgbench and of the real
// service alternate on the same rows, so that a noisy machine affects both; the result is the
// ratio of the medians.

import { benchAgainst } from './against.ts'
import { medianWork, perRequest, workBetween, workSoFar, type Work } from './cpu.ts'
import { writePerformance } from './document.ts'
import { benchEdge, isOfEdge } from './edge.ts'
import { pgbench, requirePrograms, wrk, type LoadFigures, type Load } from './load.ts'
import { isAgainst, readAgainstOptions, readOptions, usage, type Options, type Workload } from './options.ts'
import { comparePeers } from './peers.ts'
import { profile } from './profile.ts'
import { median, printResults, type Comparison, type Results } from './report.ts'
import { bareScript, wrkScript } from './workloads.ts'
import { createWorld, startCluster, startServe, type RunningService, type World } from './environment.ts'

const CONNECTIONS = [1, 8, 32, 128]
const SIZES = [10_000, 1_000_000, 20_000_000]

const print = (text: string) => process.stdout.write(`${text}\n`)
const logProgress = (text: string) => process.stderr.write(`${text}\n`)

const args = process.argv.slice(2)
if (args.includes('--help')) print(usage)
else if (isOfEdge(args)) await benchEdge(args)
else if (isAgainst(args)) await benchAgainst(readAgainstOptions(args))
else await main(readOptions(args))

async function main(options: Options): Promise<void> {
  await requirePrograms('pgbench', 'wrk')
  const postgres = await startCluster()
  try {
    logProgress(`Filling ${options.projects} projects with ${options.animals} animals …`)
    const world = await createWorld(postgres, 'petstore', options.projects, options.animals)
    const results: Results = await served(world, async (service) => ({
      ...(await compareAll(world, service, options)),
      ...(options.sweep && { connections: await compareConnections(world, service, options) }),
    }))
    if (options.profile) {
      const seconds = Math.max(options.seconds, 5)
      const list = await profile(world, 'list', { ...options, seconds })
      results.profile = { list, create: await profile(world, 'create', { ...options, seconds }) }
    }
    if (options.peers) results.peers = await comparePeers(world, options, options.rounds)
    if (options.growth) results.growth = await compareSizes(postgres, options)
    if (options.write) await writePerformance(results, options)
    print(options.json ? JSON.stringify(results) : printResults(results, options))
  } finally {
    await postgres.stop()
  }
}

async function served<T>(world: World, work: (service: RunningService) => Promise<T>): Promise<T> {
  const service = await startServe(world.appUrl)
  try {
    return await work(service)
  } finally {
    await service.stop()
  }
}

async function compareAll(world: World, service: RunningService, options: Options): Promise<Results> {
  const results: Results = {}
  for (const workload of options.only) {
    results[workload] = await compare(world, service, workload, options, options.rounds)
    logProgress(`${workload}: ${results[workload].ratio.toFixed(2)}`)
  }
  return results
}

async function compareConnections(world: World, service: RunningService, options: Options) {
  const found: Record<string, { list: Comparison; create: Comparison }> = {}
  for (const connections of CONNECTIONS) {
    const load = { ...options, connections }
    const list = await compare(world, service, 'list', load, Math.min(3, options.rounds))
    const create = await compare(world, service, 'create', load, Math.min(3, options.rounds))
    found[connections] = { list, create }
    logProgress(`${connections} connections: list ${list.ratio.toFixed(2)}, create ${create.ratio.toFixed(2)}`)
  }
  return found
}

/** The same list in stores of three sizes, each in a database of its own; rounds alternate among them. */
async function compareSizes(postgres: Parameters<typeof createWorld>[0], options: Options) {
  const stores: { animals: number; world: World; service: RunningService; rounds: LoadFigures[] }[] = []
  try {
    for (const animals of SIZES) {
      logProgress(`Filling one project with ${animals} animals …`)
      const world = await createWorld(postgres, `one_${animals}`, 1, animals)
      stores.push({ animals, world, service: await startServe(world.appUrl), rounds: [] })
    }
    for (const { service, world } of stores) await warmUp(service.origin, 'list', world, options)
    for (let round = 0; round < options.rounds; round += 1) {
      for (const { service, world, rounds } of stores) {
        rounds.push(await wrk(service.origin, wrkScript('list', world), options))
      }
    }
    return Object.fromEntries(stores.map(({ animals, rounds }) => [animals, median(rounds)]))
  } finally {
    for (const { service } of stores) await service.stop()
  }
}

async function compare(
  world: World,
  { origin, pid }: RunningService,
  workload: Workload,
  load: Load,
  rounds: number,
): Promise<Comparison> {
  const bare: LoadFigures[] = []
  const service: LoadFigures[] = []
  const work: Work[] = []
  const measured = { service: pid, postmaster: world.postmaster }
  await warmUp(origin, workload, world, load)
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await pgbench(world.bareUrl, bareScript(workload, world), load))
    const before = workSoFar(measured)
    const figures = await wrk(origin, wrkScript(workload, world), load)
    service.push(figures)
    work.push(perRequest(workBetween(before, workSoFar(measured)), figures.perSecond * load.seconds))
  }
  const [ours, theirs] = [median(service), median(bare)]
  return {
    ratio: ours.perSecond / theirs.perSecond,
    bare: theirs.perSecond,
    service: ours.perSecond,
    p50: ours.p50,
    p99: ours.p99,
    bareP50: theirs.p50,
    bareP99: theirs.p99,
    work: medianWork(work),
  }
}

/** A round that is not counted: caches fill, and the service's code is compiled as it is in a process that runs for days. */
async function warmUp(origin: string, workload: Workload, world: World, load: Load): Promise<void> {
  await wrk(origin, wrkScript(workload, world), { ...load, seconds: 3 })
}
