// Takes in a message that came to the bounce address. It is believed only with a code that we gave
// to the mail; the address that it is about is the one that we sent the mail to, whatever the
// report says. Nothing of its text is stored.

import type { Database } from '../foundation/postgres/postgres.io.ts'
import { claimsIn, type BounceClaim } from './bounce-address.ts'
import { judgeReport, type Judgement } from './delivery-report.ts'
import type { MessageCodes } from './message-codes.io.ts'
import { findReported, noteReport, type ReportedMail } from './outbox-queries.ts'
import { readMessage } from './report-format.io.ts'
import { suppress, type SuppressionScope } from './suppression-queries.ts'

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
