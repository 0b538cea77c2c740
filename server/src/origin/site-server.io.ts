// `buildSiteServer` creates the HTTP server of the published sites. It accepts no key and no account: the
// Host header selects the site, and the only change a visitor can make is to reserve an animal. No
// cookie is set or read, nothing is loaded from elsewhere, and whatever happens, the response is a
// page and never that of another project.

import type { FastifyInstance } from 'fastify'
import { hostOf, slugOf, targetOf } from '../sites/pages/hosts.ts'
import { notices } from '../sites/pages/platform-pages.ts'
import { answerProbe, isProbe } from '../fleet/probe-routes.ts'
import { createSender } from '../sites/pages/send-routes.ts'
import { FORM_TYPE, createServer, type Handler, type VisitorServerSettings } from '../sites/pages/visitor-server.io.ts'
import { answerError, createSiteHandler, type SiteDeps } from './site-routes.ts'

export function buildSiteServer(deps: SiteDeps & VisitorServerSettings): FastifyInstance {
  const sender = createSender()
  const answerSite = createSiteHandler(deps, false)
  const app = createServer(deps, (request, reply) => answer(request, reply))

  const answer: Handler = (request, reply) => {
    const host = hostOf(request.raw.rawHeaders)
    if (host === undefined) return sender.notice(reply, notices.malformed)
    const target = targetOf(request.raw.url ?? '', host)
    if (target !== undefined && isProbe(target)) return answerProbe(reply, target, host, deps.probeSecret)
    const slug = target === undefined ? undefined : slugOf(host, deps.platformHost)
    if (slug === undefined || target === undefined) return sender.notice(reply, notices.unknown)
    answerSite(request, reply, { slug, host, target })
  }

  app.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, (_, body, done) => done(null, body))
  app.route({ method: ['GET', 'HEAD', 'POST'], url: '/*', handler: answer })
  app.setNotFoundHandler((_, reply) => sender.notice(reply, notices.method))
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, sender))
  return app
}
