// Routes for animals on `/platform/v1`: find, add, duplicate, change and delete. Every change records an audit event in the
// same transaction.

import { LIMIT_DEFAULT } from '@petstore-platform/contract/parameters'
import * as contract from '@petstore-platform/contract/platform/animals'
import type { FastifyInstance } from 'fastify'
import { pageOf } from '../foundation/http/list-response.ts'
import { mount } from '../foundation/http/operation.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { Platform } from '../projects/platform.ts'
import { recordAudit } from '../projects/project-queries.ts'
import type { InProject, ProjectId } from '../projects/scope.io.ts'
import { refuseFullStore, refuseTooMany } from '../projects/stored-usage.io.ts'
import { animalChangeRoutes, profileRoutes } from './animal-change-routes.ts'
import * as animals from './animal-queries.ts'
import { categoryRoutes } from './category-routes.ts'
import { animalDetailsJson, animalJson, listedAnimalJson } from './json.ts'
import { pageByName, positionOf } from './name-pages.ts'
import type { AnimalRequests, AnimalPhotos } from './ports.ts'
import * as profiles from './profile-queries.ts'
import { duplicateOf } from './profile.ts'
import { animalIdOf, petNotFound } from './v1-pet-routes.ts'
import { listByText } from './word-queries.ts'

/** What the list shows beside each animal. */
type Beside = { photos: AnimalPhotos; requests: AnimalRequests }

export function animalRoutes(app: FastifyInstance, platform: Platform, beside: Beside): void {
  listRoutes(app, platform, beside)
  changeRoutes(app, platform, beside.photos)
  animalChangeRoutes(app, platform)
  profileRoutes(app, platform)
  categoryRoutes(app, platform)
}

function listRoutes(app: FastifyInstance, { inProject, baseUrl, within }: Platform, beside: Beside): void {
  mount(app, contract.listAnimals, within, ({ caller: { project, slug }, query }) => {
    const { limit, cursor, status, categoryId, name, photo, sort } = query
    const url = `${baseUrl}/projects/${slug}/animals`
    if ([name, categoryId, photo, sort].every((value) => value === undefined)) {
      return pageOf({ url, limit, cursor, filter: status, filterName: 'status' }, (before, count) =>
        inProject(project, async (db) => {
          const rows = await animals.listNewest(db, project, { before, count, status })
          return { json: (await listedOf(db, project, rows, beside)).join(','), count: rows.length }
        }),
      )
    }
    return listByName(inProject, beside, project, { url, limit, cursor, status, categoryId, name, photo, sort })
  })

  mount(app, contract.getAnimal, within, async ({ caller: { project }, path }) => {
    const id = animalIdOf(path)
    const [animal, profile, shown] = await inProject(project, (db) =>
      Promise.all([animals.find(db, project, id), profiles.find(db, project, id), beside.photos.list(db, project, id)]),
    )
    if (!animal) throw petNotFound()
    return { json: animalDetailsJson(animal, profile, shown) }
  })
}

function changeRoutes(app: FastifyInstance, { inProject, within, plans }: Platform, photos: AnimalPhotos): void {
  mount(app, contract.createAnimal, within, async ({ caller: { project, account }, body }) => {
    const json = await inProject(project, async (db) => {
      const animal = await animals.insert(db, project, { ...body, status: body.status ?? 'available' })
      await refuseTooMany(db, project, plans, 'animals')
      const { id, name } = animal
      await recordAudit(db, project, {
        actor: account,
        action: 'animal_created',
        subject: String(id),
        detail: { name },
      })
      return animalJson(animal)
    })
    return { json }
  })

  mount(app, contract.duplicateAnimal, within, async ({ caller: { project, account }, path }) => {
    const source = animalIdOf(path)
    const json = await inProject(project, async (db) => {
      if (!(await profiles.lockAnimal(db, project, source))) throw petNotFound()
      const [animal, profile] = [await animals.find(db, project, source), await profiles.find(db, project, source)]
      if (!animal) throw petNotFound()
      const copy = duplicateOf(animal, profile)
      const added = await animals.insert(db, project, copy.pet)
      // In the same transaction: a copy is never on the site before it is hidden.
      await profiles.put(db, project, added.id, copy.profile)
      await refuseTooMany(db, project, plans, 'animals')
      await refuseFullStore(db, project, plans)
      await recordAudit(db, project, {
        actor: account,
        action: 'animal_created',
        subject: String(added.id),
        detail: { name: added.name, copyOf: String(source) },
      })
      return animalJson(added)
    })
    return { json }
  })

  mount(app, contract.changeAnimal, within, async ({ caller: { project, account }, path, body }) => {
    const id = animalIdOf(path)
    const { name, categoryId } = body
    if (name === undefined && categoryId === undefined) {
      throw new Refusal('missing_field', 'Body must contain name, categoryId, or both.')
    }
    const detail = {
      ...(name !== undefined && { name }),
      ...(categoryId !== undefined && { categoryId: `${categoryId}` }),
    }
    const json = await inProject(project, async (db) => {
      const animal = await animals.change(db, project, id, body)
      if (!animal) throw petNotFound()
      await recordAudit(db, project, { actor: account, action: 'animal_changed', subject: String(id), detail })
      return animalJson(animal)
    })
    return { json }
  })

  mount(app, contract.deleteAnimal, within, async ({ caller: { project, account }, path }) => {
    const id = animalIdOf(path)
    await inProject(project, async (db) => {
      const animal = await animals.remove(db, project, id)
      if (!animal) throw petNotFound()
      await profiles.remove(db, project, id)
      await photos.removeAll(db, project, id)
      await recordAudit(db, project, { actor: account, action: 'animal_deleted', subject: String(id), detail: animal })
    }).catch((error: unknown) => {
      throw isReferenced(error) ? new Refusal('in_use', 'This animal has orders, so it cannot be deleted.') : error
    })
    return {}
  })
}

type NamePageRequest = Parameters<typeof pageByName>[1]
type ListRequest = Parameters<typeof listByText>[2]

async function listByName(inProject: InProject, beside: Beside, project: ProjectId, ask: NamePageRequest) {
  const { cursor, limit = LIMIT_DEFAULT, name, status, categoryId, photo, sort } = ask
  const after = positionOf(cursor, ask)
  const isByName = [name, categoryId, sort].some((value) => value !== undefined)
  return inProject(project, async (db) => {
    const wanted = { prefix: name ?? '', after, count: limit + 1, status, categoryId }
    const list = isByName ? listByText : newestOf
    const found = await (sort === 'completeness'
      ? leastComplete(db, project, wanted, beside.photos)
      : list(db, project, wanted))
    const { shown, link } = pageByName(found, ask)
    const json = `[${(await listedOf(db, project, shown, beside, photo)).join(',')}]`
    return { json, ...(link !== undefined && { headers: { Link: link } }) }
  })
}

/** Completeness is not stored: it is computed for the first animals of the filter, and anew for each page. */
async function leastComplete(
  db: Db,
  project: ProjectId,
  { after, count, ...wanted }: ListRequest,
  photos: AnimalPhotos,
) {
  const first = { ...wanted, after: undefined, count: contract.ANIMALS_SORTED_MAX }
  const isByName = wanted.prefix !== '' || wanted.categoryId !== undefined
  const { rows } = await (isByName ? listByText : newestOf)(db, project, first)
  const ids = rows.map(({ id }) => id)
  const [answers, photographed] = await Promise.all([
    profiles.answersOf(db, project, ids),
    photos.photographedOf(db, project, ids),
  ])
  const keyed = rows.map((row) => {
    const parts = (answers.get(row.id) ?? 0) + Number(photographed.has(row.id))
    return { ...row, key: String(parts).padStart(2, '0'), isWord: false }
  })
  const following = keyed.filter((row) => !after || byCompleteness(row, after) > 0).toSorted(byCompleteness)
  return { rows: following.slice(0, count), scanned: undefined }
}

type Complete = { key: string; id: bigint }

/** Among equals, newest first. */
const byCompleteness = (one: Complete, other: Complete): number =>
  one.key === other.key ? Number(other.id - one.id) : one.key < other.key ? -1 : 1

/** In the form of a list by name, so that a page can continue after animals that it leaves out. */
async function newestOf(db: Db, project: ProjectId, { after, count, status }: ListRequest) {
  const rows = await animals.listNewest(db, project, { before: after?.id ?? 2n ** 63n - 1n, count, status })
  return { rows: rows.map((row) => ({ ...row, key: '', isWord: false })), scanned: undefined }
}

/** Profiles, photos and requests by statements of their own: those of animals are the ones that `/v1` is measured by. */
async function listedOf(
  db: Db,
  project: ProjectId,
  rows: readonly animals.AnimalRow[],
  { photos, requests }: Beside,
  photo?: 'none',
): Promise<string[]> {
  const ids = rows.map(({ id }) => id)
  const [summaries, covers, open] = await Promise.all([
    profiles.summariesOf(db, project, ids),
    photos.coversOf(db, project, ids),
    requests.countOpen(db, project, ids),
  ])
  const wanted = photo === 'none' ? rows.filter(({ id }) => !covers.has(id)) : rows
  return wanted.map((row) => {
    const openRequests = open.get(row.id) ?? 0
    return listedAnimalJson(row, { summary: summaries.get(row.id), cover: covers.get(row.id), openRequests })
  })
}

const FOREIGN_KEY_VIOLATION = '23503'
const isReferenced = (error: unknown) => (error as { code?: unknown } | null)?.code === FOREIGN_KEY_VIOLATION
