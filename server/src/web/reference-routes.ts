// Serves the API references at /docs and /docs/platform, the pages on deprecation, and
// the files that tools/build-reference.ts generated.

import type { FastifyPluginAsync } from 'fastify'
import { openStaticFolder, pageOf, servePage } from '../foundation/http/static-files.io.ts'
import {
  deprecationsPage,
  getPetPage,
  missingReferencePage,
  plainPolicy,
  platformReference,
  referencePage,
  referencePolicy,
  v1Reference,
  type Bundle,
  type OpenApiLike,
} from './reference-page.ts'

const withPolicy = (html: string, policy: string) => pageOf(html, { 'content-security-policy': policy })

/** 5 December 2025, in seconds. */
const GET_PET_DEPRECATED = 1764892800

/**
 * For the documents of `/v1` and of `/platform/v1`; `assets` is the output folder of tools/build-reference.ts, and
 * `deprecatedSince` the start of the deprecation of getPet, in seconds.
 */
export const referenceRoutes =
  (
    document: OpenApiLike,
    platformDocument: OpenApiLike,
    assets: string,
    deprecatedSince = GET_PET_DEPRECATED,
  ): FastifyPluginAsync =>
  async (app) => {
    const folder = await openStaticFolder(assets)
    const manifest = await folder.textOf('manifest.json')
    const bundle = manifest === undefined ? undefined : (JSON.parse(manifest) as Bundle)
    const plain = (html: string) => withPolicy(html, plainPolicy)
    const shown = [
      [v1Reference, document],
      [platformReference, platformDocument],
    ] as const
    for (const [reference, shows] of shown) {
      if (bundle) {
        servePage(app, reference.path, withPolicy(referencePage(shows, bundle, reference), referencePolicy(shows)))
      } else servePage(app, reference.path, plain(missingReferencePage(shows, reference)), 503)
    }
    servePage(app, '/docs/deprecations', plain(deprecationsPage(document, deprecatedSince)))
    servePage(app, '/docs/deprecations/get-pet', plain(getPetPage(document, deprecatedSince)))
    folder.serve(app, '/docs/assets')
  }
