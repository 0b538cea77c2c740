// The preview of a site's draft on `/platform/v1`: rendered by the same code as the site,
// with the current animals. Nothing is written and nothing is locked.

import { previewSite } from '@petstore/contract/platform/site'
import type { FastifyInstance } from 'fastify'
import { databaseBlobs } from '../deployments/blobs.io.ts'
import { findDraft } from '../deployments/site-queries.ts'
import { mount } from '../foundation/http/operation.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { PlatformDeps } from '../projects/platform-deps.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { emptyForm } from './form.ts'
import { siteOf } from './layout.ts'
import { countsOf, listingOf, questionOf } from './listing.ts'
import { previewOf } from './preview.ts'
import * as queries from './visitor-queries.ts'
import * as render from './render.ts'
import { readSiteFile } from './site-files.io.ts'

const OTHERS = 4

export function previewRoutes(app: FastifyInstance, { inProject, within, defaultSiteUrlOf }: PlatformDeps): void {
  mount(app, previewSite, within, async ({ caller: { project, slug }, query: { page = 'home' } }) => {
    const { content, seen, counted, logo } = await inProject(project, (db) => read(db, project))
    const site = siteOf(content, defaultSiteUrlOf(slug))
    const counts = countsOf(counted, site.isHidden, queries.COUNTED_MAX)
    const listing = { ...listingOf(seen, undefined, render.PAGE_SIZE), counts }
    const [animal] = listing.animals
    if (page === 'animal' && !animal) throw new Refusal('not_found', 'The site has no animal to show yet.')
    const shown =
      page === 'animal' && animal
        ? // No token: the form cannot be sent.
          render.animalPage(site, animal, { form: emptyForm(''), others: listing.animals.slice(1, 1 + OTHERS) })
        : render.homePage(site, listing, true)
    const { text, policy } = previewOf(shown, site, { logo, bytesOf: readSiteFile })
    return { pieces: inOnePiece(text), headers: { 'Content-Security-Policy': policy } }
  })
}

async function read(db: Db, project: ProjectId) {
  const content = await findDraft(db, project)
  if (!content) throw new Refusal('not_found', 'No project with this slug.')
  // One more than is shown, to detect whether there is another page.
  const wanted = { hidden: content.settings.hiddenCategories, only: null, count: render.PAGE_SIZE + 1 }
  const [seen, counted, logo] = await Promise.all([
    queries.listBefore(db, project, questionOf(undefined).from, wanted),
    queries.countByCategory(db, project),
    content.logo === null ? undefined : databaseBlobs.get(db, project, content.logo),
  ])
  return { content, seen, counted, logo }
}

async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield text
}
