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
  const only = values.only?.split(',').map((name) => workloads.find((known) => known === name))
  if (only?.includes(undefined)) throw new Error(`--only takes ${workloads.join(', ')}`)
  return {
    seconds: number(values.seconds, quick ? 2 : 5),
    rounds: number(values.rounds, quick ? 3 : 5),
    connections: number(values.connections, 32),
    projects: number(values.projects, 1000),
    animals: number(values.animals, quick ? 200_000 : 2_000_000),
    only: (only as Workload[] | undefined) ?? workloads,
    json,
    quick,
    growth,
    sweep,
    peers,
    profile,
    write,
  }
}

function number(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  if (!/^\d{1,10}(\.\d+)?$/.test(text) || Number(text) <= 0) throw new Error(`not a number: ${text}`)
  return Number(text)
}
