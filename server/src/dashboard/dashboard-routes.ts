// Serves the dashboard: one page at every address that is the dashboard's, and the files
// that tools/build-dashboard.ts made. The page is the same for everybody and knows
// nobody; what it shows it asks of `/platform/v1`. Which page an address means is
// decided in the browser, so an address of a project that does not exist is answered
// like any other. A new build is served after a restart, and until then the old one whole.

import { join } from 'node:path'
import type { DashboardPath } from '@petstore/contract/platform/dashboard-paths'
import type { FastifyPluginAsync } from 'fastify'
import { openStaticFolder, pageOf, servePage } from '../foundation/http/static-files.io.ts'
import { dashboardHeaders, missingHeaders, missingPage } from './render.ts'

export type DashboardDeps = {
  /** The folder that tools/build-dashboard.ts filled. */
  assets: string
}

/** What is answered below each first part. */
const addresses: Record<DashboardPath, readonly string[]> = {
  '': ['/'],
  'sign-in': ['/sign-in'],
  'sign-up': ['/sign-up'],
  invitations: ['/invitations/:secret'],
  dns: ['/dns/:secret'],
  account: ['/account'],
  projects: ['/projects', '/projects/*'],
}

export const dashboardRoutes =
  ({ assets }: DashboardDeps): FastifyPluginAsync =>
  async (app) => {
    const html = await (await openStaticFolder(assets)).textOf('index.html')
    const [page, status] =
      html === undefined ? [pageOf(missingPage, missingHeaders), 503] : [pageOf(html, dashboardHeaders), 200]
    // The router takes `*` and `http://elsewhere` for the front door; no browser asks us like that.
    app.addHook('onRequest', (request, reply, done) => {
      if (request.url.startsWith('/')) done()
      else reply.callNotFound()
    })
    for (const url of Object.values(addresses).flat()) servePage(app, url, page, status)
    const files = await openStaticFolder(join(assets, 'assets'), { isKept: true })
    files.serve(app, '/assets')
  }
