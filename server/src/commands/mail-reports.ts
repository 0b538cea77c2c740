// The operator's commands for what comes back: takes in the reports that arrive at the bounce
// address, and lists and removes the suppressed addresses. They print ids, codes and digests, never
// an address or a text of a report.

import { randomBytes } from 'node:crypto'
import { Command } from 'commander'
import { readAddress } from '../foundation/smtp/address.ts'
import { ingest, type Ingested } from '../mail/ingest.io.ts'
import { messageCodes } from '../mail/message-codes.io.ts'
import { addressDigest, endSuppressions, listSuppressions, type SuppressionScope } from '../mail/suppression-queries.ts'
import { timeText } from '../foundation/time.ts'
import { columns, withDatabase, type Invocation } from './command.ts'

type Json = { json?: true }

/** `input`: the message; `end` receives the exit code. */
export function ingestCommand(
  invocation: Invocation,
  input: AsyncIterable<Uint8Array>,
  end: (code: number) => void,
): Command {
  return new Command('ingest')
    .description('take in one message that came to MAIL_BOUNCE_ADDRESS: a delivery report or a complaint (from stdin)')
    .option('--recipient <address>', 'the envelope recipient; otherwise read from Delivered-To, X-Original-To and To')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExit status: 0 a report about a mail of ours, 1 anything else.')
    .action(async ({ recipient, json }: Json & { recipient?: string }) => {
      const { config, print } = invocation()
      const raw = await bytesOf(input)
      const ingested: Ingested =
        raw === undefined
          ? { result: 'ignored', isUnderstood: false, reason: 'too large' }
          : await withDatabase(config, (database) => {
              const { isCode } = messageCodes(database.run, 'bounce', randomBytes)
              return ingest(database, isCode, raw, recipient)
            })
      print(json ? JSON.stringify(ingested) : ingestedText(ingested))
      end(ingested.isUnderstood ? 0 : 1)
    })
}

const MESSAGE_BYTES_MAX = 1024 * 1024

/** Undefined if it is larger than any report: it quotes one of our mails at most. */
async function bytesOf(input: AsyncIterable<Uint8Array>): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of input) {
    size += chunk.length
    if (size > MESSAGE_BYTES_MAX) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function ingestedText({ result, reason, mail, scope }: Ingested): string {
  const about = mail === undefined ? '' : ` ${mail}:`
  if (result === 'ignored') return `Ignored:${about} ${reason}.`
  if (result === 'noted') return `Noted:${about} ${reason}.`
  return `Suppressed:${about} ${reason}. The address gets ${scope === 'all' ? 'no mail' : 'no mail that can be turned off'} until it is verified again.`
}

const LISTED = 1000
const PREFIX_DIGITS = 12
const everyScope: readonly SuppressionScope[] = ['all', 'optional', 'invitations']

export function suppressionCommands(invocation: Invocation): Command {
  const suppressions = new Command('suppressions').description('list and remove addresses that no mail is sent to')
  suppressions
    .command('list')
    .description(`list the newest ${LISTED}, by the beginning of their digest`)
    .option('--json', 'print one JSON array')
    .action(async ({ json }: Json) => {
      const { config, print } = invocation()
      const rows = await withDatabase(config, ({ run }) => listSuppressions(run, LISTED))
      const listed = rows.map(({ digest, ...row }) => ({
        digest: digest.toString('hex').slice(0, PREFIX_DIGITS),
        ...row,
      }))
      print(json ? JSON.stringify(listed) : listText(listed))
    })
  suppressions
    .command('remove')
    .description('send mail to an address again')
    .requiredOption('--email <address>', 'the address')
    .option('--json', 'print one JSON object')
    .action(async ({ email, json }: Json & { email: string }) => {
      const { config, print, invalid } = invocation()
      if (readAddress(email) === undefined) throw invalid('--email takes an address such as mia@happy-paws.example.')
      const removed = await withDatabase(config, ({ run }) => endSuppressions(run, addressDigest(email), everyScope))
      print(json ? JSON.stringify({ removed }) : removedText(removed))
    })
  return suppressions
}

const listText = (listed: readonly { digest: string; scope: string; reason: string; createdAt: Date }[]) =>
  listed.length === 0
    ? 'No address is suppressed.'
    : columns(listed.map(({ digest, scope, reason, createdAt }) => [digest, scope, reason, timeText(createdAt)]))

const removedText = (removed: readonly SuppressionScope[]) =>
  removed.length === 0 ? 'The address is not suppressed.' : `Removed: ${removed.join(', ')}.`
