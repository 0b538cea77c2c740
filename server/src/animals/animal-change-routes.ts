// The route that changes many animals at once: whether the site shows them, and their category. All that exist, or none;
// one audit event records how many. A full store can hide animals too: the profiles that this adds are empty.

import * as contract from '@petstore-platform/contract/platform/animal-changes'
import { idsFault } from '@petstore-platform/contract/platform/animal-statuses'
import type { FastifyInstance } from 'fastify'
import { mount } from '../foundation/http/operation.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { Platform } from '../projects/platform.ts'
import { recordAudit } from '../projects/project-queries.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { readPets, updatePets } from './many-animals-queries.ts'
import { emptyFields } from './profile.ts'
import * as profiles from './profile-queries.ts'

export function animalChangeRoutes(app: FastifyInstance, { inProject, within }: Platform): void {
  mount(app, contract.changeAnimals, within, async ({ caller: { project, account }, body }) => {
    const { ids, isHidden, categoryId } = body
    if (new Set(ids).size < ids.length) throw new Refusal('invalid_field', idsFault)
    if (isHidden === undefined && categoryId === undefined) {
      throw new Refusal('missing_field', 'Body must contain isHidden, categoryId, or both.')
    }
    const json = await inProject(project, async (db) => {
      // Locked, so that no profile is written in between.
      const pets = await readPets(db, project, ids, true)
      const known = pets.map(({ id }) => id)
      const moved = pets.flatMap((pet) =>
        categoryId === undefined || pet.categoryId === categoryId ? [] : { ...pet, categoryId },
      )
      await updatePets(db, project, moved)
      const turned = isHidden === undefined ? [] : await turn(db, project, known, isHidden)

      const count = new Set([...turned, ...moved.map(({ id }) => id)]).size
      const category = categoryId === undefined ? {} : { categoryId: `${categoryId}` }
      const detail = { count, ...(isHidden !== undefined && { isHidden }), ...category }
      if (count > 0)
        await recordAudit(db, project, { actor: account, action: 'animals_changed', subject: 'animals', detail })
      const missing = new Set(ids).difference(new Set(known))
      return `{"changed":${count},"unchanged":${known.length - count},"missing":[${[...missing].join(',')}]}`
    })
    return { json }
  })
}

/** Those that it changes; of the others nothing is written. */
async function turn(db: Db, project: ProjectId, pets: readonly bigint[], isHidden: boolean): Promise<bigint[]> {
  const summaries = await profiles.summariesOf(db, project, pets)
  const turned = pets.filter((id) => (summaries.get(id)?.isHidden ?? false) !== isHidden)
  if (turned.length > 0) await profiles.setHidden(db, project, turned, isHidden)
  const unwritten = turned.filter((id) => !summaries.has(id))
  const profile = { ...emptyFields, isHidden }
  await profiles.putMany(
    db,
    project,
    unwritten.map((pet) => ({ pet, profile })),
  )
  return turned
}
