// Serves the dashboard: one page at each of the dashboard's addresses, and the files that
// tools/build-dashboard.ts generated. The page is the same for every visitor and contains
// no personal data; it loads what it shows from `/platform/v1`. The browser routes, so an
// address of a project that does not exist gets the same response as any other. A new
// build is served after a restart, and until then the whole old one.

import { join } from 'node:path'
import type { DashboardPath } from '@petstore-platform/contract/platform/dashboard-paths'
import type { FastifyPluginAsync } from 'fastify'
import { openStaticFolder, pageOf, servePage } from '../foundation/http/static-files.io.ts'
import { dashboardHeaders, missingHeaders, missingPage } from './dashboard-page.ts'

/** The routes below each first path segment. */
const addresses: Record<DashboardPath, readonly string[]> = {
  '': ['/'],
  'sign-in': ['/sign-in'],
  'sign-in-link': ['/sign-in-link'],
  'sign-up': ['/sign-up'],
  recovery: ['/recovery'],
  secure: ['/secure'],
  'confirm-email': ['/confirm-email'],
  'undo-email': ['/undo-email'],
  invitations: ['/invitations'],
  unsubscribe: ['/unsubscribe/:token'],
  dns: ['/dns/:secret'],
  account: ['/account'],
  projects: ['/projects', '/projects/*'],
}

/** `assets`: the output folder of tools/build-dashboard.ts. */
export const dashboardRoutes =
  (assets: string): FastifyPluginAsync =>
  async (app) => {
    const html = await (await openStaticFolder(assets)).textOf('index.html')
    const [page, status] =
      html === undefined ? [pageOf(missingPage, missingHeaders), 503] : [pageOf(html, dashboardHeaders), 200]
    // The router maps `*` and `http://elsewhere` to the front page; no browser sends such targets.
    app.addHook('onRequest', (request, reply, done) => {
      if (request.url.startsWith('/')) done()
      else reply.callNotFound()
    })
    for (const url of Object.values(addresses).flat()) servePage(app, url, page, status)
    const files = await openStaticFolder(join(assets, 'assets'), { isKept: true })
    files.serve(app, '/assets')
  }
