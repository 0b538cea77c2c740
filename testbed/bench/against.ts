// `npm run bench -- --against <ref>`: compares the service of this tree with that of another
// commit. Only the program differs, with its migrations and its database: PostgreSQL, load and
// workloads are this tree's. Exits with 1 if a workload became worse.
//
// A signal ends the sitting after the measurement in progress, so that everything temporary is
// removed by the same code as at the regular end.

import { perRequest, workBetween, workSoFar } from './cpu.ts'
import { withInstances, type Instance, type Instances } from './instances.ts'
import { requirePrograms, wrk, type Load } from './load.ts'
import type { AgainstOptions, Workload } from './options.ts'
import {
  judge,
  orderOf,
  tableOf,
  unclearOf,
  verdictOf,
  worseOf,
  type Figures,
  type Judged,
  type PairedRound,
  type Side,
} from './paired.ts'
import { commitOf, withTree } from './tree.ts'
import { wrkScript } from './workloads.ts'

const WARM_UP_SECONDS = 3
/** As shells report a program that Ctrl-C ended. */
const INTERRUPTED = 130

const logProgress = (text: string) => process.stderr.write(`${text}\n`)

export async function benchAgainst(options: AgainstOptions): Promise<void> {
  await requirePrograms('wrk')
  const interruption = new AbortController()
  // Ctrl-C may arrive twice, from the terminal and from npm.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort())
  const proceed = () => interruption.signal.throwIfAborted()
  try {
    const commit = await commitOf(options.against)
    logProgress(`Preparing this tree and ${commit.slice(0, 12)}, ${options.animals} animals each …`)
    const judged = await withTree(commit, (tree) =>
      withInstances(tree, options, proceed, (instances) => compareTrees(instances, options, proceed)),
    )
    report(judged, commit, options)
  } catch (error) {
    if (!interruption.signal.aborted) throw error
    process.exitCode = INTERRUPTED
  }
}

/** Rounds of all workloads, so that each workload is measured over the whole sitting. */
async function compareTrees(
  instances: Instances,
  options: AgainstOptions,
  proceed: () => void,
): Promise<Record<string, Judged>> {
  const found = options.only.map((workload) => ({ workload, rounds: [] as PairedRound[] }))
  for (const workload of options.only) {
    for (const side of orderOf(0)) {
      proceed()
      await measure(instances[side], workload, { ...options, seconds: WARM_UP_SECONDS })
    }
  }
  for (let round = 0; round < options.rounds; round += 1) {
    for (const { workload, rounds } of found) {
      const figures: Partial<Record<Side, Figures>> = {}
      for (const side of orderOf(round)) {
        proceed()
        figures[side] = await measure(instances[side], workload, options)
      }
      rounds.push(figures as PairedRound)
    }
    logProgress(`round ${round + 1} of ${options.rounds}`)
  }
  return Object.fromEntries(found.map(({ workload, rounds }) => [workload, judge(rounds)]))
}

async function measure({ world, service }: Instance, workload: Workload, load: Load): Promise<Figures> {
  const measured = { service: service.pid, postmaster: world.postmaster }
  const before = workSoFar(measured)
  const { perSecond } = await wrk(service.origin, wrkScript(workload, world), load)
  const work = perRequest(workBetween(before, workSoFar(measured)), perSecond * load.seconds)
  return { perSecond, micros: work.service + work.postgres }
}

function report(judged: Record<string, Judged>, commit: string, options: AgainstOptions): void {
  const { against, rounds, seconds, connections, projects, animals, json } = options
  const worse = worseOf(judged)
  const unclear = unclearOf(judged)
  const verdict = verdictOf(judged, against)
  const figures = {
    against,
    commit,
    rounds,
    seconds,
    connections,
    projects,
    animals,
    workloads: judged,
    worse,
    unclear,
  }
  const text = [
    `This tree beside ${against} (${commit.slice(0, 12)})`,
    `${connections} connections, ${animals} animals of ${projects} projects, ${rounds} rounds of ${seconds} s each, in turn`,
    '',
    tableOf(judged),
  ].join('\n')
  process.stdout.write(`${json ? JSON.stringify(figures) : text}\n`)
  logProgress(json ? verdict : `\n${verdict}`)
  if (worse.length > 0) process.exitCode = 1
}
