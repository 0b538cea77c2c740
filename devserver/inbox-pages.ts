// The pages of the inbox of `npm run dev`, in the look of the dashboard. Pure, but for the colours, which are those of
// the dashboard's own style sheet.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { html, type Html } from '../server/src/foundation/html.ts'
import { mark } from '../server/src/sites/pages/platform-pages.ts'

export type ShownMail = {
  id: number
  receivedAt: string
  to: readonly string[]
  subject: string
  text: string
  html: string
  headers: readonly { name: string; value: string }[]
  /** The names of the files in it. */
  attached: readonly string[]
}

const tokens = readFileSync(join(import.meta.dirname, '../dashboard/src/ui/tokens.css'), 'utf8')

export const inboxStyle = `${tokens}
:root { color-scheme: light dark }
body { max-width: 56rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 Figtree, system-ui, sans-serif; overflow-wrap: anywhere }
header { display: flex; align-items: center; gap: .6rem; margin-bottom: 1.5rem; font-weight: 700; letter-spacing: -.02em }
h1 { margin: 0 0 .25rem; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.02em }
h2 { margin: 0; font-size: 1.05rem }
a { color: var(--brand-ink); text-underline-offset: .2em }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px }
.quiet { margin: 0 0 1.25rem; color: var(--quiet) }
.card { margin: 0 0 1rem; padding: 0; overflow: hidden; border-radius: 1rem; background: var(--paper); box-shadow: 0 0 0 1px var(--line); list-style: none }
.card > * { padding: .9rem 1.25rem }
.card li { position: relative; border-top: 1px solid var(--line) }
.card li:first-child { border-top: 0 }
.card li:hover { background: var(--sunken) }
.card li a { color: inherit; font-weight: 600; text-decoration: none }
.card li a::after { content: ''; position: absolute; inset: 0 }
small { display: block; color: var(--quiet); font-size: .875rem }
summary { cursor: pointer; font-weight: 600 }
iframe { display: block; width: 100%; height: 36rem; padding: 0; border: 0; border-top: 1px solid var(--line); background: #fff }
pre { margin: .75rem 0 0; font: .8125rem/1.55 ui-monospace, monospace; white-space: pre-wrap }
header svg { width: 28px; height: 28px } .house { fill: var(--brand) } .eye { fill: var(--ground) } .heart { fill: var(--accent) }
`

const page = (title: string, content: Html, refresh: boolean): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${refresh && html`<meta http-equiv="refresh" content="3" />`}
        <title>${title}</title>
        <link rel="stylesheet" href="/inbox.css" />
      </head>
      <body>
        <header>${mark} Petstore</header>
        <main>${content}</main>
      </body>
    </html>`

const meta = ({ to, receivedAt }: ShownMail): Html =>
  html`<small
    >To ${to.join(', ')} · <time datetime="${receivedAt}">${receivedAt.slice(0, 19).replace('T', ' ')}</time></small
  >`

export const listPage = (mails: readonly ShownMail[]): Html =>
  page(
    'Inbox',
    html`<h1>Inbox</h1>
      <p class="quiet">Mails that this development server has sent, newest first. They are kept until it stops.</p>
      ${
        mails.length === 0
          ? html`<p class="card"><span>No mail yet.</span></p>`
          : html`<ol class="card">
              ${mails.map((mail) => html`<li><a href="/inbox/${mail.id}">${mail.subject}</a> ${meta(mail)}</li>`)}
            </ol>`
      }`,
    true,
  )

export const mailPage = (mail: ShownMail): Html =>
  page(
    mail.subject,
    html`<p class="quiet"><a href="/inbox">← Inbox</a></p>
      <h1>${mail.subject}</h1>
      <p class="quiet">
        ${meta(mail)}
        <a href="/inbox/${mail.id}/eml">Open in a mail program</a>${
          mail.attached.length > 0 && html`, with ${mail.attached.join(', ')}`
        }
      </p>
      <section class="card">
        <h2>As HTML</h2>
        <iframe
          src="/inbox/${mail.id}/html"
          title="The mail as HTML"
          sandbox="allow-popups allow-popups-to-escape-sandbox"
        ></iframe>
      </section>
      <section class="card">
        <details open>
          <summary>As plain text</summary>
          <pre>${mail.text}</pre>
        </details>
      </section>
      <section class="card">
        <details>
          <summary>Headers</summary>
          <pre>${mail.headers.map(({ name, value }) => `${name}: ${value}\n`).join('')}</pre>
        </details>
      </section>`,
    false,
  )
