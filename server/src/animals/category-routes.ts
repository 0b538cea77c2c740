// Routes for categories on `/platform/v1`: identifiers and their names. Through `/v1` an
// animal may carry any identifier, so any can be given a name; a category that animals
// carry cannot be deleted. Every change records an audit event in the same transaction.

import { int64FromPath } from '@petstore-platform/contract/int64'
import * as contract from '@petstore-platform/contract/platform/animals'
import type { FastifyInstance } from 'fastify'
import { mount } from '../foundation/http/operation.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { Platform } from '../projects/platform.ts'
import { recordAudit } from '../projects/project-queries.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import * as categories from './category-queries.ts'
import { categoryJson } from './json.ts'

export function categoryRoutes(app: FastifyInstance, { inProject, within }: Platform): void {
  mount(app, contract.listCategories, within, async ({ caller: { project } }) => {
    const found = await inProject(project, (db) => categories.listCategories(db, project, contract.CATEGORIES_MAX))
    return { json: `[${found.map(categoryJson).join(',')}]` }
  })

  mount(app, contract.createCategory, within, async ({ caller: { project, account }, body: { name } }) => {
    const category = await inProject(project, async (db) => {
      await refuseFull(db, project)
      const made = await insertCategory(db, project, name)
      const subject = String(made.id)
      await recordAudit(db, project, { actor: account, action: 'category_created', subject, detail: { name } })
      return made
    })
    return { json: categoryJson(category) }
  })

  mount(app, contract.renameCategory, within, async ({ caller: { project, account }, path, body: { name } }) => {
    const id = idOf(path)
    await inProject(project, async (db) => {
      const known = await categories.findCategory(db, project, id)
      if (!known) await refuseFull(db, project)
      await categories.nameCategory(db, project, id, name)
      const action = known ? 'category_renamed' : 'category_created'
      await recordAudit(db, project, { actor: account, action, subject: String(id), detail: { name } })
    })
    return { json: categoryJson({ id, name }) }
  })

  mount(app, contract.deleteCategory, within, async ({ caller: { project, account }, path }) => {
    const id = idOf(path)
    await inProject(project, async (db) => {
      const removed = await categories.removeCategory(db, project, id)
      if (!removed) throw categoryNotFound()
      if (await categories.isCategoryCarried(db, project, id)) {
        throw new Refusal('in_use', 'Animals still use this category. Move them to another one first.')
      }
      await recordAudit(db, project, {
        actor: account,
        action: 'category_deleted',
        subject: String(id),
        detail: removed,
      })
    })
    return {}
  })
}

const categoryNotFound = () => new Refusal('not_found', 'No category with this identifier.')

function idOf({ categoryId = '' }: Record<string, string>): bigint {
  const id = int64FromPath(categoryId)
  if (id === undefined) throw categoryNotFound()
  return id
}

/** Until the transaction ends no other request adds one to this project. */
async function refuseFull(db: Db, project: ProjectId): Promise<void> {
  await categories.lockCategories(db, project)
  if ((await categories.countCategories(db, project)) < contract.CATEGORIES_MAX) return
  throw new Refusal('limit_reached', `A project has at most ${contract.CATEGORIES_MAX} categories.`)
}

/** Of the next identifiers, at most as many are taken as the project has categories. */
async function insertCategory(db: Db, project: ProjectId, name: string): Promise<categories.CategoryRow> {
  for (;;) {
    const made = await categories.insertCategory(db, project, name)
    if (made) return made
  }
}
