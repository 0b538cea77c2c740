// The search of a project on `/platform/v1`: animals by name, breed and chip number, and orders by name, read in one transaction.

import { FOUND_MAX, searchProject } from '@petstore-platform/contract/platform/search'
import type { FastifyInstance } from 'fastify'
import { mount } from '../foundation/http/operation.io.ts'
import { managedOrderJson } from '../orders/json.ts'
import { listByVisitor } from '../orders/order-queries.ts'
import { notified } from '../orders/visitor-mails.io.ts'
import { animalJson } from '../animals/json.ts'
import { listByText } from '../animals/word-queries.ts'
import type { Platform } from '../projects/platform.ts'

export function searchRoutes(app: FastifyInstance, platform: Platform): void {
  const { inProject, within } = platform
  mount(app, searchProject, within, async ({ caller: { project }, query: { text } }) => {
    if (text === undefined) return { json: '{"animals":[],"orders":[]}' }
    const [{ rows: animals }, orders] = await inProject(project, (db) =>
      Promise.all([
        listByText(db, project, {
          prefix: text,
          after: undefined,
          count: FOUND_MAX,
          status: undefined,
          categoryId: undefined,
        }),
        listByVisitor(db, project, text, FOUND_MAX),
      ]),
    )
    const shown = (await notified(platform, project, orders)).map(managedOrderJson)
    return { json: `{"animals":[${animals.map(animalJson).join(',')}],"orders":[${shown.join(',')}]}` }
  })
}
