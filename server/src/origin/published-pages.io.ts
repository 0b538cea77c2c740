// `createPublishedPages` serves published sites from a cache of less than a second. Two things are
// cached, each for less than half a second: the published site of a slug, and each of its pages,
// rendered. So nothing is ever shown that was not true a second ago, however many visitors there
// are, and a popular page is rendered twice a second. Where an edge caches the page once more, both
// are cached here for half as long.
//
// Sites take turns at rendering, by the processor time that it takes: a site whose pages are expensive delays its own.
//
// The canonical address of a page is under the project's primary domain while that serves visitors,
// otherwise under its default address.

import { FIRST_KIND } from '@petstore-platform/contract/platform/projects'
import { currentContent, findBlob, type CurrentContent } from '../sites/publishing/deployment-queries.ts'
import { contentJson, digestOf, withNewCategories, type ShownAnimal } from '../sites/publishing/content.ts'
import { categoriesOf } from '../sites/publishing/site-queries.ts'
import { siteOrigin } from '../domains/store/settings-queries.ts'
import { BoundedMap } from '../foundation/load/bounded-map.ts'
import { FreshCache } from '../foundation/load/cache.ts'
import type { Html } from '../foundation/html.ts'
import { workInTurns } from '../foundation/load/fair-queue.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import type { Clock } from '../foundation/time.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import { hasVerifiedOwner } from '../orders/visitor-mails.io.ts'
import type { OrderMailKind } from '../orders/write-step.io.ts'
import type { DefaultOriginOf } from '../platform-names/site-address.io.ts'
import { findPlace } from '../projects/directory.io.ts'
import { findProject } from '../projects/project-queries.ts'
import type { InProject, ProjectId } from '../projects/scope.io.ts'
import {
  allAnimals,
  animalAt,
  categoryAt,
  home,
  hrefOf,
  printAt,
  type Address,
  type Target,
} from '../sites/pages/addresses.ts'
import { animalPage } from '../sites/pages/animal-page.ts'
import { noFilters, type Filters } from '../sites/pages/filters.ts'
import { emptyForm } from '../sites/pages/form.ts'
import { tokenAt } from '../sites/pages/csrf-token.io.ts'
import { dayOf, siteIn, siteOf, type Current, type RenderedSite } from '../sites/pages/layout.ts'
import { animalsPage, categoryPage } from '../sites/pages/list-page.ts'
import { htmlPage, movedPage, pageOf, type Page } from '../sites/pages/page.ts'
import { readAnimal, readAnimals, readHome, readList, readOthers } from '../sites/pages/read-animals.io.ts'
import { printPage, sheetOf, sheetsPage } from '../sites/pages/print-page.ts'
import { privacyPage } from '../sites/pages/privacy-page.ts'
import { reportedPage, reportPage } from '../sites/pages/report-page.ts'
import { robots, sitemap, SITEMAP_ANIMALS_MAX } from '../sites/pages/sitemap.ts'
import { secretOf } from '../sites/pages/visitor-queries.ts'
import * as render from '../sites/pages/render.ts'
import { readSiteFile } from '../sites/pages/site-files.io.ts'
import { typeOfFile } from '../sites/pages/site-files.ts'
import { styleOf } from '../sites/looks/style.ts'

/** The result of looking up a slug. */
export type SiteLookup =
  | { kind: 'unknown' }
  | { kind: 'unpublished' }
  | { kind: 'suspended' }
  | { kind: 'published'; slug: string; project: ProjectId; site: RenderedSite; secret: Buffer }

export type Published = Extract<SiteLookup, { kind: 'published' }>

export type PublishedPagesDeps = {
  run: Db
  inProject: InProject
  now: Clock
  monotonic: () => number
  randomBytes: (count: number) => Uint8Array
  /** Scheme, host and port of the default address of the site with this slug. */
  originOf: DefaultOriginOf
  /** Undefined if this installation sends no mail. */
  queueMail?: QueueMail<'request_confirm' | OrderMailKind | 'site_reported'> | undefined
  /** Who gets reports about sites; undefined if there are none. */
  operatorEmail?: string | undefined
  limits: Readonly<{ visitorDataDays: number }>
}

export type PublishedPages = ReturnType<typeof createPublishedPages>

/** Renders a page when it is the turn of its site. */
type InTurn = <Rendered>(published: Published, render: () => Rendered) => Promise<Rendered>

const LOOKUPS_MAX = 10_000
const PAGES_MAX = 1000

/** Each is cached for `holdMs`. */
export function createPublishedPages(deps: PublishedPagesDeps, holdMs: number) {
  const { monotonic: now } = deps
  const work = workInTurns(now)
  const inTurn: InTurn = ({ project }, render) => work(String(project), render)
  const lookups = new FreshCache<SiteLookup>({ holdMs, countMax: LOOKUPS_MAX, now })
  const pages = new FreshCache<Page>({ holdMs, countMax: PAGES_MAX, now })
  const keyOf = ({ slug }: Published, { language, address }: Target) =>
    `${slug} ${address === undefined ? `?${language ?? ''}` : hrefOf(address, language)}`

  return {
    placeOf: (slug: string): SiteLookup | Promise<SiteLookup | undefined> =>
      lookups.peek(slug) ?? lookups.get(slug, () => readLookup(deps, slug)),
    pageOf: (published: Published, target: Target): Page | Promise<Page | undefined> => {
      const key = keyOf(published, target)
      return pages.peek(key) ?? pages.get(key, () => readPage(deps, inTurn, published, target))
    },
    /** Past the cache, for addresses of which there are more than it has room for. */
    pageNow: (published: Published, target: Target): Promise<Page> => readPage(deps, inTurn, published, target),
    /** For pages that are not cached. */
    inTurn,
    /** The canonical origin of the site at this moment. */
    originNow: ({ project, slug }: Published): Promise<string> =>
      deps.inProject(project, async (db) => siteOrigin(db, project, await deps.originOf(db, slug))),
    /** The published site has changed: the next request reads it. */
    forgetPlace: (slug: string): void => lookups.forget(slug),
    /** The current animal; undefined if it is not shown on the site. */
    animalOf: (published: Published, id: bigint) =>
      deps.inProject(published.project, (db) => readAnimal(db, published.project, published.site, id)),
    /** An animal has changed: the next visitor gets its current state. */
    forget(published: Published, animal: ShownAnimal): void {
      for (const language of [undefined, ...published.site.content.settings.languages]) {
        for (const address of [animalAt(animal), home, allAnimals])
          pages.forget(keyOf(published, { language, address }))
      }
    },
  }
}

async function readLookup(
  { run, inProject, randomBytes, originOf, queueMail, operatorEmail, now }: PublishedPagesDeps,
  slug: string,
): Promise<SiteLookup> {
  const place = await findPlace(run, slug)
  if (!place) return { kind: 'unknown' }
  if (place.isSuspended) return { kind: 'suspended' }
  const { project } = place
  const isMailing = queueMail !== undefined && (await hasVerifiedOwner(run, inProject, project))
  return inProject(project, async (db) => {
    const [row, current, origin, named] = await Promise.all([
      findProject(db, project),
      currentContent(db, project),
      originOf(db, slug).then((address) => siteOrigin(db, project, address)),
      categoriesOf(db, project),
    ])
    if (!row || !current) return { kind: 'unpublished' }
    const secret = await secretOf(db, project, randomBytes(32))
    return {
      kind: 'published',
      slug,
      project,
      site: siteFor(withNamed(current, named), {
        origin,
        kind: row.kind ?? FIRST_KIND,
        today: dayOf(now()),
        isMailing,
        isReportable: queueMail !== undefined && operatorEmail !== undefined,
      }),
      secret,
    }
  })
}

function withNamed(current: CurrentContent, named: RenderedSite['categories']): CurrentContent {
  const content = withNewCategories(current.content, named)
  return content === current.content ? current : { ...current, content, digest: digestOf(contentJson(content)) }
}

// Published content changes seldom and is requested often: its style and its names are computed
// once.
const SITES_MAX = 2000
const sites = new BoundedMap<string, RenderedSite>({ countMax: SITES_MAX })

function siteFor({ digest, content }: CurrentContent, current: Current): RenderedSite {
  const key = `${digest} ${current.origin} ${current.kind} ${current.today} ${current.isMailing} ${current.isReportable}`
  const known = sites.get(key)
  if (known) return known
  const site = siteOf(content, current)
  sites.set(key, site)
  return site
}

/** A category that the site does not show is ignored, like any other unknown value. */
const knownFilters = ({ nameOf }: RenderedSite, filters: Filters): Filters =>
  filters.kind === undefined || nameOf(filters.kind) !== undefined ? filters : { ...filters, kind: undefined }

async function readPage(
  deps: PublishedPagesDeps,
  inTurn: InTurn,
  published: Published,
  { language, address }: Target,
): Promise<Page> {
  const { site } = published
  // The main language has no code, and may have become the main one only now.
  if (language === site.language && address) return movedPage(site.href(address.kind === 'code' ? home : address))
  const spoken = siteIn(site, language)
  const page = spoken && address && (await pageAt(deps, inTurn, { ...published, site: spoken }, address))
  return page ?? htmlPage(render.missingPage(spoken ?? site), 404)
}

async function pageAt(
  deps: PublishedPagesDeps,
  inTurn: InTurn,
  published: Published,
  address: Address,
): Promise<Page | undefined> {
  const { site, secret, project } = published
  const read = <T>(work: (db: Db) => Promise<T>) => deps.inProject(project, work)
  const rendered = (draw: () => Html) => inTurn(published, () => htmlPage(draw()))
  switch (address.kind) {
    case 'home': {
      const listing = await read((db) => readHome(db, project, site))
      return rendered(() => render.homePage(site, listing))
    }
    case 'animals': {
      const shown = { ...address, filters: knownFilters(site, address.filters) }
      const listing = await read((db) => readList(db, project, site, shown))
      return rendered(() => animalsPage(site, shown, listing))
    }
    case 'former home':
      return movedPage(site.href({ kind: 'animals', filters: noFilters, span: address.span }))
    case 'code':
      return movedPage(site.href(home))
    case 'category':
    case 'former category': {
      const { id, span } = address
      const name = site.nameOf(id)
      if (name === undefined) return undefined
      const current = categoryAt({ id, name }, span)
      if (site.href(current) !== site.href(address)) return movedPage(site.href(current))
      const asked = { filters: { ...noFilters, kind: id }, span }
      const listing = await read((db) => readList(db, project, site, asked))
      return rendered(() => categoryPage(site, { id, name, span }, listing))
    }
    case 'animal':
    case 'former animal': {
      const animal = await read((db) => readAnimal(db, project, site, address.id))
      if (!animal) return undefined
      const current = site.href(animalAt(animal))
      if (current !== site.href(address)) return movedPage(current)
      const token = tokenAt({ secret, project, of: address.id }, deps.now())
      const others = await read((db) => readOthers(db, project, site, animal.id))
      return rendered(() => animalPage(site, animal, { form: emptyForm(token), others }))
    }
    case 'print': {
      const animal = await read((db) => readAnimal(db, project, site, address.id))
      if (!animal) return undefined
      const current = site.href(printAt(animal))
      return current === site.href(address) ? rendered(() => printPage(site, animal)) : movedPage(current)
    }
    case 'sheets': {
      const shown = await read((db) => readAnimals(db, project, site, address.ids))
      // Each in a turn of its own: a QR code takes longer than everything else of a page.
      const sheets = await Promise.all(shown.map((animal) => inTurn(published, () => sheetOf(site, animal))))
      return sheets.length === 0 ? undefined : rendered(() => sheetsPage(site, sheets))
    }
    case 'thanks': {
      const { id } = address
      const animal = id === undefined ? undefined : await read((db) => readAnimal(db, project, site, id))
      return rendered(() => render.thanksPage(site, animal))
    }
    case 'report':
    case 'reported':
      return reportPageAt(deps, published, address.kind)
    case 'privacy':
      return htmlPage(privacyPage(site, { keptDays: deps.limits.visitorDataDays }))
    case 'sitemap': {
      const asked = { span: undefined, size: SITEMAP_ANIMALS_MAX }
      const { animals } = await read((db) => readList(db, project, site, asked))
      return inTurn(published, () => pageOf(sitemap(site, animals).text, 'application/xml; charset=utf-8'))
    }
    case 'robots':
      return pageOf(robots(site), 'text/plain; charset=utf-8')
    case 'favicon':
      return pageOf(render.favicon(site).text, 'image/svg+xml; charset=utf-8')
    case 'style':
      return styleAt(address)
    case 'photo':
    case 'confirmation':
    case 'status':
      // Served past this cache.
      return undefined
    case 'logo':
      return read((db) => readLogo(db, project, address.digest))
    case 'file':
      return pageOf(readSiteFile(address.file), typeOfFile(address.file), true)
  }
}

function reportPageAt(
  { now }: Pick<PublishedPagesDeps, 'now'>,
  { site, secret, project }: Published,
  kind: 'report' | 'reported',
): Page | undefined {
  if (!site.isReportable) return undefined
  const token = tokenAt({ secret, project, of: 'report' }, now())
  return htmlPage(kind === 'report' ? reportPage(site, { token }) : reportedPage(site))
}

/** Not only the current one: a page that was loaded a moment before a deployment requests its own. */
function styleAt({ color, look, digest }: Extract<Address, { kind: 'style' }>): Page | undefined {
  const style = styleOf(`#${color}`, look)
  return style.digest === digest ? pageOf(style.css, 'text/css; charset=utf-8', true) : undefined
}

/** Includes logos of earlier deployments, as with the style. A client that knows the digest has seen the logo. */
async function readLogo(db: Db, project: ProjectId, digest: string) {
  const blob = await findBlob(db, project, digest)
  return blob && pageOf(blob.bytes, blob.type, true)
}
