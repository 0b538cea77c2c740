// An import as `getImport` shows it, read inside a transaction of the caller.

import type { Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { importNotFound } from './advance.io.ts'
import * as imports from './import-queries.ts'
import { importDetailsJson } from './json.ts'
import { countPhotos } from './row-queries.ts'

/** As JSON text. */
export async function detailsOf(db: Db, project: ProjectId, id: string): Promise<string> {
  const row = await imports.find(db, project, id)
  if (!row) throw importNotFound()
  return importDetailsJson(row, row.isReviewed ? await countPhotos(db, project, id) : new Map())
}

/** The maximum number of missing parts that are listed. */
const NAMED_MAX = 20

export async function refuseMissing(db: Db, project: ProjectId, id: string, parts: number): Promise<void> {
  const missing = await imports.missingParts(db, project, id, parts, NAMED_MAX + 1)
  if (missing.length > 0) {
    const more = missing.length > NAMED_MAX ? ' and more' : ''
    throw new Refusal('wrong_state', `Missing parts (of ${parts}): ${missing.slice(0, NAMED_MAX).join(', ')}${more}.`)
  }
  const excess = await imports.partBeyond(db, project, id, parts)
  if (excess !== undefined)
    throw new Refusal('wrong_state', `Part ${excess} was sent, but only ${parts} were announced.`)
}
