// How long a mail that goes before others takes to the relay while those are waiting: an urgent one from the commit of its
// cause, and the one about a visitor's request from the commit of the request.

import type { AccountId } from '../../../server/src/accounts/account-queries.ts'
import { insert as insertPets } from '../../../server/src/animals/pet-queries.ts'
import { newId } from '../../../server/src/foundation/ids.io.ts'
import { openDatabase, statement, type Database } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { setTimer } from '../../../server/src/foundation/postgres/timer-leases.io.ts'
import { timerOf } from '../../../server/src/mail/kinds.ts'
import type { QueueMail } from '../../../server/src/mail/queue.io.ts'
import { reserve } from '../../../server/src/orders/reservations.io.ts'
import { parseConfig } from '../../../server/src/program/config.ts'
import { startMail } from '../../../server/src/program/mail.ts'
import { mailKinds, queueMail as queueInOrder, type MailKindName } from '../../../server/src/program/mail-kinds.ts'
import { inProjectOf } from '../../../server/src/projects/scope.io.ts'
import { startMailRelay } from '../../harness/mail-relay.ts'
import { newOwner, newPerson } from '../../harness/people.ts'
import { quantile } from '../../harness/quantile.ts'

/** So many of them are at the relay in time. */
export const promises = {
  urgent: { share: 0.99, ms: 2000 },
  request: { share: 0.95, ms: 5000 },
} as const
export type Preferred = keyof typeof promises

export type MailLatencyOptions = {
  what: Preferred
  /** Other mails that wait. */
  waiting: number
  /** Mails that are measured, one after the other. */
  mails: number
  /** Negative control: they wait in turn, in the queue of the others. */
  isInTurn?: boolean
}

export type MailLatencyFigures = {
  what: Preferred
  waiting: number
  mails: number
  p50Ms: number
  /** The time in which the promised share was at the relay. */
  slowMs: number
  maxMs: number
  stillWaiting: number
}

/** Counted already, so that none is dropped by the limit of its recipient. */
const queueOthers = statement<never, [recipient: AccountId, count: number]>(
  'latency-others',
  `with mails as (
     insert into mail_directory (project_id, id, kind, recipient, valid_until, is_counted)
     select 0, 'mail_' || lpad(to_hex(n), 24, '0'), 'password_changed', $1, now() + interval '1 day', true
     from generate_series(1, $2::int) n
     returning id
   )
   insert into due_directory (kind, project_id, id, due_at)
   select 'mail', 0, id, now() from mails`,
)
const moveToOthers = statement<never, []>(
  'latency-one-queue',
  `update due_directory set kind = 'mail' where kind = 'mail_urgent'`,
)
const waitingMails = statement<{ count: number }, []>(
  'latency-waiting',
  `select count(*)::int as count from due_directory where kind = 'mail' and project_id = 0`,
)

export async function measureMailLatency(appUrl: string, options: MailLatencyOptions): Promise<MailLatencyFigures> {
  const { what, waiting, mails, isInTurn = false } = options
  const database = openDatabase({ url: appUrl, poolMax: 10, onError: () => {} })
  const relay = await startMailRelay()
  const config = parseConfig({ DATABASE_URL: appUrl, SMTP_URL: relay.url, MAIL_FROM: 'no-reply@petstore.example' })
  const busy = await newPerson(database)
  await database.run(queueOthers, busy.account, waiting)
  const prepare = what === 'urgent' ? urgentMail : mailAboutRequest
  const causes: Cause[] = []
  for (let n = 0; n < mails; n += 1) causes.push(await prepare(database, `shop-${n}`, isInTurn))

  const worker = startMail(config, database, { pauseMs: 100, onError: () => {} })
  const times: number[] = []
  try {
    for (const { email, commit } of causes) {
      await commit()
      const committedAt = performance.now()
      while (!relay.received.some(({ to }) => to === email)) await relay.arrived(relay.received.length + 1)
      times.push((relay.received.find(({ to }) => to === email)?.at ?? Number.NaN) - committedAt)
    }
    const [row] = await database.run(waitingMails)
    const at = (share: number) => Math.round(quantile(times, share))
    const figures = { p50Ms: at(0.5), slowMs: at(promises[what].share), maxMs: at(1) }
    return { what, waiting, mails, ...figures, stillWaiting: row?.count ?? 0 }
  } finally {
    await worker?.stop()
    await relay.stop()
    await database.close()
  }
}

/** To whom the mail is, and what queues it. */
type Cause = { email: string; commit: () => Promise<unknown> }

async function urgentMail(database: Database, _: string, isInTurn: boolean): Promise<Cause> {
  const { account, email } = await newPerson(database)
  const commit = () =>
    database.transaction({}, async (db) => {
      await queueInOrder(db, { kind: 'password_changed', recipient: account })
      if (isInTurn) await db(moveToOthers)
    })
  return { email, commit }
}

async function mailAboutRequest(database: Database, slug: string, isInTurn: boolean): Promise<Cause> {
  const { email, project } = await newOwner(database, slug)
  const pet = { name: 'Rex', categoryId: 1n, status: 'available' } as const
  const [animal] = await insertPets(database.run, [{ project, pet }])
  if (!animal) throw new Error('no animal was added')
  const deps = { inProject: inProjectOf(database), queueMail: isInTurn ? inTurn(queueInOrder) : queueInOrder }
  const visitor = { name: 'Ben', contact: '+44 20 7946 0958', message: 'May I see him on Saturday?' }
  return { email, commit: () => reserve(deps, project, { petId: animal.id, ...visitor }) }
}

/** As if no kind went before others of its queue. */
const inTurn =
  (queueMail: QueueMail<MailKindName>): QueueMail<MailKindName> =>
  async (db, mail) => {
    const id = newId('mail')
    await queueMail(db, { ...mail, id })
    await setTimer(db, { kind: timerOf[mailKinds[mail.kind].queue], project: mail.project ?? 0n, id })
  }

/** The fault of the figures; undefined if the promise was kept. */
export function faultOf({ what, slowMs, stillWaiting }: MailLatencyFigures): string | undefined {
  if (slowMs > promises[what].ms) return `the mail took ${slowMs} ms (${what})`
  return stillWaiting === 0 ? 'no other mail was waiting any more, so nothing was measured' : undefined
}
