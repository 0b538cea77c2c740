// Queries for the site of a project, inside one project. A list scans a bounded number of
// animals, however many of them it does not show, and returns how far it has scanned. What it
// needs of a profile is read by primary key, for each scanned animal.

import type { PetStatus } from '@petstore-platform/contract/pets'
import type { ShownAnimal } from '../publishing/content.ts'
import { statement, query, queryFirst, type Db } from '../../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import type { PhotoAddress } from './addresses.ts'
import { bornWithin, noFilters, type Company, type Filters } from './filters.ts'

/** `isEnd` marks the last scanned animal, because there may be more after it; it may not be shown itself. */
export type SeenAnimal = ShownAnimal & { isShown: boolean; isEnd: boolean }
/** `since`: the day since which it has been waiting, and a day after all others if that is not known. */
export type WaitingAnimal = SeenAnimal & { since: string }

/** The categories, the filters and the maximum count. `scanMax` if fewer are scanned than for a list. */
export type Wanted = {
  hidden: readonly bigint[]
  /** Without the order. */
  filters?: Omit<Filters, 'sort'>
  /** The day on which ages are computed; needed for a filter by age. */
  today?: string
  count: number
  scanMax?: number
  /** Available ones by default. */
  status?: PetStatus
  /** All that the search found; undefined if it found so many that a scan shows a page of them soon. */
  found?: readonly bigint[] | undefined
}

export const SCAN_MAX = 5000
const LAST_DAY = '9999-12-31'

type Sifting = [
  hidden: readonly bigint[],
  only: bigint | null,
  prefix: string,
  sex: string | null,
  size: string | null,
  bornAfter: string | null,
  bornUntil: string | null,
  withChildren: boolean,
  withDogs: boolean,
  withCats: boolean,
]

function siftingOf({ hidden, filters = noFilters, today = LAST_DAY }: Wanted): Sifting {
  const { kind = null, q, sex = null, size = null, age } = filters
  const { after, until } = bornWithin(age, today)
  const isWith = (one: Company) => filters.with.includes(one)
  return [hidden, kind, q, sex, size, after, until, isWith('children'), isWith('dogs'), isWith('cats')]
}

const q = `(select lower($7::text collate "pg_c_utf8"))`
/** As far as a key of `pet_words` goes. */
const word = `(select left(lower($7::text collate "pg_c_utf8"), 40))`

/**
 * Whether a scanned animal is shown; the parameters of a sifting begin with $5. An animal without a profile is not
 * hidden, and is shown where nothing is asked that only a profile says.
 */
const isShown = `category_id <> all ($5::bigint[]) and ($6::bigint is null or category_id = $6)
         and ($7 = '' or starts_with(name_key, ${q})
           or strpos(name_key, ${q}) > 0 and exists (select from keys_of_name(name_key) as key where starts_with(key, ${word}))
           or strpos(lower((breed || ' ' || second_breed) collate "pg_c_utf8"), ${word}) > 0 and exists (
             select from keys_of_profile(breed, second_breed, '') as found where starts_with(found.key, ${word})
           ))
         and not coalesce(is_hidden, false)
         and ($8::text is null or coalesce(sex = $8, false))
         and ($9::text is null or coalesce(size = $9, false))
         and ($10::date is null or coalesce(born > $10, false))
         and ($11::date is null or coalesce(born <= $11, false))
         and (not $12::boolean or coalesce(good_with_children = 'yes', false))
         and (not $13::boolean or coalesce(good_with_dogs = 'yes', false))
         and (not $14::boolean or coalesce(good_with_cats = 'yes', false))`

// Without the offset PostgreSQL might read the profiles of the whole project to join them.
const profiles = `left join lateral (
         select is_hidden, breed, second_breed, sex, size, born, good_with_children, good_with_dogs, good_with_cats, in_care_since
         from pet_profiles
         where pet_profiles.project_id = $1 and pet_profiles.pet_id = looked.id
         offset 0
       ) as profile on true`

type ListValues = [project: ProjectId, from: bigint, scanMax: number, count: number, ...Sifting]
type StatusListValues = [...ListValues, status: PetStatus]

// The condition on the status is a range, so that one index alone returns the animals in order. Rows are numbered in
// that order, so that the scan ends as soon as there are enough.
const animalsBefore = statement<SeenAnimal, StatusListValues>(
  'site-animals-before',
  `select id, name, category_id as "categoryId", status, "isShown", n = $3 as "isEnd"
   from (
     select id, name, category_id, status, row_number() over (order by status desc, id desc) as n,
       ${isShown} as "isShown"
     from (
       select id, name, name_key, category_id, status
       from pets
       where project_id = $1 and status >= $15 and (status, id) < ($15, $2::bigint)
       order by status desc, id desc
       limit $3
     ) as looked
     ${profiles}
   ) as numbered
   where "isShown" or n = $3
   order by status desc, id desc
   limit $4`,
)

const statusListOf = (wanted: Wanted) =>
  [wanted.scanMax ?? SCAN_MAX, wanted.count, ...siftingOf(wanted), wanted.status ?? 'available'] as const

/** Those that are older than the given one, newest first. */
export const listBefore = (db: Db, project: ProjectId, before: bigint, wanted: Wanted) =>
  wanted.found
    ? db(foundAnimals, ...foundListOf(project, wanted.found, wanted), 'before', LAST_DAY, before)
    : db(animalsBefore, project, before, ...statusListOf(wanted))

const animalsAfter = statement<SeenAnimal, StatusListValues>(
  'site-animals-after',
  `select id, name, category_id as "categoryId", status, "isShown", n = $3 as "isEnd"
   from (
     select id, name, category_id, status, row_number() over (order by status, id) as n,
       ${isShown} as "isShown"
     from (
       select id, name, name_key, category_id, status
       from pets
       where project_id = $1 and status <= $15 and (status, id) > ($15, $2::bigint)
       order by status, id
       limit $3
     ) as looked
     ${profiles}
   ) as numbered
   where "isShown" or n = $3
   order by status, id
   limit $4`,
)

/** Those that are newer than the given one, oldest first. */
export const listAfter = (db: Db, project: ProjectId, after: bigint, wanted: Wanted) =>
  wanted.found
    ? db(foundAnimals, ...foundListOf(project, wanted.found, wanted), 'after', LAST_DAY, after)
    : db(animalsAfter, project, after, ...statusListOf(wanted))

// The last scanned animal comes last, unless it is shown itself.
const animalsByWaiting = statement<WaitingAnimal, [...ListValues, since: string, id: bigint]>(
  'site-animals-by-waiting',
  `select id, name, category_id as "categoryId", status, "isShown", n = $3 as "isEnd", since::text
   from (
     select id, name, category_id, status, n, since, sifted and (since, id) > ($15::date, $16::bigint) as "isShown"
     from (
       select id, name, category_id, status, row_number() over (order by status, id) as n,
         coalesce(in_care_since, '9999-12-31') as since, ${isShown} as sifted
       from (
         select id, name, name_key, category_id, status
         from pets
         where project_id = $1 and status <= 'available' and (status, id) > ('available', $2::bigint)
         order by status, id
         limit $3
       ) as looked
       ${profiles}
     ) as numbered
   ) as placed
   where "isShown" or n = $3
   order by "isShown" desc, placed.since, id
   limit $4`,
)

/** Available ones among those scanned after the given one, the longest waiting first, beginning after a place. */
export const listByWaiting = (
  db: Db,
  project: ProjectId,
  { scannedAfter, since, id }: { scannedAfter: bigint; since: string; id: bigint },
  wanted: Wanted,
) =>
  wanted.found
    ? db(foundAnimals, ...foundListOf(project, wanted.found, wanted), 'waiting', since, id)
    : db(
        animalsByWaiting,
        project,
        scannedAfter,
        wanted.scanMax ?? SCAN_MAX,
        wanted.count,
        ...siftingOf(wanted),
        since,
        id,
      )

type FoundValues = [
  project: ProjectId,
  ids: readonly bigint[],
  status: PetStatus,
  count: number,
  ...Sifting,
  order: 'before' | 'after' | 'waiting',
  since: string,
  id: bigint,
]

const foundListOf = (project: ProjectId, found: readonly bigint[], wanted: Wanted) =>
  [
    project,
    found,
    wanted.status ?? 'available',
    wanted.count,
    ...siftingOf({ ...wanted, filters: unsearched(wanted) }),
  ] as const

/** The animals were searched before. */
const unsearched = ({ filters = noFilters }: Wanted) => ({ ...filters, q: '' })

const foundAnimals = statement<WaitingAnimal, FoundValues>(
  'list-found-site-animals',
  `select id, name, category_id as "categoryId", status, true as "isShown", false as "isEnd", since::text
   from (
     select looked.id, name, category_id, status, coalesce(in_care_since, '9999-12-31') as since
     from unnest($2::bigint[]) as wanted (id)
     cross join lateral (
       select id, name, name_key, category_id, status
       from pets
       where project_id = $1 and id = wanted.id
       offset 0
     ) as looked
     ${profiles}
     where status = $3 and ${isShown}
   ) as sifted
   where case $15 when 'before' then id < $17 when 'after' then id > $17 else (since, id) > ($16::date, $17::bigint) end
   order by case when $15 = 'waiting' then since end, case when $15 = 'before' then -id else id end
   limit $4`,
)

const featuredRows = statement<
  ShownAnimal,
  [project: ProjectId, scanMax: number, hidden: readonly bigint[], count: number]
>(
  'site-featured-animals',
  `select pets.id, pets.name, pets.category_id as "categoryId", pets.status
   from (
     select pet_id, is_hidden
     from pet_profiles
     where project_id = $1 and is_featured
     order by pet_id desc
     limit $2
   ) as featured
   join lateral (
     select id, name, category_id, status
     from pets
     where pets.project_id = $1 and pets.id = featured.pet_id
     offset 0
   ) as pets on true
   where not featured.is_hidden and pets.status = 'available' and pets.category_id <> all ($3::bigint[])
   order by featured.pet_id desc
   limit $4`,
)

const FEATURED_SCANNED = 500

/** Available ones that the owner wants to be seen first, newest first. */
export const listFeatured = (db: Db, project: ProjectId, { hidden, count }: Pick<Wanted, 'hidden' | 'count'>) =>
  db(featuredRows, project, FEATURED_SCANNED, hidden, count)

const reservedRows = statement<
  ShownAnimal,
  [project: ProjectId, scanMax: number, hidden: readonly bigint[], count: number]
>(
  'site-reserved-animals',
  `select id, name, category_id as "categoryId", status
   from (
     select id, name, category_id, status
     from pets
     where project_id = $1 and status >= 'pending' and (status, id) < ('pending', 9223372036854775807)
     order by status desc, id desc
     limit $2
   ) as looked
   ${profiles}
   where not coalesce(profile.is_hidden, false) and category_id <> all ($3::bigint[])
   order by id desc
   limit $4`,
)

const RESERVED_SCANNED = 200

/** Reserved ones, newest first: visitors can still ask for them. */
export const listReserved = (db: Db, project: ProjectId, { hidden, count }: Pick<Wanted, 'hidden' | 'count'>) =>
  db(reservedRows, project, RESERVED_SCANNED, hidden, count)

/** Counting stops here: a number that no visitor would count is not worth a longer scan. */
export const COUNTED_MAX = 1000

// In order and one range of statuses, so that they are read from an index, however many of all animals this project has.
const categoryCounts = statement<
  { categoryId: bigint; available: number; pending: number; scanned: number },
  [project: ProjectId, limit: number]
>(
  'site-category-counts',
  `select category_id as "categoryId",
     (count(*) filter (where status = 'available' and not coalesce(is_hidden, false)))::int as available,
     (count(*) filter (where status = 'pending' and not coalesce(is_hidden, false)))::int as pending,
     count(*)::int as "scanned"
   from (
     select id, category_id, status
     from pets
     where project_id = $1 and status <= 'pending'
     order by status, id
     limit $2
   ) as looked
   ${profiles}
   group by category_id`,
)

/** Available and reserved ones by category, those of hidden categories too. More than COUNTED_MAX scanned: there are more. */
export const countByCategory = (db: Db, project: ProjectId) => db(categoryCounts, project, COUNTED_MAX + 1)

/** Undefined if the owner hides it. */
export const findAnimal = queryFirst<ShownAnimal, [project: ProjectId, id: bigint]>(
  'site-animal',
  `select id, name, category_id as "categoryId", status
   from (
     select id, name, category_id, status
     from pets
     where project_id = $1 and id = $2
   ) as looked
   ${profiles}
   where not coalesce(is_hidden, false)`,
)

export const findSecret = query<{ secret: Buffer }, [project: ProjectId], Buffer | undefined>(
  'site-secret',
  `select secret
   from site_secrets
   where project_id = $1`,
  ([row]) => row?.secret,
)

const insertSecretRow = statement<never, [project: ProjectId, secret: Uint8Array]>(
  'insert-site-secret',
  `insert into site_secrets (project_id, secret)
   values ($1, $2)
   on conflict (project_id) do nothing`,
)

/** Of several concurrent calls the first one stores its secret; all of them return the same. */
export const secretOf = async (db: Db, project: ProjectId, made: Uint8Array): Promise<Buffer> => {
  const known = await findSecret(db, project)
  if (known) return known
  await db(insertSecretRow, project, made)
  const secret = await findSecret(db, project)
  if (!secret) throw new Error('a secret that was just made is not there')
  return secret
}

const shownPhotoRow = statement<
  { isShown: boolean },
  [project: ProjectId, digest: string, recipe: number, width: number | null, hidden: readonly bigint[]]
>(
  'site-photo',
  `select true as "isShown"
   from photos
   where project_id = $1 and digest = $2 and state = 'ready' and recipe = $3
     and ($4::integer is null or $4 = any (widths))
     and exists (
       select
       from pets
       where pets.project_id = $1 and pets.id = photos.pet_id and pets.category_id <> all ($5::bigint[])
     )
     and not exists (
       select
       from pet_profiles
       where pet_profiles.project_id = $1 and pet_profiles.pet_id = photos.pet_id and pet_profiles.is_hidden
     )
   limit 1`,
)

/** Whether a photo that has this file is ready, and of an animal that the site shows. */
export const isPhotoShown = async (
  db: Db,
  project: ProjectId,
  { digest, file, hiddenCategories }: Pick<PhotoAddress, 'digest' | 'file'> & { hiddenCategories: readonly bigint[] },
): Promise<boolean> =>
  (await db(shownPhotoRow, project, digest, file.recipe, file.width ?? null, hiddenCategories)).length > 0
