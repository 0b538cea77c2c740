// Formats the figures for people and for programs. Rates are per second, times in ms.

import { quantile } from '../harness/quantile.ts'
import type { Work } from './cpu.ts'
import type { LoadFigures, Load } from './load.ts'
import { workloads, type Workload } from './options.ts'
import { aligned, fixed, whole, type Table } from './table.ts'

export type Comparison = {
  ratio: number
  bare: number
  service: number
  p50: number
  p99: number
  bareP50: number
  bareP99: number
  /** Microseconds of processor time per request. */
  work: Work
}

/** The figures of a peer, and ours from rounds in between: a noisy machine affects both. */
export type PeerComparison = LoadFigures & { ours: number }

export type Results = { [Name in Workload]?: Comparison } & {
  connections?: Record<string, { list: Comparison; create: Comparison }>
  peers?: Record<string, PeerComparison>
  /** Shares of the service's own time, by part of the program. */
  profile?: { list: Record<string, number>; create: Record<string, number> }
  growth?: Record<string, LoadFigures>
}

export function median(rounds: readonly LoadFigures[]): LoadFigures {
  const middle = (of: (figures: LoadFigures) => number) => quantile(rounds.map(of), 0.5)
  return { perSecond: middle((r) => r.perSecond), p50: middle((r) => r.p50), p99: middle((r) => r.p99) }
}

export function tablesOf(results: Results): Record<string, Table> {
  const compared = workloads.flatMap((name) => (results[name] ? [[name, results[name]] as const] : []))
  const tables: Record<string, Table> = {
    'The service beside bare PostgreSQL': [
      ['', 'ratio', 'bare /s', 'service /s', 'bare p50', 'service p50', 'bare p99', 'service p99'],
      ...compared.map(([name, one]) => [name, ...cells(one)]),
    ],
  }
  tables['Where the processors’ time goes'] = [
    ['', 'µs a request', 'service', 'PostgreSQL', 'wrk'],
    ...compared.map(([name, { work }]) => {
      const sum = work.service + work.postgres + work.load
      const share = (part: number) => `${((100 * part) / sum).toFixed(0)} %`
      return [name, whole(sum), share(work.service), share(work.postgres), share(work.load)]
    }),
  ]
  if (results.profile) {
    const { list, create } = results.profile
    const share = (part: number | undefined) => `${(100 * (part ?? 0)).toFixed(1)} %`
    tables['Where the service’s own time goes'] = [
      ['', 'list', 'create'],
      ...Object.keys({ ...list, ...create }).map((part) => [part, share(list[part]), share(create[part])]),
    ]
  }
  if (results.connections) {
    tables['By number of connections'] = [
      ['', 'list ratio', 'list /s', 'list p99', 'create ratio', 'create /s', 'create p99'],
      ...Object.entries(results.connections).map(([connections, { list, create }]) => [
        connections,
        ...[list, create].flatMap(({ ratio, service, p99 }) => [fixed(ratio), whole(service), fixed(p99)]),
      ]),
    ]
  }
  if (results.growth) {
    const [least] = Object.values(results.growth)
    tables['By size of the project (list)'] = [
      ['animals', 'list /s', 'p50', 'p99', 'p50, smallest = 1'],
      ...Object.entries(results.growth).map(([animals, { perSecond, p50, p99 }]) => [
        animals,
        whole(perSecond),
        fixed(p50),
        fixed(p99),
        fixed(p50 / (least?.p50 ?? Number.NaN)),
      ]),
    ]
  }
  if (results.peers && results.list) {
    const { bare } = results.list
    tables['Other programs on the same rows (list)'] = [
      ['', 'list /s', 'Petstore /s meanwhile', 'Petstore is ahead by', 'of bare', 'p50', 'p99'],
      ...Object.entries(results.peers).map(([name, { perSecond, ours, p50, p99 }]) => [
        name,
        whole(perSecond),
        whole(ours),
        `${(ours / perSecond).toFixed(1)}×`,
        fixed(perSecond / bare),
        fixed(p50),
        fixed(p99),
      ]),
    ]
  }
  return tables
}

const cells = ({ ratio, bare, service, p50, p99, bareP50, bareP99 }: Comparison) => [
  fixed(ratio),
  whole(bare),
  whole(service),
  fixed(bareP50),
  fixed(p50),
  fixed(bareP99),
  fixed(p99),
]

export function printResults(results: Results, { connections, seconds }: Load): string {
  const printed = Object.entries(tablesOf(results)).map(([title, table]) => `${title}\n\n${aligned(table)}`)
  return [`${connections} connections, rounds of ${seconds} s, times in ms`, ...printed].join('\n\n')
}
