// Workers that send mail are killed at random and replaced, until every mail is sent. None may be
// lost, and a kill may repeat at most the mails that the worker was sending.

import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { noticeKinds } from '../../../server/src/accounts/account-actions.ts'
import { insertAccount } from '../../../server/src/accounts/account-queries.ts'
import { newId } from '../../../server/src/foundation/ids.io.ts'
import { openDatabase, statement, type Database } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { queueMail } from '../../../server/src/program/mail-kinds.ts'
import { startMailRelay, type TestRelay } from '../../harness/mail-relay.ts'
import { startReportingWorker, type ReportingWorker } from '../../harness/reporting-worker.ts'
import type { MailOrders, MailReport, MailSabotage } from './worker.ts'

export type MailKillOptions = {
  mails: number
  kills: number
  workers: number
  /** Of one worker. */
  perSecond: number
  sabotage?: MailSabotage | undefined
}

export type MailKillFigures = {
  mails: number
  kills: number
  /** Mails that never arrived. */
  lost: number
  /** Mails that arrived again, beyond the first time. */
  duplicates: number
  seconds: number
}

const openTimers = statement<{ count: number }, []>(
  'kill-open-mails',
  `select count(*)::int as count from due_directory where kind in ('mail', 'mail_urgent')`,
)
const mailIds = statement<{ id: string }, []>('kill-mail-ids', `select id from mail_directory`)

const worker = join(import.meta.dirname, 'worker.ts')

export async function killMailWorkers(appUrl: string, options: MailKillOptions): Promise<MailKillFigures> {
  const { mails, kills, workers: count, perSecond, sabotage } = options
  const startedAt = performance.now()
  const database = openDatabase({ url: appUrl, poolMax: 4, onError: () => {} })
  const relays = await Promise.all(Array.from({ length: count }, startHoldingRelay))
  const running = new Set<ReportingWorker<MailReport>>()
  const begin = async ({ relay }: HoldingRelay) => {
    const settings = {
      DATABASE_URL: appUrl,
      SMTP_URL: relay.url,
      MAIL_FROM: 'no-reply@petstore.example',
      SMTP_PER_SECOND: String(perSecond),
    }
    const started = await startReportingWorker<MailReport>(worker, { settings, sabotage } satisfies MailOrders)
    running.add(started)
    return started
  }
  const open = async () => (await database.run(openTimers))[0]?.count ?? 0
  try {
    await queueMails(database, mails)
    const children = await Promise.all(relays.map(begin))
    let killed = 0
    while ((await open()) > 0) {
      await setTimeout(Math.random() * 200)
      if (killed >= kills) continue
      const index = killed % count
      const [victim, holding] = [children[index], relays[index]]
      if (!victim || !holding) continue
      // In the middle of sending: in turn before a mail has arrived, and right after one has.
      const { relay } = holding
      const midway = (killed / count) % 2 < 1 ? holding.held() : relay.arrived(relay.received.length + 1)
      // The others may have sent what was left.
      while (!(await Promise.race([midway.then(() => true), setTimeout(500, false)]))) {
        if ((await open()) === 0) break
      }
      if ((await open()) === 0) continue
      await victim.kill()
      running.delete(victim)
      killed += 1
      children[index] = await begin(holding)
    }
    const received = relays.flatMap(({ relay }) => relay.received)
    const arrived = received.map(({ messageId }) => messageId.split('@')[0] ?? '')
    const wanted = (await database.run(mailIds)).map(({ id }) => id)
    const unique = new Set(arrived)
    return {
      mails,
      kills: killed,
      lost: wanted.filter((id) => !unique.has(id)).length,
      duplicates: arrived.length - unique.size,
      seconds: Math.round((performance.now() - startedAt) / 1000),
    }
  } finally {
    await Promise.all([...running].map((one) => one.kill()))
    await Promise.all(relays.map(({ relay }) => relay.stop()))
    await database.close()
  }
}

type HoldingRelay = { relay: TestRelay; held: () => Promise<void> }

/** The relay of one worker. `held` resolves when a mail has begun, which then waits for its reply forever. */
async function startHoldingRelay(): Promise<HoldingRelay> {
  let hold: (() => void) | undefined
  const onRecipient = () => {
    if (!hold) return undefined
    hold()
    hold = undefined
    return 'hang'
  }
  return { relay: await startMailRelay({ onRecipient }), held: () => new Promise((resolve) => (hold = resolve)) }
}

/** To as many accounts as the limits per recipient require. */
async function queueMails(database: Database, mails: number): Promise<void> {
  for (let queued = 0; queued < mails;) {
    const id = newId('acc')
    await insertAccount(database.run, { id, email: `${id}@shop.example`, name: 'Mia', password: 'none' })
    const some = noticeKinds.slice(0, mails - queued)
    await database.transaction({}, async (db) => {
      for (const kind of some) await queueMail(db, { kind, recipient: id })
    })
    queued += some.length
  }
}

/** The fault of the figures; undefined if the guarantee held. */
export function faultOf({ lost, duplicates, kills }: MailKillFigures, sendingAtOnce: number): string | undefined {
  if (lost > 0) return `${lost} mails were lost`
  const most = kills * sendingAtOnce
  return duplicates > most ? `${duplicates} mails arrived again, after ${kills} kills` : undefined
}
