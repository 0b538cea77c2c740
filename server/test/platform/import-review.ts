// An import that is reviewed, as the dashboard does it: create, upload, read, map, match, apply, undo; with a worker of the
// program in the background.

import { CELL_LENGTH_MAX, COLUMNS_MAX } from '@petstore-platform/contract/platform/import-shapes'
import { parseConfig } from '../../src/program/config.ts'
import type { SheetRow } from '../../src/imports/spreadsheet/columns.ts'
import type { ReadSheet } from '../../src/imports/spreadsheet/process.io.ts'
import { rowJudge, type OpenRowJudge } from '../../src/imports/row-judge.ts'
import { readTable } from '../../src/imports/spreadsheet/table.ts'
import type { Overrides } from '../../src/program/overrides.ts'
import { startWork, type RunningWork } from '../../src/program/work.ts'
import type { TestPlatform, PlatformOwner } from '../../../testbed/harness/platform.ts'

export type Details = {
  id: string
  state: string
  reason: string | null
  lines: number
  added: number
  changed: number
  undoUntil: string | null
  table: {
    format: string
    delimiter: string | null
    preset: string | null
    rows: number
    sheets: string[]
    columns: { index: number; title: string; samples: string[]; field: string | null }[]
  } | null
  reading: { matchBy: string; dateOrder: string; currency: string; defaultCategory: string | null } | null
  values: { field: string; value: string; rows: number; action: string; to: string | null; isProposed: boolean }[]
  counts: Record<'create' | 'update' | 'unchanged' | 'problem' | 'skip', number> | null
  photos: { pending: number; added: number; failed: number } | null
  kept: { animalId: number; name: string; reason: string }[]
  keptCount: number
}

export type Row = {
  row: number
  outcome: string
  animalId: number | null
  cells: string[]
  problems: { column: number | null; reason: string }[]
  changes: { field: string; before: string; after: string }[]
  photos: { name: string; state: string; reason: string | null }[]
}

const bytesOf = { 'Content-Type': 'application/octet-stream' }
const going = ['reading', 'judging', 'running', 'undoing']

export function reviewer(platform: TestPlatform, of: PlatformOwner) {
  const at = (path: string) => `/projects/${of.slug}${path}`
  const show = async (id: string) => (await of.send('GET', at(`/imports/${id}`))).json as Details
  const ok = async (method: string, path: string, body?: object) => {
    const answer = await of.send(method, at(path), body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer
  }

  /** Until no worker has anything to do for it. */
  async function settled(id: string): Promise<Details> {
    const deadline = Date.now() + 60_000
    for (;;) {
      const found = await show(id)
      if (!going.includes(found.state)) return found
      if (Date.now() > deadline) throw new Error(`the import is still ${found.state}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  return {
    at,
    show,
    settled,
    async read(file: string | Uint8Array, fileName = 'animals.csv', sheet?: string): Promise<Details> {
      const { id } = (await ok('POST', '/imports', { onBadLine: 'skip', isReviewed: true, fileName })).json as Details
      const bytes = Buffer.from(file)
      const PART = 1_048_576
      const parts = Math.max(1, Math.ceil(bytes.length / PART))
      for (let part = 0; part < parts; part += 1) {
        const sent = await of.send(
          'PUT',
          at(`/imports/${id}/parts/${part + 1}`),
          bytes.subarray(part * PART, (part + 1) * PART),
          bytesOf,
        )
        if (sent.status !== 204) throw new Error(sent.text)
      }
      await ok('POST', `/imports/${id}/read`, { parts, ...(sheet !== undefined && { sheet }) })
      return settled(id)
    },
    /** As proposed, with changes. */
    async map(
      { id, table, reading }: Details,
      changes: Partial<NonNullable<Details['reading']>> = {},
      fields: Record<string, string | null> = {},
    ) {
      const columns =
        table?.columns.map(({ index, title, field }) => ({ index, field: title in fields ? fields[title] : field })) ??
        []
      await ok('PUT', `/imports/${id}/mapping`, { columns, ...reading, ...changes })
      return settled(id)
    },
    async match({ id }: Details, values: { field: string; value: string; action: string; to: string | null }[]) {
      await ok('PUT', `/imports/${id}/values`, { values })
      return settled(id)
    },
    async apply({ id }: Details, onBadLine = 'refuse') {
      await ok('POST', `/imports/${id}/apply`, { onBadLine })
      return settled(id)
    },
    async undo({ id }: Details) {
      await ok('POST', `/imports/${id}/undo`)
      return settled(id)
    },
    rows: async ({ id }: Details, query = '') => (await ok('GET', `/imports/${id}/rows${query}`)).json as Row[],
    put: (id: string, row: number, column: number, value: string) =>
      of.send('PUT', at(`/imports/${id}/rows/${row}/cells/${column}`), { value }),
    exported: async () => (await ok('GET', '/animals.csv?columns=all')).text,
  }
}

/** In this process, which is quicker than to start one; confinement has tests of its own. */
export const readHere: ReadSheet = async (parts, { sheet, rowsMax, today }, onAnimals) => {
  const bytes = Buffer.concat(await Array.fromAsync(parts))
  const limits = { bytesMax: 64 * 1_048_576, columnsMax: COLUMNS_MAX, rowsMax, cellMax: CELL_LENGTH_MAX }
  const batches: (readonly SheetRow[])[] = []
  const table = readTable(bytes, { sheet, limits, today }, (animals) => batches.push(animals))
  for (const animals of batches) await onAnimals(animals)
  return table
}

export const judgeHere: OpenRowJudge = (opening) => Promise.resolve(rowJudge(opening))

export const startReviewWork = (
  platform: TestPlatform,
  errors: Error[],
  options: Overrides = {},
): Promise<RunningWork> =>
  startWork(parseConfig({ DATABASE_URL: platform.test.database.appUrl }), {
    pauseMs: 10,
    readSheet: readHere,
    openRowJudge: judgeHere,
    onError: (error) => void errors.push(error),
    ...options,
  })
