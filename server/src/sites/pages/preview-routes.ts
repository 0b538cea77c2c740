// The preview of a site's draft on `/platform/v1`: rendered by the same code as the site,
// with the current animals. Nothing is written and nothing is locked.

import type { PublicPhoto } from '@petstore-platform/contract/platform/photos'
import { FIRST_KIND } from '@petstore-platform/contract/platform/projects'
import { previewSite } from '@petstore-platform/contract/platform/site'
import type { FastifyInstance } from 'fastify'
import { databaseBlobs } from '../publishing/blobs.io.ts'
import { keyOfPhoto } from '../../photos/photo-file.ts'
import { findDraft } from '../publishing/site-queries.ts'
import { mount } from '../../foundation/http/operation.io.ts'
import type { Objects } from '../../foundation/objects.ts'
import type { Db } from '../../foundation/postgres/postgres.io.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { findProject } from '../../projects/project-queries.ts'
import type { Platform } from '../../projects/platform.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import { animalPage, OTHERS } from './animal-page.ts'
import { emptyForm } from './form.ts'
import { dayOf, siteOf, type Current } from './layout.ts'
import { previewOf, PREVIEWED_PHOTOS } from './preview.ts'
import { readAnimal, readHome } from './read-animals.io.ts'
import { homePage } from './render.ts'
import { readSiteFile } from './site-files.io.ts'

type ReadObjects = Pick<Objects, 'get'>

export function previewRoutes(
  app: FastifyInstance,
  { inProject, within, now, defaultSiteUrlOf }: Platform,
  objects: ReadObjects,
): void {
  mount(app, previewSite, within, async ({ caller: { project, slug }, query: { page = 'home' } }) => {
    const { site, listing, presented, logo } = await inProject(project, async (db) =>
      read(db, project, { origin: await defaultSiteUrlOf(db, slug), today: dayOf(now()) }),
    )
    if (page === 'animal' && !presented) throw new Refusal('not_found', 'The site has no animal to show yet.')
    const shown =
      page === 'animal' && presented
        ? // No token: the form cannot be sent.
          animalPage(site, presented, { form: emptyForm(''), others: listing.animals.slice(1, 1 + OTHERS) })
        : homePage(site, listing)
    const photos = await readPhotos(objects, project, [
      ...((page === 'animal' && presented?.photos) || []),
      ...listing.animals.flatMap(({ cover }) => cover ?? []),
    ])
    const { text, policy } = previewOf(shown, site, { logo, bytesOf: readSiteFile, photos })
    return { pieces: inOnePiece(text), headers: { 'Content-Security-Policy': policy } }
  })
}

async function read(db: Db, project: ProjectId, current: Omit<Current, 'kind'>) {
  const [content, row] = await Promise.all([findDraft(db, project), findProject(db, project)])
  if (!content || !row) throw new Refusal('not_found', 'No project with this slug.')
  const site = siteOf(content, { ...current, kind: row.kind ?? FIRST_KIND })
  const [listing, logo] = await Promise.all([
    readHome(db, project, site),
    content.logo === null ? undefined : databaseBlobs.get(db, project, content.logo),
  ])
  const [first] = listing.animals
  return { site, listing, presented: first && (await readAnimal(db, project, site, first.id)), logo }
}

/** The smallest variants of the first photos that a page shows, by digest. */
async function readPhotos(
  objects: ReadObjects,
  project: ProjectId,
  photos: readonly PublicPhoto[],
): Promise<Map<string, Buffer>> {
  const found = await Promise.all(
    photos.slice(0, PREVIEWED_PHOTOS).map(async ({ digest, recipe, widths: [width] }) => {
      const bytes = await objects.get(project, keyOfPhoto(digest, { recipe, width }))
      return bytes ? [[digest, bytes] as const] : []
    }),
  )
  return new Map(found.flat())
}

async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield text
}
