// Requests of visitors for the animals of a project, for tests that are not about the form on the site.

import type { ManagedOrder } from '@petstore-platform/contract/platform/orders'
import type { Database } from '../../server/src/foundation/postgres/postgres.io.ts'
import { place, type NewRequest } from '../../server/src/orders/advance.io.ts'
import * as directory from '../../server/src/projects/directory.io.ts'
import { inDirectoryOf, inProjectOf } from '../../server/src/projects/scope.io.ts'
import type { BrowserOwner } from './browser-environment.ts'

export type Asked = { order: bigint; animal: bigint }
type Visitor = Omit<NewRequest, 'petId' | 'message'> & { message?: string }

/** Asks for an animal, which is added unless its identifier is given. */
export async function askFor(
  database: Database,
  { slug, ask }: BrowserOwner,
  animal: string | bigint,
  visitor: Visitor,
): Promise<Asked> {
  const project = await inDirectoryOf(database)((db) => directory.findSlug(db, slug))
  if (project === undefined) throw new Error(`no project ${slug}`)
  const petId =
    typeof animal === 'bigint'
      ? animal
      : BigInt(Number((await ask('POST', `/projects/${slug}/animals`, { name: animal, categoryId: 1 }))['id']))
  const { id } = await place({ inProject: inProjectOf(database) }, project, { petId, message: '', ...visitor })
  return { order: id, animal: petId }
}

/** A request, as members see it; identifiers are numbers here. */
export const requestOf = async ({ slug, ask }: BrowserOwner, order: bigint) =>
  (await ask('GET', `/projects/${slug}/orders/${order}`)) as unknown as Omit<ManagedOrder, 'id' | 'petId'>
