// Queries for the profiles of animals, inside one project.

import type { Profile, ProfileChange } from '@petstore-platform/contract/platform/profiles'
import { statement, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import type { VisitorAnswers } from './profile.ts'

const born = `case when born is not null then json_build_object(
    'date', born, 'precision', born_precision, 'isEstimated', is_born_estimated) end as born`
const columns = `version, headline, story, breed, second_breed as "secondBreed", is_mixed as "isMixed", sex, size, coat,
  color, weight_grams as "weightGrams", ${born},
  good_with_children as "goodWithChildren", good_with_dogs as "goodWithDogs", good_with_cats as "goodWithCats",
  good_with_note as "goodWithNote", is_neutered as "isNeutered", is_vaccinated as "isVaccinated",
  is_house_trained as "isHouseTrained", special_needs as "specialNeeds", traits,
  case when fee_amount is not null then json_build_object('amount', fee_amount, 'currency', fee_currency) end as fee,
  location, in_care_since::text as "inCareSince", portrait, is_hidden as "isHidden", is_featured as "isFeatured",
  coalesce(external_id, '') as "externalId", chip_number as "chipNumber", internal_notes as "internalNotes"`

const findRow = statement<Profile, [project: ProjectId, pet: bigint]>(
  'find-profile',
  `select ${columns}
   from pet_profiles
   where project_id = $1 and pet_id = $2`,
)

export const find = async (db: Db, project: ProjectId, pet: bigint) => (await db(findRow, project, pet))[0]

const lockAnimalRow = statement<{ id: bigint }, [project: ProjectId, pet: bigint]>(
  'lock-profiled-animal',
  `select id
   from pets
   where project_id = $1 and id = $2
   for key share`,
)

/** Keeps the animal from being deleted until the transaction ends. False if there is no such animal. */
export const lockAnimal = async (db: Db, project: ProjectId, pet: bigint) =>
  (await db(lockAnimalRow, project, pet)).length > 0

/** The columns that a change sets, each once. */
const changed = `headline, story, breed, second_breed, is_mixed, sex, size, coat, color, weight_grams, born,
  born_precision, is_born_estimated, good_with_children, good_with_dogs, good_with_cats, good_with_note, is_neutered,
  is_vaccinated, is_house_trained, special_needs, traits, fee_amount, fee_currency, location, in_care_since, portrait,
  is_hidden, is_featured, external_id, chip_number, internal_notes`

const insertRow = statement<{ version: number }, [project: ProjectId, pet: bigint, row: string]>(
  'insert-profile',
  `insert into pet_profiles (project_id, pet_id, ${changed})
   select $1, $2, ${changed}
   from jsonb_populate_record(null::pet_profiles, $3::jsonb)
   on conflict (project_id, pet_id) do nothing
   returning version`,
)

const updateRow = statement<{ version: number }, [project: ProjectId, pet: bigint, row: string, seen: number]>(
  'update-profile',
  `update pet_profiles
   set version = version + 1,
     (${changed}) = (select ${changed} from jsonb_populate_record(null::pet_profiles, $3::jsonb))
   where project_id = $1 and pet_id = $2 and version = $4
   returning version`,
)

/** False if the profile is not at the version that the change is based on. The caller must have locked the animal. */
export const put = async (db: Db, project: ProjectId, pet: bigint, change: ProfileChange): Promise<boolean> => {
  const { version } = change
  const written =
    version === 0
      ? await db(insertRow, project, pet, rowOf(change))
      : await db(updateRow, project, pet, rowOf(change), version)
  return written.length > 0
}

function rowOf({ born, fee, ...change }: ProfileChange): string {
  return JSON.stringify({
    headline: change.headline,
    story: change.story,
    breed: change.breed,
    second_breed: change.secondBreed,
    is_mixed: change.isMixed,
    sex: change.sex,
    size: change.size,
    coat: change.coat,
    color: change.color,
    weight_grams: change.weightGrams,
    born: born?.date,
    born_precision: born?.precision,
    is_born_estimated: born?.isEstimated,
    good_with_children: change.goodWithChildren,
    good_with_dogs: change.goodWithDogs,
    good_with_cats: change.goodWithCats,
    good_with_note: change.goodWithNote,
    is_neutered: change.isNeutered,
    is_vaccinated: change.isVaccinated,
    is_house_trained: change.isHouseTrained,
    special_needs: change.specialNeeds,
    traits: change.traits,
    fee_amount: fee?.amount,
    fee_currency: fee?.currency,
    location: change.location,
    in_care_since: change.inCareSince,
    portrait: change.portrait,
    is_hidden: change.isHidden,
    is_featured: change.isFeatured,
    external_id: change.externalId === '' ? null : change.externalId,
    chip_number: change.chipNumber,
    internal_notes: change.internalNotes,
  })
}

const deleteRow = statement<never, [project: ProjectId, pet: bigint]>(
  'delete-profile',
  `delete from pet_profiles
   where project_id = $1 and pet_id = $2`,
)

/** In the transaction that deletes the animal. */
export const remove = (db: Db, project: ProjectId, pet: bigint) => db(deleteRow, project, pet)

export type SummaryRow = VisitorAnswers & Pick<Profile, 'portrait' | 'isHidden' | 'isFeatured'> & { id: bigint }

const health = `(is_neutered, is_vaccinated, is_house_trained) <> ('unknown', 'unknown', 'unknown')`
const company = `(good_with_children, good_with_dogs, good_with_cats) <> ('unknown', 'unknown', 'unknown')`

const summaryRows = statement<SummaryRow, [project: ProjectId, pets: readonly bigint[]]>(
  'list-profile-summaries',
  `select pet_id as id, breed, sex, size, ${born}, in_care_since::text as "inCareSince", portrait,
     is_hidden as "isHidden", is_featured as "isFeatured",
     headline <> '' as headline, story <> '' as story, cardinality(traits) > 0 as traits,
     ${health} as health, ${company} as company
   from pet_profiles
   where project_id = $1 and pet_id = any ($2::bigint[])`,
)

/** Of those that have a profile. */
export const summariesOf = async (db: Db, project: ProjectId, pets: readonly bigint[]) => {
  const rows = pets.length === 0 ? [] : await db(summaryRows, project, pets)
  return new Map(rows.map((row) => [row.id, row]))
}

const answerRows = statement<{ id: bigint; answered: number }, [project: ProjectId, pets: readonly bigint[]]>(
  'count-profile-answers',
  `select pet_id as id, num_nonnulls(
     nullif(headline, ''), nullif(story, ''), nullif(cardinality(traits), 0), nullif(breed, ''), sex, size, born,
     in_care_since, nullif(${health}, false), nullif(${company}, false)) as answered
   from pet_profiles
   where project_id = $1 and pet_id = any ($2::bigint[])`,
)

/** How much each profile says of what completenessOf counts: for thousands of animals, by less than their summaries. */
export const answersOf = async (db: Db, project: ProjectId, pets: readonly bigint[]) =>
  new Map((await db(answerRows, project, pets)).map(({ id, answered }) => [id, answered]))

const listRows = statement<Profile & { id: bigint }, [project: ProjectId, pets: readonly bigint[]]>(
  'list-profiles',
  `select pet_id as id, ${columns}
   from pet_profiles
   where project_id = $1 and pet_id = any ($2::bigint[])`,
)

/** Whole profiles, of those that have one. */
export const profilesOf = async (db: Db, project: ProjectId, pets: readonly bigint[]) =>
  new Map((pets.length === 0 ? [] : await db(listRows, project, pets)).map(({ id, ...profile }) => [id, profile]))

/** The same columns of what is written. */
const given = `excluded.headline, excluded.story, excluded.breed, excluded.second_breed, excluded.is_mixed, excluded.sex,
  excluded.size, excluded.coat, excluded.color, excluded.weight_grams, excluded.born, excluded.born_precision,
  excluded.is_born_estimated, excluded.good_with_children, excluded.good_with_dogs, excluded.good_with_cats,
  excluded.good_with_note, excluded.is_neutered, excluded.is_vaccinated, excluded.is_house_trained,
  excluded.special_needs, excluded.traits, excluded.fee_amount, excluded.fee_currency, excluded.location,
  excluded.in_care_since, excluded.portrait, excluded.is_hidden, excluded.is_featured, excluded.external_id,
  excluded.chip_number, excluded.internal_notes`

const putRows = statement<{ id: bigint; version: number }, [project: ProjectId, rows: string]>(
  'put-profiles',
  `insert into pet_profiles (project_id, pet_id, ${changed})
   select $1::bigint, pet_id, ${changed}
   from jsonb_populate_recordset(null::pet_profiles, $2::jsonb)
   on conflict (project_id, pet_id) do update
   set version = pet_profiles.version + 1, (${changed}) = row (${given})
   where pet_profiles.project_id = $1
   returning pet_id as id, version`,
)

/** Many at once, whatever their version: the caller has locked the animals. The versions that they have now. */
export const putMany = async (
  db: Db,
  project: ProjectId,
  profiles: readonly { pet: bigint; profile: Omit<Profile, 'version'> }[],
) => {
  if (profiles.length === 0) return new Map<bigint, number>()
  const rows = profiles.map(({ pet, profile }) => `{"pet_id":${pet},${rowOf({ version: 0, ...profile }).slice(1)}`)
  return new Map((await db(putRows, project, `[${rows.join(',')}]`)).map(({ id, version }) => [id, version]))
}

const hiddenRows = statement<never, [project: ProjectId, pets: readonly bigint[], isHidden: boolean]>(
  'hide-profiles',
  `update pet_profiles
   set version = version + 1, is_hidden = $3
   where project_id = $1 and pet_id = any ($2::bigint[])`,
)

/** Of those that have a profile, whatever its version: the caller has locked the animals. */
export const setHidden = (db: Db, project: ProjectId, pets: readonly bigint[], isHidden: boolean) =>
  db(hiddenRows, project, pets, isHidden)

const deleteRows = statement<never, [project: ProjectId, pets: readonly bigint[]]>(
  'delete-profiles',
  `delete from pet_profiles
   where project_id = $1 and pet_id = any ($2::bigint[])`,
)

/** In the transaction that deletes the animals, or returns them to what they were. */
export const removeMany = async (db: Db, project: ProjectId, pets: readonly bigint[]): Promise<void> => {
  if (pets.length > 0) await db(deleteRows, project, pets)
}
