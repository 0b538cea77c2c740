// `npm run lifecycle`: writes docs/domain-lifecycle.md, the life of a domain, from
// the very tables that decide it. With --check it writes nothing and fails if the
// file is not what it would write.
//
// The diagram of statuses is found by walking: from a domain just added, every fact
// is tried in every state that can be reached, and each change of status is a line.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { domainEventKinds } from '../contract/src/platform/domain-shapes.ts'
import { checkIntervals, WATCHED } from '../server/src/domains/lifecycle/cadence.ts'
import {
  certificateAxis,
  factKinds,
  initialState,
  next,
  ownershipAxis,
  restAxis,
  routingAxis,
  type Fact,
  type FactKind,
  type LifecycleState,
} from '../server/src/domains/lifecycle/lifecycle.ts'
import { statusOf, steps } from '../server/src/domains/lifecycle/status.ts'

type Table = Readonly<Record<string, Readonly<Record<string, string>>>>

const file = join(import.meta.dirname, '../docs/domain-lifecycle.md')

export function printedLifecycle(): string {
  return `# The life of a domain

<!-- Written by "npm run lifecycle" from server/src/domains/lifecycle/lifecycle.ts; do not edit. -->

A domain has three axes, each for itself, and rests when nothing is left to do. What people read is one status, derived from the axes and the root cause. A fact is something that happened; where it does not stand in a table, it changes nothing. A fact in brackets is told by nobody: it follows from others, and from the time.

## Statuses

${diagram(statusEdges())}

\`verifying\` and \`issuing\` say which step is running:

${Object.entries(steps)
  .map(([code, words]) => `- \`${code}\`: ${words}`)
  .join('\n')}

## Ownership

${axis(ownershipAxis, 'unproven')}

## Routing

While the name is served, a look that finds it elsewhere is only counted: two of three looks, ten minutes apart, confirm it (\`drift_confirmed\`). What cannot be asked never demotes.

${axis(routingAxis, 'unknown')}

## Certificate

Only names that were proven have one; facts of certificates of others change nothing.

${axis(certificateAxis, 'none')}

## Rest

${axis(restAxis, 'awake')}

## When it is looked at next

| Since Add domain, Verify or Re-verify | Every |
|---|---|
${checkIntervals.map(({ until, every }) => `| until ${span(until)} | ${span(every)} |`).join('\n')}
| later, to 30 d | 1 h |
| at any time while somebody watches | ${WATCHED / 1000} s |
| live | 54 to 60 min, always the same for one domain |
| live, and found elsewhere once | 10 min |
| degraded | 5 min |
| dormant | 7 d |
| paused | 1 h, and at once when the plan changes |

A cause that ends at a known time is looked at just then.

## What is told

${domainEventKinds.map((kind) => `\`${kind}\``).join(', ')}.
`
}

type Edge = { from: string; to: string; facts: Set<string> }

const diagram = (edges: readonly Edge[]) =>
  ['```mermaid', 'stateDiagram-v2', '  [*] --> verifying: added', ...edges.map(lineOf), '```'].join('\n')

const lineOf = ({ from, to, facts }: Edge) => `  ${from} --> ${to}: ${[...facts].toSorted().join(', ')}`

function axis(table: Table, first: string): string {
  const edges = new Map<string, Edge>()
  for (const [from, cells] of Object.entries(table)) {
    for (const [fact, to] of Object.entries(cells)) if (to !== from) addTo(edges, from, to, nameOf(fact))
  }
  const lines = [...edges.values()].map(lineOf)
  const rows = Object.entries(table).map(
    ([from, cells]) =>
      `| \`${from}\` | ${
        Object.entries(cells)
          .map(([fact, to]) => `${nameOf(fact)} → \`${to}\``)
          .join('; ') || 'nothing more happens'
      } |`,
  )
  return [
    '```mermaid',
    'stateDiagram-v2',
    `  [*] --> ${first}`,
    ...lines,
    '```',
    '',
    '| In | What happens |',
    '|---|---|',
    ...rows,
  ].join('\n')
}

const nameOf = (fact: string) => (fact === 'drift_confirmed' || fact === 'time_passed' ? `(${fact})` : fact)

function addTo(edges: Map<string, Edge>, from: string, to: string, fact: string): void {
  const edge = edges.get(`${from} ${to}`) ?? { from, to, facts: new Set() }
  edge.facts.add(fact)
  edges.set(`${from} ${to}`, edge)
}

const START = Date.UTC(2027, 0, 1)
const causes = {
  points_away: { code: 'dns.cname_wrong', severity: 'blocks', until: null },
  record_missing: { code: 'dns.no_record', severity: 'blocks', until: null },
  record_conflicts: { code: 'dns.conflict_a', severity: 'blocks', until: null },
  propagating: { code: 'zone.ns_disagree', severity: 'waits', until: null },
} as const

/** What one fact brings with it: a look also has a cause. */
function told(kind: Exclude<FactKind, 'drift_confirmed' | 'time_passed'>): Fact[] {
  if (kind === 'proof_seen') return [{ kind, proof: 'cname' }, { kind: 'points_here' }, { kind: 'looked', root: null }]
  if (kind === 'looked') return [{ kind, root: null }]
  const root = kind in causes ? causes[kind as keyof typeof causes] : null
  const isLook = root !== null || kind === 'points_here'
  return isLook ? [{ kind }, { kind: 'looked', root }] : [{ kind }]
}

/** Every change of status that some fact brings about, in some state that can be reached. */
function statusEdges(): Edge[] {
  const edges = new Map<string, Edge>()
  const seen = new Set<string>()
  const open: LifecycleState[] = [initialState('dom_000000000000000000000000', START)]
  for (let life = open.pop(); life; life = open.pop()) {
    for (const { name, after } of stepsFrom(life)) {
      const [from, to] = [statusOf(life).name, statusOf(after).name]
      if (from !== to) addTo(edges, from, to, name)
      const key = JSON.stringify([
        after.ownership,
        after.routing,
        after.certificate,
        after.rest,
        after.cause,
        after.severity,
      ])
      if (!seen.has(key)) open.push(after)
      seen.add(key)
    }
  }
  return [...edges.values()].toSorted((a, b) => `${a.from} ${a.to}`.localeCompare(`${b.from} ${b.to}`))
}

function stepsFrom(life: LifecycleState): { name: string; after: LifecycleState }[] {
  const now = START + 60_000
  const plain = factKinds
    .filter((kind) => kind !== 'drift_confirmed' && kind !== 'time_passed')
    .map((kind) => ({ name: kind as string, after: next(life, told(kind), now).life }))
  const away = told('points_away')
  const once = next(life, away, now).life
  const drifted = next(once, away, now + 11 * 60_000).life
  const asleep = next({ ...life, askedAt: START - 31 * 86_400_000 }, [], now).life
  return [
    ...plain,
    ...(once.routing === 'pointing' && drifted.routing === 'drifted'
      ? [{ name: '(drift_confirmed)', after: drifted }]
      : []),
    ...(asleep.rest === 'dormant' ? [{ name: '(time_passed)', after: { ...asleep, askedAt: START } }] : []),
  ]
}

function span(ms: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1000],
  ] as const
  const [unit, size] =
    units.find(([, length]) => ms >= length && (ms % length === 0 || length === 3_600_000)) ?? units[3]
  return `${Math.floor(ms / size)} ${unit}`
}

if (import.meta.main) {
  const { values: flags } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
  const printed = printedLifecycle()
  if (!flags.check) await writeFile(file, printed)
  else if ((await readFile(file, 'utf8').catch(() => '')) !== printed) {
    process.stderr.write('docs/domain-lifecycle.md is not what the tables say. Run "npm run lifecycle".\n')
    process.exitCode = 1
  }
}
