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

export type ReferenceDeps = {
  /** Of `/v1`. */
  document: OpenApiLike
  /** Of `/platform/v1`. */
  platformDocument: OpenApiLike
  /** The output folder of tools/build-reference.ts. */
  assets: string
  /** The start of the deprecation of getPet, in seconds; 5 December 2025 unless configured. */
  deprecatedSince?: number
}

const withPolicy = (html: string, policy: string) => pageOf(html, { 'content-security-policy': policy })

export const referenceRoutes =
  ({ document, platformDocument, assets, deprecatedSince = 1764892800 }: ReferenceDeps): FastifyPluginAsync =>
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
