// The operator's commands for mail: what is waiting and why, a test mail with a judgement of the
// sender's DNS, another attempt at once, and an end of what shall not be sent any more. What comes
// back is in `mail-reports.ts`.

import { createPublicKey } from 'node:crypto'
import { Command } from 'commander'
import { registrableOf } from '../domains/naming/public-suffix.ts'
import { goodIn, hasNoError, lookUpUntil } from '../foundation/dns/lookup.io.ts'
import { newId } from '../foundation/ids.io.ts'
import { readAddress } from '../foundation/smtp/address.ts'
import { outcomeText, type SmtpOutcome } from '../foundation/smtp/outcome.ts'
import { messageFormat, openRelay } from '../foundation/smtp/relay.io.ts'
import { instantFrom, timeText } from '../foundation/time.ts'
import type { Mail } from '../mail/mail.ts'
import { countMails, dropMails, listRelayFailures, retryMails } from '../mail/outbox-queries.ts'
import { mailHtml, mailText } from '../mail/render.ts'
import { dkimName, judgeSender, type Finding, type TxtRecords } from '../mail/sender-check.ts'
import type { Config, MailConfig } from '../program/config.ts'
import { dnsOf } from '../program/context.ts'
import { columns, withDatabase, type Invocation } from './command.ts'
import { ingestCommand, suppressionCommands } from './mail-reports.ts'

type Json = { json?: true }

/** `end` receives the exit code. */
export function mailCommands(invocation: Invocation, end: (code: number) => void): Command {
  const mail = new Command('mail')
  mail
    .command('status')
    .description('show what is queued, what was sent in the last day, and why sending pauses')
    .option('--json', 'print one JSON object')
    .action(async ({ json }: Json) => {
      const { config, print } = invocation()
      await withDatabase(config, async ({ run }) => {
        const [counts, failures] = await Promise.all([countMails(run), listRelayFailures(run)])
        const state = config.mail === undefined ? 'off' : config.mail.isHeld ? 'held' : 'on'
        print(json ? JSON.stringify({ state, mails: counts, failures }) : statusText(state, counts, failures))
      })
    })

  mail
    .command('check')
    .description('send a test mail, and check SPF, DKIM and DMARC of the sender')
    .requiredOption('--to <address>', 'where the test mail goes')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExit status: 0 accepted and no problem found, 1 otherwise.')
    .action(async ({ to: typed, json }: Json & { to: string }) => {
      const { config, print, invalid } = invocation()
      const to = readAddress(typed)
      if (to === undefined) throw invalid('--to takes an address such as mia@happy-paws.example.')
      if (!config.mail) throw invalid('Mail is off: set SMTP_URL and MAIL_FROM.')
      const outcome = await sendTest(config.mail, to)
      const findings = await judgedSender(config, config.mail)
      const isGood = outcome.kind === 'accepted' && findings.every(({ verdict }) => verdict !== 'problem')
      print(
        json
          ? JSON.stringify({ accepted: outcome.kind === 'accepted', reply: outcomeText(outcome), findings })
          : checkText(outcome, findings),
      )
      end(isGood ? 0 : 1)
    })

  mail
    .command('retry')
    .description('make every queued mail due now instead of at its next attempt')
    .option('--json', 'print one JSON object')
    .action(async ({ json }: Json) => {
      const { config, print } = invocation()
      const retried = await withDatabase(config, ({ run }) => retryMails(run))
      print(json ? JSON.stringify({ retried }) : `${retried} mails are due now.`)
    })

  mail
    .command('drop')
    .description('end queued mails without sending them, as after the restore of a backup')
    .requiredOption('--queued-before <time>', 'RFC 3339 time: mails that were queued before it')
    .option('--json', 'print one JSON object')
    .action(async ({ queuedBefore, json }: Json & { queuedBefore: string }) => {
      const { config, print, invalid } = invocation()
      const before = instantFrom(queuedBefore)
      if (before === undefined) throw invalid('--queued-before takes a time such as 2026-11-16T15:00:00Z.')
      const dropped = await withDatabase(config, ({ run }) => dropMails(run, new Date(before)))
      print(json ? JSON.stringify({ dropped }) : `${dropped} mails will not be sent.`)
    })
  mail.addCommand(ingestCommand(invocation, process.stdin, end))
  mail.addCommand(suppressionCommands(invocation))
  return mail
}

type Counts = Awaited<ReturnType<typeof countMails>>
type Failures = Awaited<ReturnType<typeof listRelayFailures>>

const stateTexts = {
  off: 'Mail is off: SMTP_URL is not set.',
  held: 'Mail is held (MAIL_HOLD): it is queued, and not sent.',
  on: 'Mail is on.',
}

function statusText(state: keyof typeof stateTexts, counts: Counts, failures: Failures): string {
  const lines = counts.map(({ kind, state: of, count, oldestQueuedAt }) => [
    kind,
    of,
    String(count),
    oldestQueuedAt === null ? '' : `oldest from ${timeText(oldestQueuedAt)}`,
  ])
  return [
    stateTexts[state],
    ...failures.map(
      ({ queue, outcome, failures: count, failedAt, retryAt }) =>
        `The relay fails for ${queue} mail: ${outcome}, ${count} times in a row, last at ${timeText(failedAt)}. Next attempt at ${timeText(retryAt)}.`,
    ),
    lines.length === 0 ? 'Nothing is queued, and nothing was sent in the last day.' : columns(lines),
  ].join('\n')
}

const checkText = (outcome: SmtpOutcome, findings: readonly Finding[]) =>
  [
    outcome.kind === 'accepted'
      ? 'The relay accepted the test mail.'
      : `The relay did not accept it: ${outcomeText(outcome)}.`,
    columns(findings.map(({ about, verdict, text }) => [about, verdict, text])),
  ].join('\n')

async function sendTest({ relay: settings, from, dkim }: MailConfig, to: string): Promise<SmtpOutcome> {
  const relay = openRelay(settings)
  const mail = testMail
  const bytes = await messageFormat(dkim)({
    id: `${newId('mail')}@${domainOf(from.address)}`,
    from,
    to,
    subject: mail.subject,
    text: mailText(mail),
    html: mailHtml(mail),
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
  const outcome = await relay.send({ from: from.address, to }, bytes)
  relay.close()
  return outcome
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1)

const LOOKUP_MS = 5000

async function judgedSender(config: Config, { from, dkim }: MailConfig): Promise<Finding[]> {
  const dns = dnsOf(config)
  const txt = async (name: string): Promise<TxtRecords> => {
    const pace = { until: performance.now() + LOOKUP_MS, questionMs: LOOKUP_MS }
    const lookups = await lookUpUntil(
      dns,
      dns.resolvers,
      { name, type: 'TXT' },
      { to: 'checked', pace, isGood: hasNoError },
    )
    return goodIn(lookups)?.records.flatMap((record) => (record.type === 'TXT' ? [record.text] : []))
  }
  const domain = domainOf(from.address)
  const organisation = registrableOf(domain) ?? domain
  const signed = dkim && {
    domain: dkim.domain,
    selector: dkim.selector,
    publicKey: createPublicKey(dkim.key.reveal()).export({ type: 'spki', format: 'der' }).toString('base64'),
  }
  const [spf, dmarc, organisationDmarc, key] = await Promise.all([
    txt(domain),
    txt(`_dmarc.${domain}`),
    txt(`_dmarc.${organisation}`),
    signed === undefined ? undefined : txt(dkimName(signed)),
  ])
  return judgeSender({ domain, organisation, dkim: signed, spf, dmarc, organisationDmarc, key })
}

const testMail: Mail = {
  language: 'en',
  subject: 'Petstore can send mail',
  blocks: [
    { kind: 'heading', text: 'Petstore can send mail' },
    { kind: 'paragraph', text: 'This is the test mail of the command `petstore mail check`. There is nothing to do.' },
  ],
  footer: 'An operator of this Petstore installation requested this mail.',
}
