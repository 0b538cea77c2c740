// How long an urgent mail takes from the commit of its cause to the relay, while notifications are
// waiting.

import { insertAccount } from '../../../server/src/accounts/account-queries.ts'
import { parseConfig } from '../../../server/src/program/config.ts'
import { newId } from '../../../server/src/foundation/ids.io.ts'
import { openDatabase, statement } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { startMail } from '../../../server/src/program/mail-deps.ts'
import { queueMail } from '../../../server/src/program/mail-kinds.ts'
import { startMailRelay } from '../../harness/mail-relay.ts'

export type MailLatencyOptions = {
  /** Notifications that wait. */
  waiting: number
  /** Urgent mails, one after the other. */
  urgent: number
  /** Negative control: urgent mails wait in the queue of notifications. */
  isOneQueue?: boolean
}

export type MailLatencyFigures = { waiting: number; urgent: number; p50Ms: number; p99Ms: number; stillWaiting: number }

const queueAsNotifications = statement<never, [recipient: string, count: number]>(
  'latency-notifications',
  `with mails as (
     insert into mail_directory (project_id, id, kind, recipient, valid_until)
     select 0, 'mail_' || lpad(to_hex(n), 24, '0'), 'password_changed', $1, now() + interval '1 day'
     from generate_series(1, $2::int) n
     returning id
   )
   insert into due_directory (kind, project_id, id, due_at)
   select 'mail', 0, id, now() from mails`,
)
const moveToNotifications = statement<never, []>(
  'latency-one-queue',
  `update due_directory set kind = 'mail' where kind = 'mail_urgent'`,
)
const waitingTimers = statement<{ count: number }, []>(
  'latency-waiting',
  `select count(*)::int as count from due_directory where kind = 'mail'`,
)
/** So that none of them is dropped by the limit of its recipient. */
const unlimited = statement<never, []>('latency-unlimited', `update mail_directory set is_counted = true`)

export async function measureMailLatency(appUrl: string, options: MailLatencyOptions): Promise<MailLatencyFigures> {
  const { waiting, urgent, isOneQueue = false } = options
  const database = openDatabase({ url: appUrl, poolMax: 10, onError: () => {} })
  const relay = await startMailRelay()
  const config = parseConfig({
    DATABASE_URL: appUrl,
    SMTP_URL: relay.url,
    MAIL_FROM: 'no-reply@petstore.example',
  })
  const account = async (email: string) => {
    const made = await insertAccount(database.run, { id: newId('acc'), email, name: 'Mia', password: 'none' })
    if (!made) throw new Error(`${email} is taken`)
    return made.id
  }
  await database.run(queueAsNotifications, await account('busy@shop.example'), waiting)
  await database.run(unlimited)
  const worker = startMail(config, database, { pauseMs: 100, onError: () => {} })
  const times: number[] = []
  try {
    for (let n = 0; n < urgent; n++) {
      const email = `urgent-${n}@shop.example`
      const recipient = await account(email)
      const committed = await database
        .transaction({}, async (db) => {
          await queueMail(db, { kind: 'password_changed', recipient })
          if (isOneQueue) await db(moveToNotifications)
        })
        .then(() => performance.now())
      while (!relay.received.some(({ to }) => to === email)) await relay.arrived(relay.received.length + 1)
      const arrivedAt = relay.received.find(({ to }) => to === email)?.at ?? Number.NaN
      times.push(arrivedAt - committed)
    }
    const [row] = await database.run(waitingTimers)
    times.sort((one, other) => one - other)
    const at = (part: number) =>
      Math.round(times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN)
    return { waiting, urgent, p50Ms: at(0.5), p99Ms: at(0.99), stillWaiting: row?.count ?? 0 }
  } finally {
    await worker?.stop()
    await relay.stop()
    await database.close()
  }
}

export const PROMISED_MS = 2000

/** The fault of the figures; undefined if the guarantee held. */
export function faultOf({ p99Ms, stillWaiting }: MailLatencyFigures): string | undefined {
  if (stillWaiting === 0) return 'no notification was waiting any more, so nothing was measured'
  return p99Ms > PROMISED_MS ? `an urgent mail took ${p99Ms} ms` : undefined
}
