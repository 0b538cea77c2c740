// Reads mails and their links from the inbox of the development server, as a person would.

import { setTimeout as wait } from 'node:timers/promises'

const PATIENCE_MS = 60_000

export type InboxMail = {
  id: number
  to: string[]
  subject: string
  text: string
  headers: { name: string; value: string }[]
}

/** Waits for the newest mail to the address whose subject and text contain this; `inbox` is its URL. */
export async function mailFrom(inbox: string, email: string, subject: string, says = ''): Promise<InboxMail> {
  const until = performance.now() + PATIENCE_MS
  while (performance.now() < until) {
    const mails = (await (await fetch(`${inbox}.json`)).json()) as InboxMail[]
    const found = mails
      .filter((mail) => mail.to.includes(email) && mail.subject.includes(subject))
      .find(({ text }) => text.includes(says))
    if (found) return found
    await wait(50)
  }
  throw new Error(`no mail “${subject}” to ${email}${says && ` that says “${says}”`}`)
}

/** The secret of the newest link to this page that was mailed to the address; `inbox` is its URL. */
export async function secretFrom(inbox: string, email: string, page: string): Promise<string> {
  const until = performance.now() + PATIENCE_MS
  while (performance.now() < until) {
    const mails = (await (await fetch(`${inbox}.json`)).json()) as InboxMail[]
    const texts = mails.filter(({ to }) => to.includes(email)).map(({ text }) => text)
    const secret = texts.map((text) => text.split(`${page}#`)[1]?.slice(0, 43)).find((found) => found !== undefined)
    if (secret !== undefined) return secret
    await wait(50)
  }
  throw new Error(`no link to ${page} was mailed to ${email}`)
}
