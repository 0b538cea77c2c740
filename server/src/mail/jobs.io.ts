// Sends the mails of the outbox. A worker claims a mail, composes it, hands it to the relay and
// records the result if the claim is still its own. At least once: a worker that dies between
// the relay's 250 and the commit sends again, with the same Message-ID.

import type { Database, Db } from '../foundation/postgres/postgres.io.ts'
import { lockTimer, type Timer, type TimerWork } from '../foundation/postgres/timers.io.ts'
import { readAddress } from '../foundation/smtp/address.ts'
import { outcomeText, type SmtpOutcome } from '../foundation/smtp/outcome.ts'
import type { FormatMessage, MailAddress, Relay } from '../foundation/smtp/relay.io.ts'
import { HOUR, SECOND } from '../foundation/time.ts'
import { pauseSeconds, retrySeconds, verdictOf } from './delivery.ts'
import { isMailKind, mailKinds, type MailKind, type MailQueue } from './kinds.ts'
import type { Mail } from './mail.ts'
import * as outbox from './outbox-queries.ts'
import type { MailRow } from './outbox-queries.ts'
import { mailHtml } from './render-html.ts'
import { mailText } from './render-text.ts'

/** A mail with the address that it goes to; undefined if the recipient or the subject no longer exists. */
export type Compose = (mail: MailRow) => Promise<{ to: string; mail: Mail } | undefined>

export type Composers = Readonly<Record<MailKind, Compose>>

export type MailWorkDeps = {
  database: Pick<Database, 'run' | 'transaction'>
  queue: MailQueue
  relay: Relay
  format: FormatMessage
  from: MailAddress
  composers: Composers
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
      const mail = await transaction((db) => beginAttempt(db, due, claimSeconds))
      if (!mail) return undefined
      const composed = await composedOf(deps, mail)
      if (typeof composed === 'string') {
        await transaction((db) =>
          whileClaimed(db, due, claimSeconds, () => outbox.endMail(db, mail, 'dropped', composed)),
        )
        return undefined
      }
      await pace()
      const outcome = await relay.send({ from: deps.from.address, to: composed.to }, composed.bytes)
      const [next] = await Promise.all([
        transaction((db) => whileClaimed(db, due, claimSeconds, () => recordOutcome(db, mail, outcome))),
        verdictPauses(outcome) ? pause.extend(outcomeText(outcome)) : pause.end(),
      ])
      return next === undefined ? undefined : Math.max(next, pause.secondsLeft())
    },
  }
}

/** The mail, if it is still to be sent and its recipient's limit allows it. */
async function beginAttempt(db: Db, due: Timer, claimSeconds: number): Promise<MailRow | undefined> {
  if (!(await lockTimer(db, due, claimSeconds))) return undefined
  const mail = await outbox.findQueued(db, due)
  if (!mail) return undefined
  const ended = await reasonToDrop(db, mail)
  if (ended === undefined) return mail
  await outbox.endMail(db, mail, 'dropped', ended)
  return undefined
}

async function reasonToDrop(db: Db, mail: MailRow): Promise<string | undefined> {
  if (mail.isTooOld) return 'too old'
  if (!isMailKind(mail.kind)) return 'unknown kind'
  const { limit } = mailKinds[mail.kind]
  if (mail.isCounted || limit === undefined) return undefined
  if (!(await outbox.countMail(db, mail, limit))) return 'limit of the recipient'
  await outbox.markCounted(db, mail)
  return undefined
}

type Composed = { to: string; bytes: Buffer }

/** The message, or why there is none. */
async function composedOf({ composers, format, from }: MailWorkDeps, row: MailRow): Promise<Composed | string> {
  const composed = isMailKind(row.kind) ? await composers[row.kind](row) : undefined
  if (!composed) return 'recipient gone'
  const to = readAddress(composed.to)
  if (to === undefined) return 'address'
  const { mail } = composed
  const bytes = await format({
    id: `${row.id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}`,
    from,
    to,
    subject: mail.subject,
    text: mailText(mail),
    html: mailHtml(mail),
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
  return { to, bytes }
}

/** Nothing is written by a worker whose claim another one has taken over. */
const whileClaimed = async <T>(db: Db, due: Timer, claimSeconds: number, work: () => Promise<T>) =>
  (await lockTimer(db, due, claimSeconds)) ? work() : undefined

/** The seconds until the next attempt; undefined if there is none. */
async function recordOutcome(db: Db, mail: MailRow, outcome: SmtpOutcome): Promise<number | undefined> {
  const verdict = verdictOf(outcome)
  if (verdict.kind === 'retry') {
    await outbox.noteFailure(db, mail, outcomeText(outcome), verdict.isCounted)
    return verdict.isCounted ? retrySeconds(mail.attempts + 1) : 1
  }
  await outbox.endMail(db, mail, verdict.kind, outcomeText(outcome))
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

const KEPT_DAYS = 30
const SWEEP_BATCH = 1000

/** Deletes mails that ended long ago. */
export const mailSweepWork = ({ database: { run } }: Pick<MailWorkDeps, 'database'>): TimerWork => ({
  claimSeconds: CLAIM_SECONDS,
  work: async () => ((await outbox.sweepMails(run, KEPT_DAYS, SWEEP_BATCH)) >= SWEEP_BATCH ? 1 : HOUR / SECOND),
})
