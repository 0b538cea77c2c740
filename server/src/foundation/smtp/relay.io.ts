// The relay: hands messages to the SMTP server of the operator. The only file that imports
// nodemailer, which formats and signs messages and speaks SMTP. Connections are reused while
// there is something to send. No attempt outlives its deadline, whatever the server does.

import { onDemand } from '../on-demand.ts'
import type { Secret } from '../secret.ts'
import { outcomeOf, type SmtpError, type SmtpOutcome } from './outcome.ts'

export type RelaySettings = Readonly<{
  host: string
  port: number
  /** `implicit` from the first byte; `starttls` or nothing is sent; `none` only to this machine. */
  tls: 'implicit' | 'starttls' | 'none'
  user: string | undefined
  password: Secret | undefined
  /** Root certificates (PEM) besides the public ones. */
  roots: string | undefined
}>

export type Dkim = Readonly<{ domain: string; selector: string; key: Secret }>

export type MailAddress = { name: string; address: string }

export type Attachment = { name: string; type: string; content: string }

export type Message = {
  id: string
  from: MailAddress
  to: string
  /** Where a reply goes, if not to the sender. */
  replyTo?: string | undefined
  subject: string
  text: string
  html: string
  attachment?: Attachment | undefined
  headers: Readonly<Record<string, string>>
}

export type Envelope = { from: string; to: string }

export type RelayTimeouts = { connectMs: number; greetingMs: number; idleMs: number; attemptMs: number }

export const relayTimeouts: RelayTimeouts = {
  connectMs: 10_000,
  greetingMs: 10_000,
  idleMs: 30_000,
  attemptMs: 60_000,
}

/** An unused connection is closed long before a server would close it. */
const UNUSED_MS = 5000

export type Relay = {
  /** Never throws: every failure is an outcome. */
  send: (envelope: Envelope, bytes: Buffer) => Promise<SmtpOutcome>
  close: () => void
}

type ConnectionClass = typeof import('nodemailer/lib/smtp-connection').default
type Connection = InstanceType<ConnectionClass>

const nodemailer = onDemand('nodemailer')
const connections = onDemand('nodemailer/lib/smtp-connection')

export function openRelay(settings: RelaySettings, timeouts: RelayTimeouts = relayTimeouts): Relay {
  const unused = new Map<Connection, NodeJS.Timeout>()

  const takeUnused = (): Connection | undefined => {
    const [connection, timer] = unused.entries().next().value ?? []
    clearTimeout(timer)
    if (connection) unused.delete(connection)
    return connection
  }
  const keep = (connection: Connection) => {
    const close = () => {
      unused.delete(connection)
      connection.quit()
    }
    unused.set(connection, setTimeout(close, UNUSED_MS).unref())
  }

  const attempt = (envelope: Envelope, bytes: Buffer) =>
    new Promise<SmtpOutcome>((resolve) => {
      const reused = takeUnused()
      const connection = reused ?? new (connections())(optionsOf(settings, timeouts))
      const end = (outcome: SmtpOutcome) => {
        clearTimeout(deadline)
        connection.removeAllListeners('error')
        // No caller waits for it any more, and an error event without a listener would end the process.
        connection.on('error', () => connection.close())
        if (outcome.kind === 'accepted') keep(connection)
        else connection.close()
        resolve(outcome)
      }
      let isSending = false
      const fail = (error: SmtpError) => end(outcomeOf(error, isSending))
      const deadline = setTimeout(() => fail({ code: 'ETIMEDOUT' }), timeouts.attemptMs)
      connection.removeAllListeners('error')
      connection.on('error', fail)
      const send = () => {
        isSending = true
        connection.send(envelope, bytes, (error) => (error ? fail(error) : end({ kind: 'accepted' })))
      }
      if (reused) send()
      else connection.connect((error) => (error ? fail(error) : signIn(connection, settings, fail, send)))
    })

  return {
    send: attempt,
    close() {
      for (const [connection, timer] of unused) {
        clearTimeout(timer)
        connection.quit()
      }
      unused.clear()
    },
  }
}

function signIn(
  connection: Connection,
  { user, password }: RelaySettings,
  fail: (error: SmtpError) => void,
  done: () => void,
): void {
  if (user === undefined) return done()
  connection.login({ user, pass: password?.reveal() ?? '' }, (error) => (error ? fail(error) : done()))
}

const optionsOf = ({ host, port, tls, roots }: RelaySettings, { connectMs, greetingMs, idleMs }: RelayTimeouts) => ({
  host,
  port,
  secure: tls === 'implicit',
  requireTLS: tls === 'starttls',
  ignoreTLS: tls === 'none',
  connectionTimeout: connectMs,
  greetingTimeout: greetingMs,
  dnsTimeout: connectMs,
  socketTimeout: idleMs,
  allowInternalNetworkInterfaces: true,
  ...(roots !== undefined && { tls: { ca: roots } }),
})

/**
 * Everything that a mail may carry. RFC 8058 requires the two list headers to be signed, and the default list of the
 * library leaves one of them out.
 */
const SIGNED_HEADERS = [
  'From',
  'Reply-To',
  'Subject',
  'Date',
  'Message-ID',
  'To',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
  'Auto-Submitted',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
].join(':')

export type FormatMessage = (message: Message) => Promise<Buffer>

/** Formats messages as MIME and signs them, if the relay does not. */
export function messageFormat(dkim: Dkim | undefined, headerFieldNames: string = SIGNED_HEADERS): FormatMessage {
  const open = () => nodemailer().createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  let transport: ReturnType<typeof open> | undefined
  return async ({ id, from, to, replyTo, subject, text, html, attachment, headers }) => {
    transport ??= open()
    const { message } = await transport.sendMail({
      messageId: `<${id}>`,
      from,
      to: { name: '', address: to },
      ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
      subject,
      text,
      html,
      ...(attachment && {
        attachments: [{ filename: attachment.name, contentType: attachment.type, content: attachment.content }],
      }),
      headers: { ...headers },
      disableFileAccess: true,
      disableUrlAccess: true,
      ...(dkim && {
        dkim: {
          domainName: dkim.domain,
          keySelector: dkim.selector,
          privateKey: dkim.key.reveal(),
          headerFieldNames,
        },
      }),
    })
    return message as Buffer
  }
}
