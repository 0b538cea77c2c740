// Writes the figures of a run into docs/performance.md, between two marks, and draws the chart
// next to it. The text around the figures is written by hand.

import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Options } from './options.ts'
import { tablesOf, type Results } from './report.ts'
import type { Table } from './table.ts'

const docs = join(import.meta.dirname, '../../docs')
const BEGIN = '<!-- measured: begin -->'
const END = '<!-- measured: end -->'

export async function writePerformance(results: Results, options: Options): Promise<void> {
  const path = join(docs, 'performance.md')
  const text = await readFile(path, 'utf8')
  const [before, rest = ''] = text.split(BEGIN)
  const [, after = ''] = rest.split(END)
  const tables = Object.entries(tablesOf(results)).map(([title, table]) => `### ${title}\n\n${markdown(table)}`)
  const measured = [conditions(options), ...tables].join('\n\n')
  await writeFile(path, `${before}${BEGIN}\n\n${measured}\n\n${END}${after}`)
  await writeFile(join(docs, 'images/performance.svg'), chart(results))
}

function conditions({ connections, seconds, rounds, projects, animals }: Options): string {
  const cores = cpus()
  return `${new Date().toISOString().slice(0, 10)}; ${cores.length} cores (${cores[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, shared by PostgreSQL, the service and the load; Node ${process.version}. ${projects} projects, ${animals} animals; ${connections} connections; medians of ${rounds} rounds of ${seconds} s each, bare and service in turn. Times in ms.`
}

const markdown = ([head = [], ...rows]: Table) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

const BAR = 22
const LEFT = 230
const SCALE = 340

/** Bars of the share of bare PostgreSQL; the line is at 1. */
function chart(results: Results): string {
  const bars = barsOf(results)
  const height = bars.length * BAR + 50
  const most = Math.max(1, ...bars.map(({ share }) => share))
  const x = (share: number) => LEFT + (share / most) * SCALE
  const rows = bars.map(
    ({ name, share, isOurs }, index) => `
  <text x="${LEFT - 8}" y="${index * BAR + 45}" text-anchor="end">${name}</text>
  <rect x="${LEFT}" y="${index * BAR + 32}" width="${(x(share) - LEFT).toFixed(1)}" height="${BAR - 6}" fill="${isOurs ? '#2f6f4f' : '#b9b9b9'}"/>
  <text x="${(x(share) + 6).toFixed(1)}" y="${index * BAR + 45}">${share.toFixed(2)}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 ${height}" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="Rate as a share of bare PostgreSQL">
  <rect width="640" height="${height}" fill="#ffffff"/>
  <text x="${LEFT}" y="18" font-weight="600">Rate as a share of bare PostgreSQL (1 = pgbench)</text>
  <line x1="${x(1).toFixed(1)}" y1="26" x2="${x(1).toFixed(1)}" y2="${height - 14}" stroke="#888888" stroke-dasharray="3 3"/>${rows.join('')}
</svg>
`
}

type Bar = { name: string; share: number; isOurs: boolean }

function barsOf({ list, listByStatus, get, create, mix, peers }: Results): Bar[] {
  const ours = Object.entries({ list, listByStatus, get, create, mix }).flatMap(([name, one]) =>
    one ? [{ name: `Petstore, ${name}`, share: one.ratio, isOurs: true }] : [],
  )
  const others = Object.entries(peers ?? {}).map(([name, { perSecond }]) => ({
    name: `${name}, list`,
    share: perSecond / (list?.bare ?? Number.NaN),
    isOurs: false,
  }))
  return [...ours, ...others]
}
