// Takes in a message that came to the bounce address. It is believed only with a code that we gave
// to the mail; the address that it is about is the one that we sent the mail to, whatever the
// report says. Nothing of its text is stored.

import PostalMime, { type Attachment, type Email } from 'postal-mime'
import type { Database } from '../foundation/postgres/postgres.io.ts'
import { claimsIn, type BounceClaim } from './bounce-address.ts'
import { judgeReport, type Judgement, type RecipientReport, type Report } from './delivery.ts'
import type { MessageCodes } from './message-codes.io.ts'
import { findReported, noteReport, type ReportedMail } from './outbox-queries.ts'
import { suppress, type SuppressionScope } from './suppression-queries.ts'

// Reads a message that came to the bounce address: a delivery report (RFC 3464), a complaint
// (RFC 5965), or anything else. Everything in it is untrusted, and may be anything.

type ReadMessage = {
  /** Texts in which the address can be that proves the report. */
  recipients: readonly string[]
  /** Undefined if it is no report that is understood. */
  report: Report | undefined
}

/** Undefined if it is no message at all. */
export async function readMessage(raw: Uint8Array): Promise<ReadMessage | undefined> {
  const email = await PostalMime.parse(raw, { forceRfc822Attachments: true, attachmentEncoding: 'utf8' }).catch(
    () => undefined,
  )
  if (!email) return undefined
  const recipients = email.headers.filter(({ key }) => recipientHeaders.includes(key)).map(({ value }) => value)
  const isReport = /^multipart\/report\b/i.test(email.headers.find(({ key }) => key === 'content-type')?.value ?? '')
  const [delivery, feedback] = isReport ? [partOf(email, deliveryTypes), partOf(email, feedbackTypes)] : []
  if (delivery !== undefined)
    return { recipients, report: { kind: 'delivery', recipients: recipientReports(delivery) } }
  if (feedback === undefined) return { recipients, report: undefined }
  const [fields] = fieldGroups(feedback)
  // Complaints go to an address that is registered with the provider, and quote ours.
  const quoted = fields?.get('original-mail-from') ?? ''
  const report: Report = { kind: 'complaint', feedback: fields?.get('feedback-type')?.toLowerCase() ?? '' }
  return { recipients: [...recipients, quoted], report }
}

const recipientHeaders = ['delivered-to', 'x-original-to', 'to']
const deliveryTypes = ['message/delivery-status', 'message/global-delivery-status']
const feedbackTypes = ['message/feedback-report']

const partOf = ({ attachments }: Email, types: readonly string[]): string | undefined => {
  const part: Attachment | undefined = attachments.find(({ mimeType }) => types.includes(mimeType))
  return typeof part?.content === 'string' ? part.content : undefined
}

type Fields = ReadonlyMap<string, string>

const GROUPS_MAX = 50

/** Groups of fields with a blank line between them; of fields with the same name, the first. */
function fieldGroups(text: string): Fields[] {
  const groups = text.replaceAll('\r\n', '\n').split(/\n[ \t]*\n/, GROUPS_MAX)
  return groups.map((group) => {
    const lines = group.replaceAll(/\n[ \t]+/g, ' ').split('\n')
    const fields = new Map<string, string>()
    for (const line of lines) {
      const [, name, value = ''] = /^([\w-]+)[ \t]*:(.*)$/.exec(line) ?? []
      if (name !== undefined && !fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value.trim())
    }
    return fields
  })
}

/** The first group is about the mail; the others, which have an action, are about one address each. */
const recipientReports = (text: string): RecipientReport[] =>
  fieldGroups(text).flatMap((fields) => {
    const action = /^[a-z]+/i.exec(fields.get('action') ?? '')?.[0].toLowerCase()
    return action === undefined ? [] : [{ action, status: statusOf(fields) }]
  })

const code = String.raw`([245]\.\d{1,3}\.\d{1,3})(?![.\d])`
const statusForm = new RegExp(`^${code}`)
const diagnosticForm = new RegExp(String.raw`^smtp[ \t]*;[ \t]*(?:\d{3}[ -])?${code}`, 'i')

/** Some servers always report 5.0.0, and quote the code of the server that rejected the mail. */
function statusOf(fields: Fields): string {
  const status = statusForm.exec(fields.get('status') ?? '')?.[1] ?? ''
  if (status !== '' && !status.endsWith('.0.0')) return status
  return diagnosticForm.exec(fields.get('diagnostic-code') ?? '')?.[1] ?? status
}

export type Ingested = {
  result: 'suppressed' | 'noted' | 'ignored'
  /** True if it is a report about a mail of ours. */
  isUnderstood: boolean
  reason: string
  mail?: string
  scope?: SuppressionScope
}

/** `recipient`: the envelope recipient, if it is known; otherwise the headers are searched for it. */
export async function ingest(
  database: Database,
  isCode: MessageCodes['isCode'],
  raw: Uint8Array,
  recipient?: string,
): Promise<Ingested> {
  const message = await readMessage(raw)
  if (!message) return notUnderstood('no message')
  const { report } = message
  if (!report) return notUnderstood('no report')
  const mail = await provedMail(isCode, recipient === undefined ? message.recipients : [recipient])
  if (mail === undefined) return notUnderstood('no valid code')
  const found = await findReported(database.run, mail)
  if (!found) return { result: 'ignored', isUnderstood: true, reason: 'mail not known, or not sent', mail }
  return applied(database, found, judgeReport(report))
}

const notUnderstood = (reason: string): Ingested => ({ result: 'ignored', isUnderstood: false, reason })

async function provedMail(isCode: MessageCodes['isCode'], texts: readonly string[]): Promise<string | undefined> {
  const claims: BounceClaim[] = texts.flatMap(claimsIn).slice(0, CLAIMS_MAX)
  for (const { mail, code } of claims) if (await isCode(mail, code)) return mail
  return undefined
}

const CLAIMS_MAX = 20

async function applied(database: Database, found: ReportedMail, judgement: Judgement): Promise<Ingested> {
  const { reason } = judgement
  const base = { isUnderstood: true, reason, mail: found.id }
  switch (judgement.result) {
    case 'ignore':
      return { ...base, result: 'ignored' }
    case 'note':
      await noteReport(database.run, found, reason, judgement.isFinal)
      return { ...base, result: 'noted' }
    case 'suppress': {
      const { scope } = judgement
      await database.transaction({}, async (db) => {
        await noteReport(db, found, reason, scope === 'all')
        await suppress(db, found.addressDigest, scope, reason)
      })
      return { ...base, result: 'suppressed', scope }
    }
  }
}
