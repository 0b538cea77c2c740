// Queries for the profiles of animals as visitors see them, inside one project: public columns only, so that no page
// can show more.

import type { PublicProfile } from '@petstore-platform/contract/platform/profiles'
import { statement, type Db } from '../../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import type { CardProfile } from './content.ts'

const card = `pet_id as id, headline, breed, second_breed as "secondBreed", is_mixed as "isMixed", sex, size, portrait,
  case when born is not null then json_build_object(
    'date', born, 'precision', born_precision, 'isEstimated', is_born_estimated) end as born,
  in_care_since::text as "inCareSince"`

const words = `story, coat, color, weight_grams as "weightGrams", good_with_children as "goodWithChildren",
  good_with_dogs as "goodWithDogs", good_with_cats as "goodWithCats", good_with_note as "goodWithNote",
  is_neutered as "isNeutered", is_vaccinated as "isVaccinated", is_house_trained as "isHouseTrained",
  special_needs as "specialNeeds", traits, location,
  case when fee_amount is not null then json_build_object('amount', fee_amount, 'currency', fee_currency) end as fee`

type Values = [project: ProjectId, ids: readonly bigint[]]

const cardRows = statement<CardProfile & { id: bigint }, Values>(
  'site-card-profiles',
  `select ${card}
   from pet_profiles
   where project_id = $1 and pet_id = any ($2::bigint[])`,
)

/** The animals, each with what its card shows; those without a profile as they are. */
export const withCards = async <A extends { id: bigint }>(db: Db, project: ProjectId, animals: readonly A[]) =>
  joined(animals, animals.length === 0 ? [] : await db(cardRows, project, idsOf(animals)))

const profileRows = statement<PublicProfile & { id: bigint }, Values>(
  'site-profiles',
  `select ${card}, ${words}
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
