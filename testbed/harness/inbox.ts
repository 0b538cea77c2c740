// Reads a mailed link from the inbox of the development server, as a person would.

import { setTimeout as wait } from 'node:timers/promises'

const PATIENCE_MS = 60_000

/** The secret of the newest link to this page that was mailed to the address; `inbox` is its URL. */
export async function secretFrom(inbox: string, email: string, page: string): Promise<string> {
  const until = performance.now() + PATIENCE_MS
  while (performance.now() < until) {
    const mails = (await (await fetch(`${inbox}.json`)).json()) as { text: string; to: string[] }[]
    const texts = mails.filter(({ to }) => to.includes(email)).map(({ text }) => text)
    const secret = texts.map((text) => text.split(`${page}#`)[1]?.slice(0, 43)).find((found) => found !== undefined)
    if (secret !== undefined) return secret
    await wait(50)
  }
  throw new Error(`no link to ${page} was mailed to ${email}`)
}
