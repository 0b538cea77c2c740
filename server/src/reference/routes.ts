// Serves the API reference at /docs, the pages on deprecation below it, and the files
// that tools/build-reference.ts made.

import type { FastifyPluginAsync } from 'fastify'
import { openStaticFolder, pageOf, servePage } from '../foundation/static-files.ts'
import {
  deprecationsPage,
  getPetPage,
  missingReferencePage,
  plainPolicy,
  referencePage,
  referencePolicy,
  type Bundle,
  type OpenApiLike,
} from './render.ts'

export type ReferenceDeps = {
  document: OpenApiLike
  /** The folder that tools/build-reference.ts filled. */
  assets: string
  /** Since when getPet is deprecated, in seconds; 5 December 2025 unless configured. */
  deprecatedSince?: number
}

const withPolicy = (html: string, policy: string) => pageOf(html, { 'content-security-policy': policy })

export const referenceRoutes =
  ({ document, assets, deprecatedSince = 1764892800 }: ReferenceDeps): FastifyPluginAsync =>
  async (app) => {
    const folder = await openStaticFolder(assets)
    const manifest = await folder.textOf('manifest.json')
    if (manifest === undefined) servePage(app, '/docs', withPolicy(missingReferencePage(document), plainPolicy), 503)
    else {
      const bundle = JSON.parse(manifest) as Bundle
      servePage(app, '/docs', withPolicy(referencePage(document, bundle), referencePolicy(document)))
    }
    const plain = (html: string) => withPolicy(html, plainPolicy)
    servePage(app, '/docs/deprecations', plain(deprecationsPage(document, deprecatedSince)))
    servePage(app, '/docs/deprecations/get-pet', plain(getPetPage(document, deprecatedSince)))
    folder.serve(app, '/docs/assets')
  }
