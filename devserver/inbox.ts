// The inbox of `npm run dev`: a real SMTP server on loopback that keeps the newest mails in memory,
// and a page that shows them, so that every mail can be read without a relay.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { html, type Html } from '../server/src/foundation/html.ts'

const KEPT_MAX = 500
const BYTES_MAX = 1_000_000

/** As it arrived: with the recipients of its envelope, who really get it. */
type StoredMail = { id: number; receivedAt: string; to: readonly string[]; email: Promise<Email> }

type ShownMail = {
  id: number
  receivedAt: string
  to: readonly string[]
  subject: string
  text: string
  html: string
  headers: readonly { name: string; value: string }[]
}

export type Inbox = {
  smtpUrl: string
  /** The page. */
  url: string
  stop: () => Promise<void>
}

export async function startInbox(port: number): Promise<Inbox> {
  const mails: StoredMail[] = []
  let lastId = 0
  const keep = (to: readonly string[], bytes: Buffer) => {
    mails.unshift({ id: ++lastId, receivedAt: new Date().toISOString(), to, email: PostalMime.parse(bytes) })
    mails.length = Math.min(mails.length, KEPT_MAX)
  }
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: BYTES_MAX,
    disableReverseLookup: true,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        keep(
          session.envelope.rcptTo.map(({ address }) => address),
          Buffer.concat(chunks),
        )
        done()
      })
    },
  })
  // A client that goes away is no reason to end the development server.
  smtp.on('error', () => {})
  const smtpPort = await listening(smtp.server, () => smtp.listen(0, '127.0.0.1'))
  const pages = createServer((request, response) => {
    Promise.all(mails.map(shownOf)).then(
      (shown) => answer(shown, request, response),
      (error: unknown) => response.writeHead(500, { 'Content-Type': 'text/plain' }).end(String(error)),
    )
  })
  const pagePort = await listening(pages, () => pages.listen(port, '127.0.0.1'))
  return {
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    url: `http://localhost:${pagePort}/inbox`,
    async stop() {
      await Promise.all([
        new Promise<void>((resolve) => smtp.close(() => resolve())),
        new Promise<void>((resolve) => {
          pages.close(() => resolve())
          pages.closeAllConnections()
        }),
      ])
    },
  }
}

function listening(server: import('node:net').Server, start: () => void): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.once('listening', () => resolve((server.address() as AddressInfo).port))
    start()
  })
}

async function shownOf({ id, receivedAt, to, email }: StoredMail): Promise<ShownMail> {
  const { subject = '', text = '', html: page = '', headers } = await email
  const named = headers.map(({ originalKey, value }) => ({ name: originalKey, value }))
  return { id, receivedAt, to, subject, text, html: page, headers: named }
}

function answer(mails: readonly ShownMail[], { url = '/', method }: IncomingMessage, response: ServerResponse): void {
  const send = (status: number, type: string, body: string, headers: Record<string, string> = {}) =>
    response
      .writeHead(status, {
        'Content-Type': `${type}; charset=utf-8`,
        'Cache-Control': 'no-store',
        'Content-Security-Policy':
          "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'",
        ...headers,
      })
      .end(body)
  const path = url.split('?', 1)[0] ?? ''
  if (method !== 'GET' && method !== 'HEAD') return void send(405, 'text/plain', 'Only GET.\n', { Allow: 'GET, HEAD' })
  if (path === '/') return void send(302, 'text/plain', '', { Location: '/inbox' })
  if (path === '/inbox') return void send(200, 'text/html', listPage(mails).text)
  if (path === '/inbox.json') return void send(200, 'application/json', JSON.stringify(mails))
  const [, id, part] = /^\/inbox\/(\d+)(?:\/(html))?$/.exec(path) ?? []
  const mail = mails.find((one) => String(one.id) === id)
  if (!mail)
    return void send(404, 'text/plain', 'There is no such mail. Only the newest are kept, until the next start.\n')
  // In a sandbox without an origin of its own: no script runs, no form is sent, links open a new tab.
  if (part === 'html')
    return void send(200, 'text/html', mail.html, {
      'Content-Security-Policy':
        "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'",
    })
  send(200, 'text/html', mailPage(mail).text)
}

const page = (title: string, content: Html, refresh: boolean): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${refresh && html`<meta http-equiv="refresh" content="3" />`}
        <title>${title}</title>
        <style>
          :root {
            color-scheme: light dark;
          }
          body {
            max-width: 860px;
            margin: 0 auto;
            padding: 24px 16px;
            font:
              16px/1.5 system-ui,
              sans-serif;
          }
          a {
            color: inherit;
          }
          ol {
            padding: 0;
            list-style: none;
          }
          li {
            padding: 10px 0;
            border-bottom: 1px solid #8884;
          }
          small {
            display: block;
            opacity: 0.75;
          }
          iframe {
            width: 100%;
            height: 560px;
            border: 1px solid #8884;
            border-radius: 8px;
            background: #fff;
          }
          pre {
            padding: 12px;
            overflow: auto;
            border: 1px solid #8884;
            border-radius: 8px;
            white-space: pre-wrap;
            overflow-wrap: anywhere;
          }
        </style>
      </head>
      <body>
        ${content}
      </body>
    </html>`

const listPage = (mails: readonly ShownMail[]): Html =>
  page(
    'Inbox',
    html`<h1>Inbox</h1>
      <p>Mails that this development server has sent, newest first. They are kept until it stops.</p>
      ${mails.length === 0 && html`<p>No mail yet.</p>`}
      <ol>
        ${mails.map(
          ({ id, subject, to, receivedAt }) =>
            html`<li>
              <a href="/inbox/${id}">${subject}</a>
              <small>to ${to.join(', ')}, ${receivedAt}</small>
            </li>`,
        )}
      </ol>`,
    true,
  )

const mailPage = ({ id, subject, to, receivedAt, text, headers }: ShownMail): Html =>
  page(
    subject,
    html`<p><a href="/inbox">Inbox</a></p>
      <h1>${subject}</h1>
      <small>to ${to.join(', ')}, ${receivedAt}</small>
      <h2>HTML</h2>
      <iframe
        src="/inbox/${id}/html"
        title="The mail as HTML"
        sandbox="allow-popups allow-popups-to-escape-sandbox"
      ></iframe>
      <h2>Plain text</h2>
      <pre>${text}</pre>
      <h2>Headers</h2>
      <pre>${headers.map(({ name, value }) => `${name}: ${value}\n`).join('')}</pre>`,
    false,
  )
