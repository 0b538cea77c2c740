// Serialises imports as JSON text, by hand like animals: the digits of a bigint are sent unchanged.

import type { ImportRow, WholeImport } from './import-queries.ts'
import type { ShownRow } from './row-queries.ts'

/** Counts stay below 2^53: no file has as many lines. */
export const importJson = (row: ImportRow): string => `{${importFields(row)}}`

function importFields({ badLines, reason, createdAt, finishedAt, fileName, undoUntil, ...row }: ImportRow): string {
  const { id, state, lines, added, bad, isReviewed, changed } = row
  const lists = `"badLines":${JSON.stringify(badLines)},"reason":${JSON.stringify(reason)}`
  const times = `"createdAt":${timeJson(createdAt)},"finishedAt":${timeJson(finishedAt)}`
  const more = `"isReviewed":${isReviewed},"fileName":${JSON.stringify(fileName)},"changed":${changed},"undoUntil":${timeJson(undoUntil)}`
  return `"id":"${id}","state":"${state}","lines":${lines},"added":${added},"bad":${bad},${lists},${times},${more}`
}

const timeJson = (time: Date | null): string => JSON.stringify(time)

/** `photos`: how many there are of each state. */
export function importDetailsJson(row: WholeImport, photos: ReadonlyMap<string, number>): string {
  const { contents, reading, matches, counts, kept, keptCount } = row
  const count = (state: string) => photos.get(state) ?? 0
  const fetched = { pending: count('pending'), added: count('added'), failed: count('failed') }
  const isApplied = row.state === 'succeeded' && row.isReviewed
  const keptJson = kept.map(
    ({ id, name, reason }) => `{"animalId":${id},"name":${JSON.stringify(name)},"reason":"${reason}"}`,
  )
  return `{${importFields(row)},"table":${JSON.stringify(contents)},"reading":${JSON.stringify(reading)},"values":${JSON.stringify(matches)},"counts":${JSON.stringify(counts)},"photos":${isApplied ? JSON.stringify(fetched) : 'null'},"kept":[${keptJson.join(',')}],"keptCount":${keptCount}}`
}

export const importRowJson = ({ row, outcome, petId, cells, problems, changes, photos }: ShownRow): string =>
  `{"row":${row},"outcome":"${outcome}","animalId":${petId},"cells":${JSON.stringify(cells)},"problems":${JSON.stringify(problems)},"changes":${JSON.stringify(changes)},"photos":${JSON.stringify(photos)}}`
