// Shared set-up of tests of orders on `/platform/v1`: two shops, and what their members and visitors do.

import { beforeAll } from 'vitest'
import type { Role } from '@petstore-platform/contract/platform/operation'
import type { AccountId } from '../../src/accounts/account-queries.ts'
import * as directory from '../../src/projects/directory.io.ts'
import { insertMember } from '../../src/projects/project-queries.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import {
  startTestPlatform,
  type PlatformOwner,
  type PersonClient,
  type TestPlatform,
} from '../../../testbed/harness/platform.ts'
import { reserving } from './reservations.ts'

type OrderBody = {
  id: number
  petId: number
  status: string
  stage: string
  moves: string[]
  position: number | null
  isHolding: boolean
  mayHold: boolean
  heldUntil: string | null
  notes: number
  decidedBy: string | null
  decidedAt: string | null
  undoUntil: string | null
}

export let platform: TestPlatform
export let on: ReturnType<typeof reserving>
export let mia: PlatformOwner
export let other: PlatformOwner

/** To be called by each file: a module may serve several. */
export function setUpOrders(): void {
  beforeAll(async () => {
    platform = await startTestPlatform()
    on = reserving(platform.test.database, platform.test.service.database)
    mia = await platform.owner()
    other = await platform.owner()
  })
}

export const pathOf = ({ slug }: PlatformOwner, rest = '') => `/projects/${slug}/orders${rest}`
export const orderOf = ({ json }: Received) => json as OrderBody
export const idsOf = ({ json }: Received) => (json as OrderBody[]).map(({ id }) => BigInt(id))

export async function joins(owner: PlatformOwner, role: Role): Promise<PersonClient> {
  const person = await platform.signUp(role)
  const account = person.id as AccountId
  await on.inProject(owner.project, async (db) => {
    await insertMember(db, owner.project, account, role)
    await directory.addMember(db, account, owner.project)
  })
  return person
}

/** An animal and a request for it. */
export async function asked(owner = mia) {
  const petId = await on.addAnimal(owner.project)
  const { id } = await on.reserve(owner.project, petId)
  return { petId, id }
}

export const setStatus = (by: Pick<PlatformOwner, 'send'>, petId: unknown, status: unknown, of = mia) =>
  by.send('PUT', `/projects/${of.slug}/animals/${String(petId)}/status`, { status })

export const move = (id: unknown, fact: string, by: Pick<PlatformOwner, 'send'> = mia) =>
  by.send('POST', pathOf(mia, `/${String(id)}/move`), { fact })
export const visit = { at: '2031-05-03T14:30:00+02:00', place: 'At the shelter' }
