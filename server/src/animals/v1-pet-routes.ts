// `/v1/pets`: list, add, and (deprecated) fetch one. Mounted behind the guard.

import { int64FromPath } from '@petstore-platform/contract/int64'
import { createPet, getPet, listPets } from '@petstore-platform/contract/operations'
import type { NewPet } from '@petstore-platform/contract/pets'
import type { FastifyInstance } from 'fastify'
import { isRemoved } from '../foundation/http/deprecation.ts'
import { mount, type OperationResponse } from '../foundation/http/operation.io.ts'
import { pageOf } from '../foundation/http/list-response.ts'
import { Refusal } from '../foundation/refusal.ts'
import { createSharedCalls, type SharedCalls } from '../foundation/load/shared-calls.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { capacityLeft } from '../projects/stored-usage.io.ts'
import type { V1 } from '../projects/v1.ts'
import { fingerprintOf, petJson } from './json.ts'
import * as pets from './pet-queries.ts'
import type { PetStore } from './batched-pets.io.ts'
import { createCapacityGrants, type CapacityGrants } from './capacity-grants.ts'

export function petRoutes(app: FastifyInstance, v1: V1, store: PetStore): void {
  const { baseUrl, mounting } = v1
  const grants = {
    animals: createCapacityGrants(),
    idempotencyKeys: createCapacityGrants(),
    calls: createSharedCalls(),
  }
  mount(app, listPets, mounting, ({ caller: { project }, query: { limit, status, cursor } }) =>
    pageOf({ url: `${baseUrl}/pets`, limit, cursor, filter: status, filterName: 'status' }, (before, count) =>
      store.list({ project, status, before, count }),
    ),
  )

  mount(app, createPet, mounting, async ({ caller: { project }, body, idempotencyKey, now }) => {
    const pet = { ...body, status: body.status ?? 'available' }
    const { json, id, isReplayed } =
      idempotencyKey === undefined
        ? await create(v1, store, grants, project, pet)
        : await createOnce(v1, grants, project, pet, idempotencyKey)
    // The URL of the animal works until getPet is removed, and is no longer returned after that.
    const headers = {
      ...(!isRemoved(getPet, now) && { Location: `${baseUrl}/pets/${id}` }),
      ...(isReplayed && { 'Idempotent-Replayed': 'true' }),
    }
    return { json, headers } satisfies OperationResponse
  })

  mount(app, getPet, mounting, async ({ caller: { project }, path }) => {
    const id = int64FromPath(path['petId'] ?? '')
    const json = id === undefined ? undefined : await store.find({ project, id })
    if (json === undefined) throw petNotFound()
    return { json }
  })
}

/** The same for an animal that never existed and for one of another project. */
export const petNotFound = () => new Refusal('not_found', 'No animal with this identifier.')

/** An invalid id is the id of no animal. */
export function animalIdOf({ petId = '' }: Record<string, string>): bigint {
  const id = int64FromPath(petId)
  if (id === undefined) throw petNotFound()
  return id
}

type Created = { json: string; id: bigint; isReplayed?: true }

type Grants = Readonly<Record<'animals' | 'idempotencyKeys', CapacityGrants>> & { calls: SharedCalls }

async function create(
  { inProject, plans }: V1,
  store: PetStore,
  grants: Grants,
  project: ProjectId,
  pet: Required<NewPet>,
): Promise<Created> {
  const insert = () => store.insert({ project, pet })
  const isGranted = () => grants.animals.take(project)
  // Close to the limit one after the other, so that each counts what the one before has added.
  const countedInsert = async () => {
    if (isGranted()) return undefined
    const free = await inProject(project, (db) => capacityLeft(db, project, plans, { kind: 'animals', more: 1 }))
    grants.animals.learn(project, free)
    return insert()
  }
  const id =
    (isGranted() ? undefined : await grants.calls.serialised(String(project), countedInsert)) ?? (await insert())
  return { json: petJson({ id, ...pet }), id }
}

/** The animal and the record of its key commit together, so a crash leaves both or neither. */
function createOnce(
  { inProject, plans }: V1,
  grants: Grants,
  project: ProjectId,
  pet: Required<NewPet>,
  key: string,
): Promise<Created> {
  const fingerprint = fingerprintOf(pet)
  return inProject(project, async (db) => {
    const [isFree, earlier] = await Promise.all([
      pets.tryIdempotencyKey(db, project, key),
      pets.earlierAnswer(db, project, key),
    ])
    if (!isFree) throw new Refusal('idempotency_key_in_use', undefined, { 'Retry-After': '1' })
    if (earlier && !earlier.fingerprint.equals(fingerprint)) throw new Refusal('idempotency_key_reused')
    if (earlier) return { json: earlier.answer, id: earlier.petId, isReplayed: true }

    const [inserted] = await pets.insert(db, [{ project, pet }])
    if (!inserted) throw new Error('an insert gave no row')
    const { id } = inserted
    const json = petJson({ id, ...pet })
    await pets.storeResponse(db, project, key, { fingerprint, petId: id, answer: json })
    // Counted after it was written, and rolled back if that was too much.
    for (const kind of ['animals', 'idempotencyKeys'] as const)
      if (!grants[kind].take(project))
        grants[kind].learn(project, await capacityLeft(db, project, plans, { kind, more: 0 }))
    return { json, id }
  })
}
