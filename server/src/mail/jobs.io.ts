// Sends the mails of the outbox. A worker claims a mail, composes it, hands it to the relay and
// records the result if the claim is still its own. At least once: a worker that dies between
// the relay's 250 and the commit sends again, with the same Message-ID.

import type { Database, Db } from '../foundation/postgres/postgres.io.ts'
import { lockTimer, type Timer, type TimerWork } from '../foundation/postgres/timer-leases.io.ts'
import { readAddress } from '../foundation/smtp/address.ts'
import { outcomeText, type SmtpOutcome } from '../foundation/smtp/outcome.ts'
import type { FormatMessage, MailAddress, Relay } from '../foundation/smtp/relay.io.ts'
import { SECOND } from '../foundation/time.ts'
import { pauseSeconds, retrySeconds, verdictOf } from './delivery.ts'
import type { MailQueue, MailRules } from './kinds.ts'
import type { Compose, NotSent } from './mail-kind.ts'
import * as outbox from './outbox-queries.ts'
import type { MailRow } from './outbox-queries.ts'
import { queueDigest } from './queue.io.ts'
import { mailHtml, mailText } from './render.ts'
import { addressDigest, isSuppressed, suppress } from './suppression-queries.ts'

/** A kind whose composer has what it needs. */
export type SentKind = MailRules & { compose: Compose }

export type SentKinds = Readonly<Record<string, SentKind>>

export type MailWorkDeps = {
  database: Pick<Database, 'run' | 'transaction'>
  queue: MailQueue
  relay: Relay
  format: FormatMessage
  from: MailAddress
  /** The envelope sender of a mail, to which reports about it return; by default the address of `from`. */
  envelopeSenderOf?: ((mail: string) => Promise<string>) | undefined
  kinds: SentKinds
  newId: (kind: string) => string
  /** Waits until the rate of this process allows one more. */
  pace: () => Promise<void>
  claimSeconds?: number | undefined
}

/** Longer than any attempt. */
const CLAIM_SECONDS = 90

export function mailWork(deps: MailWorkDeps): TimerWork {
  const { database, queue, relay, pace, claimSeconds = CLAIM_SECONDS } = deps
  const pause = relayPause(database.run, queue)
  const transaction = <T>(work: (db: Db) => Promise<T>) => database.transaction({}, work)

  return {
    claimSeconds,
    mayClaim: pause.isOver,
    async work(due) {
      const claimed = await transaction((db) => beginAttempt(db, deps, due, claimSeconds))
      if (!claimed) return undefined
      const { mail } = claimed
      const composed = await composedOf(deps, claimed)
      const message = await transaction((db) =>
        whileClaimed(db, due, claimSeconds, () => admitted(db, deps, claimed, composed)),
      )
      if (!message) return undefined
      const sender = (await deps.envelopeSenderOf?.(mail.id)) ?? deps.from.address
      await pace()
      const outcome = await relay.send({ from: sender, to: message.to }, message.bytes)
      const [next] = await Promise.all([
        transaction((db) => whileClaimed(db, due, claimSeconds, () => recordOutcome(db, mail, message, outcome))),
        verdictPauses(outcome) ? pause.extend(outcomeText(outcome)) : pause.end(),
      ])
      return next === undefined ? undefined : Math.max(next, pause.secondsLeft())
    },
  }
}

type ClaimedMail = { mail: MailRow; kind: SentKind }

/** The mail, if it is still to be sent and its recipient's limit allows it. */
async function beginAttempt(
  db: Db,
  deps: MailWorkDeps,
  due: Timer,
  claimSeconds: number,
): Promise<ClaimedMail | undefined> {
  if (!(await lockTimer(db, due, claimSeconds))) return undefined
  const mail = await outbox.findQueued(db, due)
  if (!mail) return undefined
  if (mail.kind === 'digest') await outbox.closeDigest(db, mail)
  // A kind may have been queued by another release.
  const kind = Object.hasOwn(deps.kinds, mail.kind) ? deps.kinds[mail.kind] : undefined
  const ended = kind ? await reasonToDrop(db, { mail, kind }) : { because: 'unknown kind' }
  if (ended) await drop(db, deps, mail, ended)
  return ended || !kind ? undefined : { mail, kind }
}

async function reasonToDrop(db: Db, { mail, kind }: ClaimedMail): Promise<NotSent | undefined> {
  if (mail.isTooOld) return { because: 'too old' }
  return kind.limit?.by === 'address' ? undefined : overLimit(db, { mail, kind }, mail.recipient)
}

/** Counts the mail, unless an earlier attempt did. */
async function overLimit(
  db: Db,
  { mail, kind: { limit } }: ClaimedMail,
  recipient: string,
): Promise<NotSent | undefined> {
  if (mail.isCounted || limit === undefined) return undefined
  if (await outbox.countMail(db, { recipient, kind: limit.group ?? mail.kind }, limit)) {
    await outbox.markCounted(db, mail)
    return undefined
  }
  return { because: 'limit of the recipient', digest: limit.overflow && 'hourly' }
}

async function drop(db: Db, { newId }: MailWorkDeps, mail: MailRow, { because, digest }: NotSent): Promise<void> {
  await outbox.endMail(db, mail, 'dropped', because)
  if (digest) await queueDigest(db, newId, mail, digest)
}

type MailMessage = { to: string; addressDigest: Buffer; bytes: Buffer }

/** The message, or why there is none. */
async function composedOf(
  { format, from }: MailWorkDeps,
  { mail: row, kind }: ClaimedMail,
): Promise<MailMessage | NotSent> {
  const composed = await kind.compose(row, kind)
  if (!composed) return { because: 'recipient gone' }
  if ('because' in composed) return composed
  const to = readAddress(composed.to)
  if (to === undefined) return { because: 'address' }
  const { mail, sender, replyTo, attachment, unsubscribe } = composed
  const bytes = await format({
    id: `${row.id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}`,
    from: { ...from, ...(sender !== undefined && { name: sender }) },
    to,
    replyTo,
    subject: mail.subject,
    text: mailText(mail),
    html: mailHtml(mail),
    attachment,
    headers: {
      'Auto-Submitted': 'auto-generated',
      // One POST, without a cookie (RFC 8058).
      ...(unsubscribe !== undefined && {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  })
  return { to, addressDigest: addressDigest(composed.to), bytes }
}

/** The message, unless its address is suppressed or has had enough; it is dropped then. */
async function admitted(
  db: Db,
  deps: MailWorkDeps,
  claimed: ClaimedMail,
  composed: MailMessage | NotSent,
): Promise<MailMessage | undefined> {
  const refused = 'because' in composed ? composed : await refusedBy(db, claimed, composed.addressDigest)
  if (refused) await drop(db, deps, claimed.mail, refused)
  return refused || 'because' in composed ? undefined : composed
}

async function refusedBy(db: Db, claimed: ClaimedMail, digest: Buffer): Promise<NotSent | undefined> {
  const { topic, limit, proves } = claimed.kind
  if (proves !== true && (await isSuppressed(db, digest, topic))) return { because: 'suppressed' }
  return limit?.by === 'address' ? overLimit(db, claimed, digest.toString('hex')) : undefined
}

/** Nothing is written by a worker whose claim another one has taken over. */
const whileClaimed = async <T>(db: Db, due: Timer, claimSeconds: number, work: () => Promise<T>) =>
  (await lockTimer(db, due, claimSeconds)) ? work() : undefined

/** The seconds until the next attempt; undefined if there is none. */
async function recordOutcome(
  db: Db,
  mail: MailRow,
  { addressDigest: digest }: MailMessage,
  outcome: SmtpOutcome,
): Promise<number | undefined> {
  const verdict = verdictOf(outcome)
  if (verdict.kind === 'retry') {
    await outbox.noteFailure(db, mail, outcomeText(outcome), verdict.isCounted)
    return verdict.isCounted ? retrySeconds(mail.attempts + 1) : 1
  }
  await outbox.endMail(db, mail, verdict.kind, outcomeText(outcome), digest)
  if (verdict.kind === 'bounced' && verdict.isDead) await suppress(db, digest, 'all', outcomeText(outcome))
  return undefined
}

const verdictPauses = (outcome: SmtpOutcome): boolean => {
  const verdict = verdictOf(outcome)
  return verdict.kind === 'retry' && verdict.pauses
}

/** While the relay fails, this process claims nothing; the database holds the reason for operators. */
function relayPause(run: Db, queue: MailQueue) {
  let failures = 0
  let until = 0
  // A process that ended may have left its failure behind.
  let mayBeNoted = true
  const secondsLeft = () => Math.max(0, (until - performance.now()) / SECOND)
  return {
    isOver: () => secondsLeft() === 0,
    secondsLeft,
    async extend(outcome: string) {
      // Attempts that were under way at the same time failed for the same reason.
      if (secondsLeft() === 0) failures += 1
      mayBeNoted = true
      const seconds = pauseSeconds(failures)
      until = Math.max(until, performance.now() + seconds * SECOND)
      await outbox.noteRelayFailure(run, queue, outcome, failures, seconds)
    },
    async end() {
      if (!mayBeNoted) return
      mayBeNoted = false
      failures = 0
      until = 0
      await outbox.clearRelayFailure(run, queue)
    },
  }
}
