// The workers that send mail, from the configuration. Urgent mails and notifications have their
// own timers and their own connections, so a backlog of the one never delays the other.

import { randomBytes } from 'node:crypto'
import { accountComposers } from './accounts/compose.io.ts'
import type { Config } from './config.ts'
import type { Database } from './foundation/postgres/postgres.io.ts'
import { runTimers, type Worker } from './foundation/postgres/timers.io.ts'
import { messageFormat, openRelay } from './foundation/smtp/relay.io.ts'
import { paceOf } from './foundation/pace.io.ts'
import { mailWork, type Composers } from './mail/jobs.io.ts'
import { mailQueues, timerOf, type MailQueue } from './mail/kinds.ts'

/** A mail whose relay hangs must not be the only one that urgent mails depend on. */
const URGENT_CONNECTIONS = 2

export type MailOptions = { pauseMs: number; onError: (error: Error) => void; claimSeconds?: number | undefined }

/** Every kind of mail, and the feature that writes it. */
const composersOf = (config: Config, { run }: Database): Composers => ({
  ...accountComposers({ run, dashboardOrigin: config.dashboardOrigin, randomBytes, mode: config.signUp }),
})

/** Undefined if mail is off or held. */
export function startMail(config: Config, database: Database, options: MailOptions): Worker | undefined {
  const { mail } = config
  if (!mail || mail.isHeld) return undefined
  const { relay: settings, from, dkim, connections, perSecond } = mail
  const format = messageFormat(dkim)
  const composers = composersOf(config, database)
  const pace = paceOf(perSecond)
  const running = mailQueues.map((queue: MailQueue) => {
    const relay = openRelay(settings)
    const work = mailWork({ database, queue, relay, format, from, composers, pace, claimSeconds: options.claimSeconds })
    const worker = runTimers({
      run: database.run,
      kinds: { [timerOf[queue]]: work },
      atOnce: queue === 'urgent' ? URGENT_CONNECTIONS : connections,
      pauseMs: options.pauseMs,
      onError: options.onError,
    })
    return { relay, worker }
  })
  return {
    async stop() {
      await Promise.all(running.map(({ worker }) => worker.stop()))
      for (const { relay } of running) relay.close()
    },
  }
}
