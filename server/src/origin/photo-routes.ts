// `photoRoute` serves the files of photos, past the caches of pages: they are large, and an address never changes its
// bytes. What can change is whether the site still shows the photo, so that is read for every request: a deleted one, or
// one of an animal that is hidden, is gone at once, and a client or an edge that has the bytes already costs one small
// statement. Concurrent requests for a file share one read.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { fileNameOf, keyOfPhoto, typeOfPhoto } from '../photos/photo-file.ts'
import type { Objects } from '../foundation/objects.ts'
import { matchesEntityTag } from '../foundation/http/negotiation.ts'
import { createSharedCalls } from '../foundation/load/shared-calls.ts'
import type { InProject } from '../projects/scope.io.ts'
import type { PhotoAddress } from '../sites/pages/addresses.ts'
import { htmlPage } from '../sites/pages/page.ts'
import { missingPage } from '../sites/pages/render.ts'
import { isPhotoShown } from '../sites/pages/visitor-queries.ts'
import type { Sender } from '../sites/pages/send-routes.ts'
import type { Published } from './published-pages.io.ts'

export function photoRoute(inProject: InProject, objects: Pick<Objects, 'get'>, sender: Sender) {
  const { coalesced } = createSharedCalls()

  return async (
    { project, site }: Published,
    { digest, file }: PhotoAddress,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> => {
    const key = keyOfPhoto(digest, file)
    const { hiddenCategories } = site.content.settings
    const isShown = () => inProject(project, (db) => isPhotoShown(db, project, { digest, file, hiddenCategories }))
    const photo = { etag: etagOf(digest, fileNameOf(file)), type: typeOfPhoto(file) }
    const isKnown = matchesEntityTag(request.headers['if-none-match'], photo.etag)
    const found = isKnown
      ? (await coalesced(`${project} has ${key}`, isShown)) && 'unchanged'
      : await coalesced(`${project} ${key}`, async () => ((await isShown()) ? objects.get(project, key) : undefined))
    if (!found) return sender.once(reply, htmlPage(missingPage(site), 404))
    return sender.photo(reply, photo, found === 'unchanged' ? undefined : found)
  }
}

/** Of the address, whose bytes never change. */
const etagOf = (digest: string, name: string) => `"${digest.slice(0, 32)}-${name}"`
