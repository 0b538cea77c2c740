// The inbox of `npm run dev`: a real SMTP server on loopback that keeps the newest mails in memory,
// and a page that shows them, so that every mail can be read without a relay.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { inboxStyle, listPage, mailPage, type ShownMail } from './inbox-pages.ts'

const KEPT_MAX = 500
const BYTES_MAX = 1_000_000

/** As it arrived: with the recipients of its envelope, who really get it. */
type StoredMail = { id: number; receivedAt: string; to: readonly string[]; bytes: Buffer; email: Promise<Email> }

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
    mails.unshift({ id: ++lastId, receivedAt: new Date().toISOString(), to, bytes, email: PostalMime.parse(bytes) })
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
      (shown) => answer(shown, (id) => mails.find((mail) => mail.id === id)?.bytes, request, response),
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
  const { subject = '', text = '', html: page = '', headers, attachments } = await email
  const named = headers.map(({ originalKey, value }) => ({ name: originalKey, value }))
  const attached = attachments.map(({ filename }) => filename ?? '')
  return { id, receivedAt, to, subject, text, html: page, headers: named, attached }
}

function answer(
  mails: readonly ShownMail[],
  bytesOf: (id: number) => Buffer | undefined,
  { url = '/', method }: IncomingMessage,
  response: ServerResponse,
): void {
  const send = (status: number, type: string, body: string | Buffer, headers: Record<string, string> = {}) =>
    response
      .writeHead(status, {
        'Content-Type': `${type}; charset=utf-8`,
        'Cache-Control': 'no-store',
        'Content-Security-Policy':
          "default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'",
        ...headers,
      })
      .end(body)
  const path = url.split('?', 1)[0] ?? ''
  if (method !== 'GET' && method !== 'HEAD') return void send(405, 'text/plain', 'Only GET.\n', { Allow: 'GET, HEAD' })
  if (path === '/') return void send(302, 'text/plain', '', { Location: '/inbox' })
  if (path === '/inbox') return void send(200, 'text/html', listPage(mails).text)
  if (path === '/inbox.css') return void send(200, 'text/css', inboxStyle)
  if (path === '/inbox.json') return void send(200, 'application/json', JSON.stringify(mails))
  const [, id, part] = /^\/inbox\/(\d+)(?:\/(html|eml))?$/.exec(path) ?? []
  const mail = mails.find((one) => String(one.id) === id)
  if (!mail)
    return void send(404, 'text/plain', 'There is no such mail. Only the newest are kept, until the next start.\n')
  // In a sandbox without an origin of its own: no script runs, no form is sent, links open a new tab.
  if (part === 'html')
    return void send(200, 'text/html', mail.html, {
      'Content-Security-Policy':
        "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'",
    })
  // For a mail program, which opens what is attached.
  if (part === 'eml')
    return void send(200, 'message/rfc822', bytesOf(mail.id) ?? '', {
      'Content-Disposition': `attachment; filename="${id}.eml"`,
    })
  send(200, 'text/html', mailPage(mail).text)
}
