// Reads the animals that pages of a site show, with their profiles and photos: each list with one statement, and the
// profiles and the covers of its page with one more each.

import type { PresentedAnimal, ShownAnimal } from '../publishing/content.ts'
import { withCovers, withPhotos } from '../publishing/photo-queries.ts'
import { withCards, withProfiles } from '../publishing/profile-queries.ts'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import { countOpen } from '../../orders/order-queries.ts'
import { requestSettings } from '../../orders/settings-queries.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import type { Place, Span } from './addresses.ts'
import { OTHERS } from './animal-page.ts'
import type { Listing } from './cards.ts'
import { noFilters, type Filters } from './filters.ts'
import type { RenderedSite } from './layout.ts'
import { countsOf, listingOf, merged, placeOf, questionOf, waitingOf, withFeatured, withReserved } from './listing.ts'
import { findMatches } from './match-queries.ts'
import { PAGE_SIZE } from './render.ts'
import * as queries from './visitor-queries.ts'

type Site = Pick<RenderedSite, 'content' | 'isHidden' | 'today'>

const hiddenOf = ({ content }: Site) => content.settings.hiddenCategories

/** With the numbers of all kinds. */
export async function readList(
  db: Db,
  project: ProjectId,
  site: Site,
  { filters = noFilters, span, size = PAGE_SIZE }: { filters?: Filters; span: Span | Place; size?: number },
): Promise<Listing> {
  // One more than is shown, to detect a next page.
  const found = await findMatches(db, project, filters.q)
  const wanted = { hidden: hiddenOf(site), filters, today: site.today, count: size + 1, found }
  const [listing, counts] = await Promise.all([
    readPage(db, project, span, filters, wanted, size),
    readCounts(db, project, site),
  ])
  return { ...listing, animals: await shownOf(db, project, listing.animals), counts }
}

async function readPage(
  db: Db,
  project: ProjectId,
  span: Span | Place,
  { sort }: Filters,
  wanted: queries.Wanted,
  size: number,
): Promise<Listing> {
  const isPlace = span !== undefined && 'since' in span
  if (sort === 'longest') {
    const place = isPlace ? span : undefined
    return waitingOf(await queries.listByWaiting(db, project, placeOf(place), wanted), place, size)
  }
  const from = isPlace ? undefined : span
  const question = questionOf(from)
  const list = question.isUpward ? queries.listAfter : queries.listBefore
  const seen = await Promise.all(
    (['available', 'pending'] as const).map((status) => list(db, project, question.from, { ...wanted, status })),
  )
  return listingOf(merged(seen, question.isUpward, wanted.count), from, size)
}

const readCounts = async (db: Db, project: ProjectId, site: Site) =>
  countsOf(await queries.countByCategory(db, project), site.isHidden, queries.COUNTED_MAX)

/** What the home page shows: those that the owner wants to be seen first, then the newest, reserved or not. */
export async function readHome(db: Db, project: ProjectId, site: Site): Promise<Listing> {
  const hidden = hiddenOf(site)
  const [featured, reserved, newest, counts] = await Promise.all([
    queries.listFeatured(db, project, { hidden, count: PAGE_SIZE }),
    queries.listReserved(db, project, { hidden, count: PAGE_SIZE }),
    queries.listBefore(db, project, questionOf(undefined).from, { hidden, count: PAGE_SIZE + 1 }),
    readCounts(db, project, site),
  ])
  const available = listingOf(newest, undefined, PAGE_SIZE)
  const listing = withFeatured(featured, withReserved(reserved, available, PAGE_SIZE), PAGE_SIZE)
  return { ...listing, animals: await shownOf(db, project, listing.animals), counts }
}

/** Undefined if the site does not show it. */
export async function readAnimal(
  db: Db,
  project: ProjectId,
  site: Site,
  id: bigint,
): Promise<PresentedAnimal | undefined> {
  return (await readAnimals(db, project, site, [id]))[0]
}

/** In this order, without those that the site does not show. */
export async function readAnimals(
  db: Db,
  project: ProjectId,
  site: Site,
  ids: readonly bigint[],
): Promise<readonly PresentedAnimal[]> {
  const found = await Promise.all(ids.map((id) => queries.findAnimal(db, project, id)))
  const shown = found.flatMap((animal) => (animal && !site.isHidden(animal.categoryId) ? [animal] : []))
  return withPhotos(db, project, await withProfiles(db, project, shown))
}

const OTHERS_SCANNED = 200

/** The newest ones besides this one. */
export async function readOthers(db: Db, project: ProjectId, site: Site, id: bigint): Promise<readonly ShownAnimal[]> {
  const wanted = { hidden: hiddenOf(site), count: OTHERS + 1, scanMax: OTHERS_SCANNED }
  const seen = await queries.listBefore(db, project, questionOf(undefined).from, wanted)
  const others = listingOf(seen, undefined, OTHERS + 1).animals.filter((other) => other.id !== id)
  return shownOf(db, project, others.slice(0, OTHERS))
}

const shownOf = async (db: Db, project: ProjectId, animals: readonly ShownAnimal[]): Promise<readonly ShownAnimal[]> =>
  withAsked(db, project, await withCovers(db, project, await withCards(db, project, animals)))

/** With the number of people who have asked for each, if the owner wishes it to be seen. */
async function withAsked(db: Db, project: ProjectId, animals: readonly ShownAnimal[]): Promise<readonly ShownAnimal[]> {
  if (animals.length === 0 || !(await requestSettings(db, project)).showsRequestCount) return animals
  const ids = animals.map(({ id }) => id)
  const counts = await countOpen(db, project, ids)
  return animals.map((animal) => ({ ...animal, asked: counts.get(animal.id) }))
}
