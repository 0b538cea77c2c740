// Every kind of mail, from the features that write them.

import { accountMailKinds, type AccountMailDeps } from '../accounts/mails.io.ts'
import { domainMailKinds } from '../domains/alerts/mails.io.ts'
import { newId } from '../foundation/ids.io.ts'
import { importMailKinds } from '../imports/mails.io.ts'
import type { SentKinds } from '../mail/jobs.io.ts'
import type { MailKind } from '../mail/mail-kind.ts'
import { mailQueue } from '../mail/queue.io.ts'
import { orderMailKinds, type OrderMailDeps } from '../orders/mails.io.ts'
import { overviewMailKinds } from '../overview/mails.io.ts'
import { planMailKinds, type PlanMailDeps } from '../plans/mails.io.ts'
import { projectMailKinds, type ProjectMailDeps } from '../projects/mails.io.ts'
import { publishingMailKinds } from '../sites/publishing/mails.io.ts'

export const mailKinds = {
  ...accountMailKinds,
  ...projectMailKinds,
  ...planMailKinds,
  ...importMailKinds,
  ...orderMailKinds,
  ...publishingMailKinds,
  ...domainMailKinds,
  ...overviewMailKinds,
}

export type MailKindName = keyof typeof mailKinds

export const isMailKind = (text: string): text is MailKindName => Object.hasOwn(mailKinds, text)

export const queueMail = mailQueue(mailKinds, newId)

export type MailDeps = AccountMailDeps & ProjectMailDeps & PlanMailDeps & OrderMailDeps

/** The kinds for a worker, each with what its feature needs. */
export const sentKinds = (deps: MailDeps): SentKinds =>
  Object.fromEntries(
    Object.entries<MailKind<MailDeps>>(mailKinds).map(([name, kind]) => [
      name,
      { ...kind, compose: kind.compose(deps) },
    ]),
  )
