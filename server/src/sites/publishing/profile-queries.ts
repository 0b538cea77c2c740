// Queries for the profiles of animals as visitors see them, inside one project: public columns only, so that no page
// can show more.

import type { CardProfile, PublicProfile } from '@petstore-platform/contract/platform/profiles'
import { statement, type Db } from '../../foundation/postgres/postgres.io.ts'
import { cardFields, publicFields } from '../../animals/profile-columns.ts'
import type { ProjectId } from '../../projects/scope.io.ts'

type Values = [project: ProjectId, ids: readonly bigint[]]

const cardRows = statement<CardProfile & { id: bigint }, Values>(
  'site-card-profiles',
  `select pet_id as id, ${cardFields}
   from pet_profiles
   where project_id = $1 and pet_id = any ($2::bigint[])`,
)

/** The animals, each with what its card shows; those without a profile as they are. */
export const withCards = async <A extends { id: bigint }>(db: Db, project: ProjectId, animals: readonly A[]) =>
  joined(animals, animals.length === 0 ? [] : await db(cardRows, project, idsOf(animals)))

const profileRows = statement<PublicProfile & { id: bigint }, Values>(
  'site-profiles',
  `select pet_id as id, ${publicFields}
   from pet_profiles
   where project_id = $1 and pet_id = any ($2::bigint[])`,
)

/** The animals, each with everything that its own page shows. */
export const withProfiles = async <A extends { id: bigint }>(db: Db, project: ProjectId, animals: readonly A[]) =>
  joined(animals, animals.length === 0 ? [] : await db(profileRows, project, idsOf(animals)))

const idsOf = (animals: readonly { id: bigint }[]) => animals.map(({ id }) => id)

function joined<A extends { id: bigint }, P extends { id: bigint }>(
  animals: readonly A[],
  rows: readonly P[],
): (A & { profile?: Omit<P, 'id'> })[] {
  const known = new Map(rows.map(({ id, ...profile }) => [id, profile]))
  return animals.map((animal) => {
    const profile = known.get(animal.id)
    return profile === undefined ? animal : { ...animal, profile }
  })
}
