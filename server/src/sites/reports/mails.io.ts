// The kind of mail about a report, and what it reads when it is sent.

import { DAY_SECONDS } from '../../mail/kinds.ts'
import type { Compose, MailKinds } from '../../mail/mail-kind.ts'
import type { ProjectMailContext } from '../../projects/member-mails.io.ts'
import { reportMails } from './mails.ts'
import { findReport } from './reports.io.ts'

export const reportMailKinds = {
  site_reported: { queue: 'bulk', validSeconds: 3 * DAY_SECONDS, limit: undefined, compose: siteReported },
} satisfies MailKinds<ProjectMailContext>

function siteReported({ run, operatorEmail }: ProjectMailContext): Compose {
  return async ({ recipient }) => {
    const report = await findReport(run, recipient)
    if (!report || operatorEmail === undefined) return undefined
    const replyTo = report.contact === '' ? undefined : report.contact
    return { to: operatorEmail, mail: reportMails.site_reported(report), replyTo }
  }
}
