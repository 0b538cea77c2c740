// Judges an installation: all checks over all facts, in the order of their numbers, and the exit status. Pure.

import type { EdgeConcern } from '../../fleet/edge-concerns.ts'
import { error, warning, type Finding, type Observed } from '../../foundation/finding.ts'
import type { ConnectionNeeds } from '../../foundation/postgres/judge-server.ts'
import { judgeContents, type ContentsFacts } from './judge-contents.ts'
import { judgeDatabase, type DatabaseFacts } from './judge-database.ts'
import { judgeNames, type NamesFacts } from './judge-names.ts'
import { judgeProgram, type ProgramFacts } from './judge-program.ts'
import { judgeWeb, type WebFacts } from './judge-web.ts'

export type Facts = Readonly<{
  program: ProgramFacts
  needs: ConnectionNeeds
  database: Observed<DatabaseFacts> | undefined
  /** Undefined without a usable database. */
  contents: Observed<ContentsFacts> | undefined
  /** Undefined before the first start: then there is nothing to reach yet. */
  outside:
    | Readonly<{ web: WebFacts; names: NamesFacts; edges: readonly EdgeConcern[]; control?: string | undefined }>
    | undefined
}>

export function judgeInstallation({ program, needs, database, contents, outside }: Facts): readonly Finding[] {
  const findings = [
    ...judgeProgram(program),
    ...judgeDatabase(database, needs),
    ...judgeContents(contents),
    ...(outside
      ? [
          ...judgeWeb(outside.web),
          ...judgeNames(outside.names),
          ...judgeEdges(outside.edges),
          ...judgeControl(outside.control),
        ]
      : []),
  ]
  return findings.toSorted((a, b) => a.check - b.check)
}

const judgeEdges = (concerns: readonly EdgeConcern[]): readonly Finding[] =>
  concerns.map(({ sentence, remedy }) => warning(28, sentence, remedy))

/** `why` the control plane does not serve this edge. */
function judgeControl(why: string | undefined): readonly Finding[] {
  const remedy = 'Correct EDGE_CONTROL_URL or the network. Where `serve` runs, `petstore edges list` shows this edge.'
  return why === undefined ? [] : [error(32, `The control plane does not serve this edge: ${why}`, remedy)]
}

/** As of `domains check`: 0 correct, 1 action required, 2 waiting, 3 undetermined. Warnings alone are correct. */
export function exitCodeOf(findings: readonly Finding[]): 0 | 1 | 2 | 3 {
  const has = (severity: Finding['severity']) => findings.some((finding) => finding.severity === severity)
  if (has('error')) return 1
  if (has('undetermined')) return 3
  return has('waiting') ? 2 : 0
}

/** One paragraph for each finding. */
export function reportText(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'No problem was found.'
  return findings
    .map(({ check, severity, sentence, remedy }) => `${severity} ${check}: ${sentence}\n  ${remedy}`)
    .join('\n')
}
