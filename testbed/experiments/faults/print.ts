// The table of faults, for people: on the screen with what was measured, and as a page
// of the documentation with what is read in the interface. The page names no times, so
// that it is the same whenever it is printed.

import { join } from 'node:path'
import type { Result } from './run.ts'
import type { Row } from './row.ts'
import type { StoredCertificates } from './stored.ts'

export const TROUBLES_FILE = join(import.meta.dirname, '../../../docs/certificate-troubles.md')

const inSeconds = (ms: number | null | undefined): string => (ms == null ? '-' : `${(ms / 1000).toFixed(2)} s`)

const asFound = ({ row, renewal }: Result): string => (row.renewal ? `renewed ${renewal?.moment ?? '?'}` : '-')

export function linesOf({
  results,
  stored,
  seconds,
}: {
  results: Result[]
  stored: StoredCertificates
  seconds: number
}): string[] {
  const table = [
    ['fault', 'code shown', 'asked', 'waited', 'live after', 'by'],
    ...results.map((result) => [
      result.row.says,
      result.shown?.code ?? asFound(result),
      inSeconds(result.row.askedMs),
      inSeconds(result.row.askedMs === undefined ? null : result.waitedMs),
      inSeconds(result.liveMs),
      result.pressed > 0 ? `Re-verify (${result.pressed})` : 'itself',
    ]),
  ]
  const widths = table[0]?.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0))) ?? []
  return [
    ...table.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')),
    `${results.length} faults; ${stored.count} certificates are stored, ${stored.bad.length} of them bad; ${seconds.toFixed(0)} s`,
  ]
}

export const printTroubles = (results: readonly Result[]): string => `# When a certificate authority fails

Printed by \`npm run faults -- --write\`, which does each of these to a name on a whole stage (nameservers, resolvers, a certificate authority behind a proxy that disturbs it, the service, an edge and Caddy); do not edit.

In every row the name's DNS was right. \`e2e/faults.test.ts\` fails if another code is shown, if anything bad is stored, if the name does not become live as the last column says, or if a wait that the authority asked for is not kept: the next request must not come earlier, not even for Re-verify, and at most a tenth later. Without such a wish attempts come by the ladder: after 1, 5 and 15 minutes, 1 and 6 hours, then daily; Re-verify tries at once.

| what the authority does | code | what the owner reads | wait asked for | goes on |
|---|---|---|---|---|
${results.map(lineOf).join('\n')}
`

const lineOf = ({ row, shown }: Result): string =>
  `| ${[row.says, row.code === null ? '–' : `\`${row.code}\``, readBy(row, shown?.advice), askedOf(row), row.goesOn].map(cell).join(' | ')} |`

const readBy = (row: Row, advice: string | undefined): string =>
  row.renewal ? `nothing; it is renewed ${row.renewal.moment}` : advice === undefined ? 'nothing' : timeless(advice)

const askedOf = ({ askedMs }: Row): string => (askedMs === undefined ? '–' : `${askedMs / 1000} s`)

const timeless = (advice: string): string =>
  advice
    .replace(/(?:\d{1,2} [A-Z][a-z]+, )?\d{2}:\d{2} UTC/g, '14:05 UTC')
    .replace(/acme-challenge\/[\w-]+/g, 'acme-challenge/…')

const cell = (text: string): string => text.replaceAll('|', '\\|')
