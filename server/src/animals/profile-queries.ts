// Queries for the profiles of animals, inside one project.

import type { Profile, ProfileChange, ProfileSummary } from '@petstore-platform/contract/platform/profiles'
import { statement, query, queryFirst, queryAny, type Db } from '../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { allFields, answeredCount, changed, given, rowOf, summaryFields } from './profile-columns.ts'
import type { ProfileFields } from './profile.ts'

export const find = queryFirst<Profile, [project: ProjectId, pet: bigint]>(
  'find-profile',
  `select ${allFields}
   from pet_profiles
   where project_id = $1 and pet_id = $2`,
)

/** Keeps the animal from being deleted until the transaction ends. False if there is no such animal. */
export const lockAnimal = queryAny<[project: ProjectId, pet: bigint]>(
  'lock-profiled-animal',
  `select id
   from pets
   where project_id = $1 and id = $2
   for key share`,
)

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

/** In the transaction that deletes the animal. */
export const remove = query<never, [project: ProjectId, pet: bigint]>(
  'delete-profile',
  `delete from pet_profiles
   where project_id = $1 and pet_id = $2`,
)

export type SummaryRow = Omit<ProfileSummary, 'completeness'> & { id: bigint; answered: number }

const summaryRows = statement<SummaryRow, [project: ProjectId, pets: readonly bigint[]]>(
  'list-profile-summaries',
  `select pet_id as id, ${summaryFields}
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
  `select pet_id as id, ${answeredCount}
   from pet_profiles
   where project_id = $1 and pet_id = any ($2::bigint[])`,
)

/** How many questions each profile answers: for thousands of animals, by less than their summaries. */
export const answersOf = async (db: Db, project: ProjectId, pets: readonly bigint[]) =>
  new Map((await db(answerRows, project, pets)).map(({ id, answered }) => [id, answered]))

const listRows = statement<Profile & { id: bigint }, [project: ProjectId, pets: readonly bigint[]]>(
  'list-profiles',
  `select pet_id as id, ${allFields}
   from pet_profiles
   where project_id = $1 and pet_id = any ($2::bigint[])`,
)

/** Whole profiles, of those that have one. */
export const profilesOf = async (db: Db, project: ProjectId, pets: readonly bigint[]) =>
  new Map((pets.length === 0 ? [] : await db(listRows, project, pets)).map(({ id, ...profile }) => [id, profile]))

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
  profiles: readonly { pet: bigint; profile: ProfileFields }[],
) => {
  if (profiles.length === 0) return new Map<bigint, number>()
  const rows = profiles.map(({ pet, profile }) => `{"pet_id":${pet},${rowOf(profile).slice(1)}`)
  return new Map((await db(putRows, project, `[${rows.join(',')}]`)).map(({ id, version }) => [id, version]))
}

/** Of those that have a profile, whatever its version: the caller has locked the animals. */
export const setHidden = query<never, [project: ProjectId, pets: readonly bigint[], isHidden: boolean]>(
  'set-profiles-hidden',
  `update pet_profiles
   set version = version + 1, is_hidden = $3
   where project_id = $1 and pet_id = any ($2::bigint[])`,
)

const deleteRows = statement<never, [project: ProjectId, pets: readonly bigint[]]>(
  'delete-profiles',
  `delete from pet_profiles
   where project_id = $1 and pet_id = any ($2::bigint[])`,
)

/** In the transaction that deletes the animals, or returns them to what they were. */
export const removeMany = async (db: Db, project: ProjectId, pets: readonly bigint[]): Promise<void> => {
  if (pets.length > 0) await db(deleteRows, project, pets)
}
