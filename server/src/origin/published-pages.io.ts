// `createPublishedPages` serves published sites from a cache of less than a second. Two things are
// cached, each for less than half a second: the published site of a slug, and each of its pages,
// rendered. So nothing is ever shown that was not true a second ago, however many visitors there
// are, and a popular page is rendered twice a second. Where an edge caches the page once more, both
// are cached here for half as long.
//
// The canonical address of a page is under the project's primary domain while that serves visitors,
// otherwise under its default address.

import { currentContent, findBlob } from '../deployments/deployment-queries.ts'
import type { ShownAnimal } from '../deployments/content.ts'
import { siteOrigin } from '../domains/store/settings-queries.ts'
import { FreshCache } from '../foundation/fresh-cache.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import type { Clock } from '../foundation/time.ts'
import { findSlug } from '../projects/directory.io.ts'
import { findProject } from '../projects/project-queries.ts'
import type { InProject, ProjectId } from '../projects/scope.io.ts'
import { hrefOf, type Address } from '../sites/addresses.ts'
import type { Listing } from '../sites/cards.ts'
import { emptyForm } from '../sites/form.ts'
import { tokenAt } from '../sites/form-token.io.ts'
import { siteOf, type RenderedSite } from '../sites/layout.ts'
import { countsOf, listingOf, questionOf } from '../sites/listing.ts'
import { CACHE_MS, htmlPage, pageOf, type Page } from '../sites/page.ts'
import * as queries from '../sites/visitor-queries.ts'
import * as render from '../sites/render.ts'
import { readSiteFile } from '../sites/site-files.io.ts'
import { typeOfFile } from '../sites/site-files.ts'
import { styleOf } from '../sites/style.ts'

/** The result of looking up a slug. */
export type SiteLookup =
  | { kind: 'unknown' }
  | { kind: 'unpublished' }
  | { kind: 'published'; slug: string; project: ProjectId; site: RenderedSite; secret: Buffer }

export type Published = Extract<SiteLookup, { kind: 'published' }>

export type PublishedPagesDeps = {
  run: Db
  inProject: InProject
  now: Clock
  monotonic: () => number
  randomBytes: (count: number) => Uint8Array
  /** Scheme, host and port of the default address of the site with this slug. */
  originOf: (slug: string) => string
  /** The cache lifetime of each; shorter where an edge caches it as well. */
  holdMs?: number | undefined
}

export type PublishedPages = ReturnType<typeof createPublishedPages>

const LOOKUPS_MAX = 10_000
const PAGES_MAX = 1000

export function createPublishedPages(deps: PublishedPagesDeps) {
  const { monotonic: now, holdMs = CACHE_MS } = deps
  const lookups = new FreshCache<SiteLookup>({ holdMs, sizeMax: LOOKUPS_MAX, now })
  const pages = new FreshCache<Page>({ holdMs, sizeMax: PAGES_MAX, now })
  const keyOf = ({ slug }: Published, address: Address | undefined) =>
    `${slug} ${address === undefined ? '?' : hrefOf(address)}`

  return {
    placeOf: (slug: string): SiteLookup | Promise<SiteLookup | undefined> =>
      lookups.peek(slug) ?? lookups.get(slug, () => readLookup(deps, slug)),
    pageOf: (published: Published, address: Address | undefined): Page | Promise<Page | undefined> => {
      const key = keyOf(published, address)
      return pages.peek(key) ?? pages.get(key, () => readPage(deps, published, address))
    },
    /** The canonical origin of the site at this moment. */
    originNow: ({ project, slug }: Published): Promise<string> =>
      deps.inProject(project, (db) => siteOrigin(db, project, deps.originOf(slug))),
    /** The published site has changed: the next request reads it. */
    forgetPlace: (slug: string): void => lookups.forget(slug),
    /** The current animal; undefined if it is not shown on the site. */
    animalOf: (published: Published, id: bigint) => readAnimal(deps, published, id),
    /** An animal has changed: the next visitor gets its current state. */
    forget(published: Published, id: bigint): void {
      for (const address of [
        { kind: 'animal', id },
        { kind: 'home', span: undefined },
      ] as const) {
        pages.forget(keyOf(published, address))
      }
    },
  }
}

async function readLookup(
  { run, inProject, randomBytes, originOf }: PublishedPagesDeps,
  slug: string,
): Promise<SiteLookup> {
  const project = await findSlug(run, slug)
  if (project === undefined) return { kind: 'unknown' }
  return inProject(project, async (db) => {
    const [row, current, origin] = await Promise.all([
      findProject(db, project),
      currentContent(db, project),
      siteOrigin(db, project, originOf(slug)),
    ])
    if (!row || !current) return { kind: 'unpublished' }
    const secret = await queries.secretOf(db, project, randomBytes(32))
    return {
      kind: 'published',
      slug,
      project,
      site: siteFor(current.digest, origin, () => current.content),
      secret,
    }
  })
}

// Published content changes seldom and is requested often: its style and its names are computed
// once.
const SITES_MAX = 2000
const sites = new Map<string, RenderedSite>()

function siteFor(digest: string, origin: string, content: () => RenderedSite['content']): RenderedSite {
  const key = `${digest} ${origin}`
  let site = sites.get(key)
  if (!site) {
    site = siteOf(content(), origin)
    sites.set(key, site)
    const oldest = sites.size > SITES_MAX ? sites.keys().next().value : undefined
    if (oldest !== undefined) sites.delete(oldest)
  }
  return site
}

async function readAnimal(
  { inProject }: PublishedPagesDeps,
  { project, site }: Published,
  id: bigint,
): Promise<ShownAnimal | undefined> {
  const animal = await inProject(project, (db) => queries.findAnimal(db, project, id))
  return animal && !site.isHidden(animal.categoryId) ? animal : undefined
}

async function readPage(deps: PublishedPagesDeps, published: Published, address: Address | undefined): Promise<Page> {
  return (address && (await pageAt(deps, published, address))) ?? htmlPage(render.missingPage(published.site), 404)
}

async function pageAt(deps: PublishedPagesDeps, published: Published, address: Address): Promise<Page | undefined> {
  const { site, secret, project } = published
  switch (address.kind) {
    case 'home':
      return htmlPage(render.homePage(site, await readList(deps, published, address), address.span === undefined))
    case 'category': {
      const name = site.nameOf(address.id)
      if (name === undefined) return undefined
      return htmlPage(render.categoryPage(site, { ...address, name }, await readList(deps, published, address)))
    }
    case 'animal': {
      const animal = await readAnimal(deps, published, address.id)
      const token = tokenAt({ secret, project, petId: address.id }, deps.now())
      if (!animal) return undefined
      const others = await readOthers(deps, published, animal)
      return htmlPage(render.animalPage(site, animal, { form: emptyForm(token), others }))
    }
    case 'thanks': {
      const animal = address.id === undefined ? undefined : await readAnimal(deps, published, address.id)
      return htmlPage(render.thanksPage(site, animal))
    }
    case 'sitemap': {
      const { animals } = await readList(deps, published, { kind: 'home', span: undefined }, render.SITEMAP_ANIMALS_MAX)
      return pageOf(render.sitemap(site, animals).text, 'application/xml; charset=utf-8')
    }
    case 'robots':
      return pageOf(render.robots(site), 'text/plain; charset=utf-8')
    case 'favicon':
      return pageOf(render.favicon(site).text, 'image/svg+xml')
    case 'style': {
      // Not only the current one: a page that was loaded a moment before a deployment requests its
      // own.
      const { css, digest } = styleOf(`#${address.color}`, address.look)
      return address.digest === digest ? pageOf(css, 'text/css; charset=utf-8', true) : undefined
    }
    case 'logo':
      return readLogo(deps, published, address.digest)
    case 'file':
      return pageOf(readSiteFile(address.file), typeOfFile(address.file), true)
  }
}

function readList(
  { inProject }: PublishedPagesDeps,
  { project, site }: Published,
  address: Extract<Address, { span: unknown }>,
  size = render.PAGE_SIZE,
): Promise<Listing> {
  const only = address.kind === 'category' ? address.id : null
  // One more than is shown, to detect a next page.
  const wanted = { hidden: site.content.settings.hiddenCategories, only, count: size + 1 }
  const { from, isUpward } = questionOf(address.span)
  const list = isUpward ? queries.listAfter : queries.listBefore
  return inProject(project, async (db) => {
    const [seen, counted] = await Promise.all([list(db, project, from, wanted), queries.countByCategory(db, project)])
    const counts = countsOf(counted, site.isHidden, queries.COUNTED_MAX)
    return { ...listingOf(seen, address.span, size), counts }
  })
}

const OTHERS = 4
const OTHERS_SCANNED = 200

/** The newest ones besides this one. */
async function readOthers(
  { inProject }: PublishedPagesDeps,
  { project, site }: Published,
  { id }: ShownAnimal,
): Promise<readonly ShownAnimal[]> {
  const { hiddenCategories: hidden } = site.content.settings
  const wanted = { hidden, only: null, count: OTHERS + 1, scanMax: OTHERS_SCANNED }
  const seen = await inProject(project, (db) => queries.listBefore(db, project, questionOf(undefined).from, wanted))
  return listingOf(seen, undefined, OTHERS + 1)
    .animals.filter((other) => other.id !== id)
    .slice(0, OTHERS)
}

/** Includes logos of earlier deployments, as with the style. A client that knows the digest has seen the logo. */
async function readLogo({ inProject }: PublishedPagesDeps, { project }: Published, digest: string) {
  const blob = await inProject(project, (db) => findBlob(db, project, digest))
  return blob && pageOf(blob.bytes, blob.type, true)
}
