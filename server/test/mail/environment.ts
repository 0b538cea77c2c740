// A database with accounts, a relay, and workers that send the mails of the outbox to it.

import { vi } from 'vitest'
import { atEnd } from '../../../testbed/harness/at-end.ts'
import { cloneDatabase, type TestDatabase } from '../../../testbed/harness/database.ts'
import { startMailRelay, type RelayOptions, type TestRelay } from '../../../testbed/harness/mail-relay.ts'
import { mailKindsOf } from '../../src/program/mail.ts'
import { mailKinds, queueMail, type MailKindName } from '../../src/program/mail-kinds.ts'
import { insertAccount } from '../../src/accounts/account-queries.ts'
import { newId } from '../../src/foundation/ids.io.ts'
import { openDatabase, statement, type Database } from '../../src/foundation/postgres/postgres.io.ts'
import { clearTimer, runTimers, setTimer, type Worker } from '../../src/foundation/postgres/timer-leases.io.ts'
import { messageFormat, openRelay, type RelayTimeouts } from '../../src/foundation/smtp/relay.io.ts'
import { mailWork, type SentKinds } from '../../src/mail/jobs.io.ts'
import { timerOf, type MailQueue } from '../../src/mail/kinds.ts'
import { mailQueue } from '../../src/mail/queue.io.ts'
import { defaultLimits } from '../../src/plans/limits.ts'

/** Waits for an event that no promise announces. */
export const until = (isSo: () => Promise<boolean>) => vi.waitUntil(isSo, { timeout: 30_000, interval: 20 })

export type OutboxRow = { id: string; kind: string; state: string; outcome: string | null; attempts: number }

const outboxRows = statement<OutboxRow, []>(
  'test-outbox',
  `select id, kind, state, outcome, attempts from mail_directory order by queued_at, id`,
)

export type MailEnvironment = {
  clone: TestDatabase
  database: Database
  relay: TestRelay
  account: (email: string) => Promise<string>
  queue: (recipient: string, kind?: MailKindName, queue?: MailQueue) => Promise<void>
  outbox: () => Promise<OutboxRow[]>
  kinds: SentKinds
  work: (options?: WorkerOptions) => ReturnType<typeof mailWork>
  startWorker: (options?: WorkerOptions) => Worker
  errors: Error[]
}

export type WorkerOptions = {
  queue?: MailQueue
  port?: number
  atOnce?: number
  kinds?: SentKinds
  timeouts?: RelayTimeouts
}

const timeouts = { connectMs: 5000, greetingMs: 5000, idleMs: 5000, attemptMs: 20_000 }

export async function startMailEnvironment(options: RelayOptions = {}, template?: string): Promise<MailEnvironment> {
  const clone = await cloneDatabase(template)
  const database = openDatabase({ url: clone.appUrl, poolMax: 10, onError: () => {} })
  const relay = await startMailRelay(options)
  const workers = new Set<Worker>()
  const errors: Error[] = []
  const from = { name: 'Petstore', address: 'no-reply@petstore.example' }
  const kinds = mailKindsOf(
    {
      dashboardOrigin: 'https://petstore.example',
      signUp: 'open',
      operatorEmail: 'operator@petstore.example',
      platformHost: 'petstore.test',
      siteScheme: 'http',
      platformNames: { tls: 'off', dnsUpdate: undefined, services: [] },
      limitTable: defaultLimits,
    },
    database,
  )

  const work = ({ queue = 'urgent', port = relay.port, ...given }: WorkerOptions = {}) =>
    mailWork({
      database,
      queue,
      relay: openRelay(
        { host: '127.0.0.1', port, tls: 'none', user: undefined, password: undefined, roots: undefined },
        given.timeouts ?? timeouts,
      ),
      format: messageFormat(undefined),
      from,
      kinds: given.kinds ?? kinds,
      newId,
      pace: () => Promise.resolve(),
    })

  atEnd(async () => {
    await Promise.all([...workers].map((worker) => worker.stop()))
    await relay.stop()
    await database.close()
  })

  return {
    clone,
    database,
    relay,
    errors,
    kinds,
    async account(email) {
      const account = await insertAccount(database.run, { id: newId('acc'), email, name: 'Mia', password: 'none' })
      if (!account) throw new Error(`${email} is taken`)
      return account.id
    },
    queue: (recipient, kind = 'password_changed', queue) =>
      database.transaction({}, async (db) => {
        if (queue === undefined) return queueMail(db, { kind, recipient })
        const id = newId('mail')
        await mailQueue(mailKinds, () => id)(db, { kind, recipient })
        await clearTimer(db, { kind: timerOf[mailKinds[kind].queue], project: 0n, id })
        await setTimer(db, { kind: timerOf[queue], project: 0n, id })
      }),
    outbox: () => database.run(outboxRows),
    work,
    startWorker(given = {}) {
      const { queue = 'urgent', atOnce = 2 } = given
      const worker = runTimers({
        run: database.run,
        kinds: { [timerOf[queue]]: work(given) },
        atOnce,
        pauseMs: 20,
        onError: (error) => void errors.push(error),
      })
      workers.add(worker)
      return {
        async stop() {
          workers.delete(worker)
          await worker.stop()
        },
      }
    },
  }
}
