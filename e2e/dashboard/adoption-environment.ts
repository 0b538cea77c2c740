// The environment of the journey to a first adoption: an installation, and all mail, which is opened as its reader sees
// it and answered as a mail program does.

import PostalMime from 'postal-mime'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { startInbox, type Inbox } from '../../devserver/inbox.ts'
import { statement } from '../../server/src/foundation/postgres/postgres.io.ts'
import { messageFormat, openRelay } from '../../server/src/foundation/smtp/relay.io.ts'
import { readRelay } from '../../server/src/foundation/smtp/settings.ts'
import { mailFrom } from '../../testbed/harness/inbox.ts'
import { startDashboard, type Dashboard } from './browser-environment.ts'

export type AdoptionEnvironment = {
  inbox: Inbox
  dashboard: Dashboard
  picture: (name: string, of: Page) => Promise<void>
  stop: () => Promise<void>
}

/** An installation with mail, and no account. */
export async function startAdoption(picture: AdoptionEnvironment['picture']): Promise<AdoptionEnvironment> {
  const inbox = await startInbox(0)
  const settings = { SMTP_URL: inbox.smtpUrl, MAIL_FROM: 'Petstore <no-reply@petstore.example>' }
  const dashboard = await startDashboard(settings)
  const stop = async () => {
    await dashboard.close()
    await inbox.stop()
  }
  return { inbox, dashboard, picture, stop }
}

type OpenedMail = {
  subject: string
  text: string
  from: { name: string; address: string }
  /** Where a mail program sends an answer. */
  answersGoTo: string
  /** The bytes that arrived. */
  source: Buffer
}

/** Mails about a move wait for as long as it can be undone. */
const sendNow = statement<never, []>('send-now', `update due_directory set due_at = now() where kind = 'mail'`)

/** Opens the newest mail to the address, once it says so. */
export async function openMail(
  { inbox, dashboard, picture }: AdoptionEnvironment,
  page: Page,
  { to, subject, says = '' }: { to: string; subject: string; says?: string },
): Promise<OpenedMail> {
  await dashboard.database.run(sendNow)
  const { id } = await mailFrom(inbox.url, to, subject, says)
  const source = Buffer.from(await (await fetch(`${inbox.url}/${id}/eml`)).arrayBuffer())
  const mail = await PostalMime.parse(source)
  await page.goto(`${inbox.url}/${id}/html`)
  await picture(`mail to ${to}`, page)
  const { name = '', address = '' } = mail.from ?? {}
  return {
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    from: { name, address },
    answersGoTo: mail.replyTo?.[0]?.address ?? address,
    source,
  }
}

/** Sends an answer to where the mail wants it. */
export async function reply(
  { inbox }: AdoptionEnvironment,
  { subject, answersGoTo }: OpenedMail,
  { from, text }: { from: string; text: string },
): Promise<void> {
  const settings = readRelay(inbox.smtpUrl)
  if (!settings) throw new Error('no address of a relay')
  const relay = openRelay({ ...settings, roots: undefined })
  const message = {
    from: { name: '', address: from },
    to: answersGoTo,
    subject: `Re: ${subject}`,
    text,
    html: `<p>${text}</p>`,
  }
  const bytes = await messageFormat(undefined)({ id: 'answer@visitor.example', headers: {}, ...message })
  expect(await relay.send({ from, to: answersGoTo }, bytes)).toEqual({ kind: 'accepted' })
  relay.close()
}

/** The picture of a mail in docs/operations.md. */
export async function takeMailPicture(page: Page): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (!folder) return
  const large = { viewport: { width: 450, height: 420 }, deviceScaleFactor: 2 }
  const window = await page.context().browser()?.newPage(large)
  await window?.goto(page.url())
  await window?.screenshot({ path: `${folder}/mail-request.png`, fullPage: true })
  await window?.close()
}
