// The route that changes many animals at once: whether the site shows them, and their category. All that exist, or none;
// one audit event records how many. A full store can hide animals too: the profiles that this adds are empty.

import * as contract from '@petstore-platform/contract/platform/animal-changes'
import { idsFault } from '@petstore-platform/contract/platform/animal-statuses'
import { faultOfMarks } from '@petstore-platform/contract/platform/markdown'
import * as profileContract from '@petstore-platform/contract/platform/profiles'
import type { FastifyInstance } from 'fastify'
import { mount } from '../foundation/http/operation.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { latestDay } from '../foundation/time.ts'
import type { Platform } from '../projects/platform.ts'
import { recordAudit } from '../projects/project-queries.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { refuseFullStore } from '../projects/stored-usage.io.ts'
import { readPets, updatePets } from './many-animals-queries.ts'
import * as profiles from './profile-queries.ts'
import { emptyFields, faultOfProfile } from './profile.ts'
import { animalIdOf, petNotFound } from './v1-pet-routes.ts'

// The route that writes the profile of an animal. A change names the version it is based on, so that no member
// overwrites another member's changes unseen.

export function profileRoutes(app: FastifyInstance, { inProject, within, plans, now }: Platform): void {
  mount(app, profileContract.putProfile, within, async ({ caller: { project, account }, path, body }) => {
    const id = animalIdOf(path)
    const json = await inProject(project, async (db) => {
      if (!(await profiles.lockAnimal(db, project, id))) throw petNotFound()
      const stored = await profiles.find(db, project, id)
      // A day to come that is stored from before can stay: otherwise it would keep everything else from being saved.
      const latest = (body.inCareSince === stored?.inCareSince && body.inCareSince) || latestDay(now())
      const fault = faultOfProfile(body, latest) ?? faultOfMarks('story', body.story)
      if (fault !== undefined) throw new Refusal('invalid_field', fault)
      if (!(await profiles.put(db, project, id, body))) throw stale(body.version)
      await refuseFullStore(db, project, plans)
      await recordAudit(db, project, { actor: account, action: 'profile_changed', subject: String(id) })
      return JSON.stringify(await profiles.find(db, project, id))
    }).catch((error: unknown) => {
      throw isTaken(error) ? new Refusal('in_use', EXTERNAL_ID_TAKEN) : error
    })
    return { json }
  })
}

const EXTERNAL_ID_TAKEN = "Another animal of this project has this 'externalId'."

const stale = (seen: number) =>
  new Refusal(
    'stale_version',
    `The profile has changed since version ${seen}, on which the request is based. Fetch it again, then retry.`,
  )

const UNIQUE_VIOLATION = '23505'
const isTaken = (error: unknown) => (error as { code?: unknown } | null)?.code === UNIQUE_VIOLATION

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
