// Command-line options of `npm run bench`.

import { parseArgs } from 'node:util'

export const workloads = ['list', 'listByStatus', 'get', 'create', 'mix'] as const
export type Workload = (typeof workloads)[number]

export type Options = {
  seconds: number
  rounds: number
  connections: number
  projects: number
  animals: number
  only: readonly Workload[]
  json: boolean
  quick: boolean
  /** The longer measurements: growth of one project, numbers of connections, third-party programs. */
  growth: boolean
  sweep: boolean
  peers: boolean
  profile: boolean
  write: boolean
}

/** Of a comparison with another commit. */
export type AgainstOptions = Pick<
  Options,
  'seconds' | 'rounds' | 'connections' | 'projects' | 'animals' | 'only' | 'json'
> & { against: string }

export const usage = `npm run bench -- [options]

  --seconds N      length of a round (default 5)
  --rounds N       rounds of each, bare and service in turn (default 5)
  --connections N  open at once (default 32)
  --projects N     stores (default 1000)
  --animals N      animals over all of them (default 2000000)
  --only a,b       of ${workloads.join(', ')}; or --only edge: what the edge costs beside Caddy with a file
                   (needs caddy and wrk, no PostgreSQL)
  --quick          a short run, within 100 s
  --growth         also: one project of 10^4, 10^6 and 2·10^7 animals
  --sweep          also: 1, 8, 32 and 128 connections
  --peers          also: other programs on the same rows (testbed/bench/peers)
  --profile        also: where the service's own time goes, for list and create
  --write          write the figures into docs/performance.md and its chart
  --json           print one JSON object

npm run bench -- --against <ref> [options]

  Instead: the service of this tree beside that of another commit, measured in turn in one sitting
  (about 7 minutes). A ratio is this tree's figure divided by the other's, the median over the rounds;
  "itself" is how far this tree is from itself in the same rounds. A workload whose rate or processor
  time per request is worse by more than that, and by more than 5 %, is named, and the exit code is 1.
  Needs wrk and git.

  --rounds N       (default 9)
  --seconds N      length of a measurement, three of which make a round of a workload (default 2)
  --projects N     (default 50: each key is created by a command of the program)
  --animals N      in each of three databases (default 200000)
  --quick          three rounds of 1 s: to see that it works
  --connections, --only and --json as above

Needs pgbench and wrk; on Debian: apt-get install postgresql-15 wrk. Nothing is installed for you.
`

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      connections: { type: 'string', default: '32' },
      projects: { type: 'string', default: '1000' },
      animals: { type: 'string' },
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      growth: { type: 'boolean', default: false },
      sweep: { type: 'boolean', default: false },
      peers: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const { quick, growth, sweep, peers, profile, write, json } = values
  return {
    seconds: number(values.seconds, quick ? 2 : 5),
    rounds: number(values.rounds, quick ? 3 : 5),
    connections: number(values.connections, 32),
    projects: number(values.projects, 1000),
    animals: number(values.animals, quick ? 200_000 : 2_000_000),
    only: workloadsOf(values.only),
    json,
    quick,
    growth,
    sweep,
    peers,
    profile,
    write,
  }
}

export const isAgainst = (args: readonly string[]): boolean =>
  args.some((arg) => arg === '--against' || arg.startsWith('--against='))

export function readAgainstOptions(args: readonly string[]): AgainstOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      against: { type: 'string', default: '' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      connections: { type: 'string' },
      projects: { type: 'string' },
      animals: { type: 'string' },
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const { against, quick, json } = values
  return {
    against,
    seconds: number(values.seconds, quick ? 1 : 2),
    rounds: number(values.rounds, quick ? 3 : 9),
    connections: number(values.connections, 32),
    projects: number(values.projects, 50),
    animals: number(values.animals, 200_000),
    only: workloadsOf(values.only),
    json,
  }
}

function workloadsOf(names: string | undefined): readonly Workload[] {
  if (names === undefined) return workloads
  return names.split(',').map((name) => {
    const found = workloads.find((known) => known === name)
    if (found === undefined) throw new Error(`--only takes ${workloads.join(', ')}`)
    return found
  })
}

function number(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  if (!/^\d{1,10}(\.\d+)?$/.test(text) || Number(text) <= 0) throw new Error(`not a number: ${text}`)
  return Number(text)
}
