// Every kind of mail, from the features that write them.

import { accountMailKinds, type AccountMailContext } from '../accounts/mails.io.ts'
import { domainMailKinds } from '../domains/alerts/mails.io.ts'
import { newId } from '../foundation/ids.io.ts'
import { importMailKinds } from '../imports/mails.io.ts'
import type { SentKinds } from '../mail/jobs.io.ts'
import type { MailKind } from '../mail/mail-kind.ts'
import { mailQueue } from '../mail/queue.io.ts'
import type { OrderMailContext } from '../orders/confirmation-mail.io.ts'
import { orderMailKinds } from '../orders/mails.io.ts'
import { overviewMailKinds } from '../overview/mails.io.ts'
import { planMailKinds } from '../plans/mails.io.ts'
import { projectMailKinds } from '../projects/mails.io.ts'
import { publishingMailKinds } from '../sites/publishing/mails.io.ts'
import { reportMailKinds } from '../sites/reports/mails.io.ts'

export const mailKinds = {
  ...accountMailKinds,
  ...projectMailKinds,
  ...planMailKinds,
  ...importMailKinds,
  ...orderMailKinds,
  ...publishingMailKinds,
  ...reportMailKinds,
  ...domainMailKinds,
  ...overviewMailKinds,
}

export type MailKindName = keyof typeof mailKinds

export const isMailKind = (text: string): text is MailKindName => Object.hasOwn(mailKinds, text)

export const queueMail = mailQueue(mailKinds, newId)

/** The kinds for a worker, each with what its feature needs. */
export const sentKinds = (context: AccountMailContext & OrderMailContext): SentKinds =>
  Object.fromEntries(
    Object.entries<MailKind<typeof context>>(mailKinds).map(([name, kind]) => [
      name,
      { ...kind, compose: kind.compose(context) },
    ]),
  )
