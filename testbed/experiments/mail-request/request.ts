// How long the mail to the owner takes from the commit of a visitor's request to the relay's 250,
// while other mails are waiting.

import { insertAccount, type AccountId } from '../../../server/src/accounts/account-queries.ts'
import { parseConfig } from '../../../server/src/program/config.ts'
import { newId } from '../../../server/src/foundation/ids.io.ts'
import { openDatabase, statement, type Database } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { setTimer } from '../../../server/src/foundation/postgres/timer-leases.io.ts'
import { startMail } from '../../../server/src/program/mail-deps.ts'
import { timerOf } from '../../../server/src/mail/kinds.ts'
import type { QueueMail } from '../../../server/src/mail/queue.io.ts'
import { mailKinds, queueMail as queueInOrder, type MailKindName } from '../../../server/src/program/mail-kinds.ts'
import { reserve } from '../../../server/src/orders/reservations.io.ts'
import { insert as insertPets } from '../../../server/src/animals/pet-queries.ts'
import { insertMember } from '../../../server/src/projects/project-queries.ts'
import { createProject } from '../../../server/src/projects/projects.io.ts'
import { inProjectOf } from '../../../server/src/projects/scope.io.ts'
import { startMailRelay } from '../../harness/mail-relay.ts'

export type MailRequestOptions = {
  /** Other mails that wait. */
  waiting: number
  /** Requests, one after the other, each in a store of its own. */
  requests: number
  /** Negative control: the mails about requests wait in turn. */
  isInTurn?: boolean
}

export type MailRequestFigures = {
  waiting: number
  requests: number
  p50Ms: number
  p95Ms: number
  maxMs: number
  stillWaiting: number
}

const queueOthers = statement<never, [recipient: string, count: number]>(
  'request-others',
  `with mails as (
     insert into mail_directory (project_id, id, kind, recipient, valid_until, is_counted)
     select 0, 'mail_' || lpad(to_hex(n), 24, '0'), 'password_changed', $1, now() + interval '1 day', true
     from generate_series(1, $2::int) n
     returning id
   )
   insert into due_directory (kind, project_id, id, due_at)
   select 'mail', 0, id, now() from mails`,
)
const waitingMails = statement<{ count: number }, []>(
  'request-waiting',
  `select count(*)::int as count from due_directory where kind = 'mail' and project_id = 0`,
)

export async function measureMailRequest(appUrl: string, options: MailRequestOptions): Promise<MailRequestFigures> {
  const { waiting, requests, isInTurn = false } = options
  const database = openDatabase({ url: appUrl, poolMax: 10, onError: () => {} })
  const relay = await startMailRelay()
  const config = parseConfig({ DATABASE_URL: appUrl, SMTP_URL: relay.url, MAIL_FROM: 'no-reply@petstore.example' })
  const inProject = inProjectOf(database)
  const queueMail = isInTurn ? inTurn(queueInOrder) : queueInOrder
  await database.run(queueOthers, await account(database, 'busy@shop.example'), waiting)
  const stores = []
  for (let n = 0; n < requests; n++) stores.push(await openStore(database, n))

  const worker = startMail(config, database, { pauseMs: 100, onError: () => {} })
  const times: number[] = []
  try {
    for (const { project, petId, email } of stores) {
      const visitor = { name: 'Ben', contact: '+44 20 7946 0958', message: 'May I see him on Saturday?' }
      const committed = await reserve({ inProject, queueMail }, project, { petId, ...visitor }).then(() =>
        performance.now(),
      )
      while (!relay.received.some(({ to }) => to === email)) await relay.arrived(relay.received.length + 1)
      times.push((relay.received.find(({ to }) => to === email)?.at ?? Number.NaN) - committed)
    }
    const [row] = await database.run(waitingMails)
    times.sort((one, other) => one - other)
    const at = (part: number) =>
      Math.round(times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN)
    return { waiting, requests, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1), stillWaiting: row?.count ?? 0 }
  } finally {
    await worker?.stop()
    await relay.stop()
    await database.close()
  }
}

/** As if no kind went before others of its queue. */
const inTurn =
  (queueMail: QueueMail<MailKindName>): QueueMail<MailKindName> =>
  async (db, mail) => {
    const id = newId('mail')
    await queueMail(db, { ...mail, id })
    await setTimer(db, { kind: timerOf[mailKinds[mail.kind].queue], project: mail.project ?? 0n, id })
  }

async function account(database: Database, email: string): Promise<AccountId> {
  const made = await insertAccount(database.run, { id: newId('acc'), email, name: 'Mia', password: 'none' })
  if (!made) throw new Error(`${email} is taken`)
  return made.id
}

/** With an owner and an animal. */
async function openStore(database: Database, n: number) {
  const email = `owner-${n}@shop.example`
  const owner = await account(database, email)
  const project = await createProject(database, { slug: `store-${n}`, name: `Store ${n}` })
  await inProjectOf(database)(project, (db) => insertMember(db, project, owner, 'owner'))
  const pet = { name: 'Rex', categoryId: 1n, status: 'available' } as const
  const [animal] = await insertPets(database.run, [{ project, pet }])
  if (!animal) throw new Error('no animal was added')
  return { project, petId: animal.id, email }
}

export const PROMISED_MS = 5000

/** The fault of the figures; undefined if the guarantee held. */
export function faultOf({ p95Ms, stillWaiting }: MailRequestFigures): string | undefined {
  if (p95Ms > PROMISED_MS) return `the mail about a request took ${p95Ms} ms`
  return stillWaiting === 0 ? 'no other mail was waiting any more, so nothing was measured' : undefined
}
