// The route that exports the animals of a project as CSV, in the form that an import reads.

import { CATEGORIES_MAX, exportAnimals } from '@petstore-platform/contract/platform/animals'
import { exportFields } from '@petstore-platform/contract/platform/import-shapes'
import type { FastifyInstance } from 'fastify'
import { mount } from '../foundation/http/operation.io.ts'
import type { Platform } from '../projects/platform.ts'
import type { InProject, ProjectId } from '../projects/scope.io.ts'
import * as animals from '../animals/animal-queries.ts'
import { listCategories } from '../animals/category-queries.ts'
import { csvLine, disarmed } from './csv.ts'
import { cellsOf, exportRow } from './cells.ts'
import { emptyFields } from '../animals/profile.ts'
import { profilesOf } from '../animals/profile-queries.ts'

export function exportRoutes(app: FastifyInstance, { inProject, within }: Platform): void {
  mount(app, exportAnimals, within, async ({ caller: { project, slug }, query }) => ({
    pieces: query.columns === 'all' ? fullTableOf(inProject, project) : tableOf(inProject, project),
    headers: { 'Content-Disposition': `attachment; filename="${slug}-animals.csv"` },
  }))
}

const ROWS_AT_ONCE = 1000

/** Page by page, each in a transaction of its own: a slow client holds no more than a page, and no transaction. */
async function* tableOf(inProject: InProject, project: ProjectId): AsyncGenerator<string> {
  yield csvLine(['id', 'name', 'categoryId', 'status'])
  let after: bigint | undefined = 0n
  while (after !== undefined) {
    const from: bigint = after
    const rows: animals.AnimalRow[] = await inProject(project, (db) =>
      animals.listOldest(db, project, from, ROWS_AT_ONCE),
    )
    if (rows.length > 0) yield rows.map(lineOf).join('')
    after = rows.length === ROWS_AT_ONCE ? rows.at(-1)?.id : undefined
  }
}

const lineOf = ({ id, name, categoryId, status }: animals.AnimalRow) =>
  csvLine([String(id), disarmed(name), disarmed(String(categoryId)), status])

/** Fewer at a time: a story may be long. */
const PROFILES_AT_ONCE = 200

/** Every field, under the names that an import maps without help. */
async function* fullTableOf(inProject: InProject, project: ProjectId): AsyncGenerator<string> {
  yield csvLine(exportFields)
  const named = await inProject(project, (db) => listCategories(db, project, CATEGORIES_MAX))
  const names = new Map(named.map(({ id, name }) => [id, name]))
  let after: bigint | undefined = 0n
  while (after !== undefined) {
    const from: bigint = after
    const [rows, written] = await inProject(project, async (db) => {
      const page = await animals.listOldest(db, project, from, PROFILES_AT_ONCE)
      const ids = page.map(({ id }) => id)
      return [page, await profilesOf(db, project, ids)] as const
    })
    const line = ({ id, ...animal }: animals.AnimalRow) =>
      exportRow(cellsOf(id, { ...animal, profile: written.get(id) ?? emptyFields }, names.get(animal.categoryId) ?? ''))
    if (rows.length > 0) yield rows.map((row) => csvLine(line(row).map(disarmed))).join('')
    after = rows.length === PROFILES_AT_ONCE ? rows.at(-1)?.id : undefined
  }
}
