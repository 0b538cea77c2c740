// `reportRoute` handles the form with which a visitor reports a site. It becomes a mail to the operator. How many there can
// be is bounded three times, so that neither a visitor nor a crowd at one site can fill the operator's mailbox: by the
// visitor's limit for forms, for each site, and for the installation.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressGroup } from '../foundation/address-group.ts'
import { exactLimit } from '../foundation/load/rate-limit.io.ts'
import { DAY, SECOND } from '../foundation/time.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import { REPORTS_PER_DAY } from '../plans/retention.ts'
import type { Target } from '../sites/pages/addresses.ts'
import { isForeign, isTokenGood, tokenAt } from '../sites/pages/csrf-token.io.ts'
import { readForm, type SentForm } from '../sites/pages/form.ts'
import { siteIn } from '../sites/pages/layout.ts'
import { htmlPage } from '../sites/pages/page.ts'
import { notices } from '../sites/pages/platform-pages.ts'
import { reportMistakesOf, reportPage, type ReportMistakes } from '../sites/pages/report-page.ts'
import { insertReport } from '../sites/reports/reports.io.ts'
import type { Published } from './published-pages.io.ts'
import { formLimit, sentFrom, type ReserveDeps } from './reserve-routes.ts'

export type ReportDeps = Omit<ReserveDeps, 'queueMail'> & {
  queueMail?: QueueMail<'site_reported'> | undefined
  newId: (kind: string) => string
}

const PER_SITE = 5
const windowSeconds = DAY / SECOND

export function reportRoute(deps: ReportDeps) {
  const { sender, queueMail, newId } = deps
  const perVisitor = formLimit(deps)
  const perSite = exactLimit(deps, 'report_site', { name: 'site', points: PER_SITE, windowSeconds })
  const perInstallation = exactLimit(deps, 'report', { name: 'installation', points: REPORTS_PER_DAY, windowSeconds })

  return async (
    found: Published,
    { language }: Target,
    host: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> => {
    const published = { ...found, site: siteIn(found.site, language) ?? found.site }
    const { slug, project, secret, site } = published
    if (!site.isReportable || !queueMail) return sender.notice(reply, notices.method)
    if (isForeign(sentFrom(request, host))) return sender.notice(reply, notices.foreign)
    const sent = readForm(typeof request.body === 'string' ? request.body : '')
    const form = { secret, project, of: 'report' } as const

    const showAgain = (status: number, mistakes: ReportMistakes, retryAfter?: number): void => {
      const headers: Record<string, string> = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }
      const page = reportPage(site, { token: tokenAt(form, deps.now()), typed: sent, mistakes })
      sender.once(reply, htmlPage(page, status), headers)
    }
    const usage = await perVisitor.use(addressGroup(deps.visitorOf(request)))
    if (usage.isOver) return showAgain(429, { notice: 'busy' }, usage.resetSeconds)
    const mistakes = isOurs(sent, isTokenGood(form, sent.token, deps.now())) ? reportMistakesOf(sent) : stale
    if (mistakes) return showAgain(422, mistakes)
    for (const [limit, key] of [
      [perSite, slug],
      [perInstallation, ''],
    ] as const) {
      const share = await limit.use(key)
      if (share.isOver) return showAgain(429, { notice: 'many' }, share.resetSeconds)
    }
    await deps.inProject(project, async (db) => {
      const id = newId('rep')
      await insertReport(db, id, slug, host, sent.message, sent.contact)
      await queueMail(db, { kind: 'site_reported', recipient: id })
    })
    sender.onward(reply, site.href({ kind: 'reported' }))
  }
}

const stale: ReportMistakes = { notice: 'stale' }

const isOurs = ({ trap }: SentForm, isFromUs: boolean): boolean => isFromUs && trap === ''
