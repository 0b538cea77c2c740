// The workers that send mail, from the configuration. Urgent mails and notifications have their
// own timers and their own connections, so a backlog of the one never delays the other.

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from './config.ts'
import { currentContent } from '../sites/publishing/deployment-queries.ts'
import type { Database, Db } from '../foundation/postgres/postgres.io.ts'
import { runTimers, type Worker } from '../foundation/postgres/timer-leases.io.ts'
import { messageFormat, openRelay } from '../foundation/smtp/relay.io.ts'
import { TokenBucket } from '../foundation/load/token-bucket.ts'
import { bounceAddress } from '../mail/bounce-address.ts'
import { mailWork, type SentKinds } from '../mail/jobs.io.ts'
import { messageCodes } from '../mail/message-codes.io.ts'
import { mailQueues, timerOf, type MailQueue } from '../mail/kinds.ts'
import { newId } from '../foundation/ids.io.ts'
import { addressDigest } from '../mail/suppression-queries.ts'
import type { SiteOf } from '../orders/confirmation-mail.io.ts'
import { planRulesOf } from '../plans/limits.ts'
import { isInvited } from '../projects/directory.io.ts'
import { inProjectOf } from '../projects/scope.io.ts'
import { sentKinds } from './mail-kinds.ts'
import { orderUrls, type OrderUrlConfig } from './order-urls.ts'

/** A mail whose relay hangs must not be the only one that urgent mails depend on. */
const URGENT_CONNECTIONS = 2

/** Every kind of mail, for the workers of an installation. */
export function mailKindsOf(config: ComposerConfig, database: Database): SentKinds {
  const { dashboardOrigin, signUp, operatorEmail, limitTable } = config
  const { run } = database
  return sentKinds({
    run,
    inProject: inProjectOf(database),
    dashboardOrigin,
    randomBytes,
    mode: signUp,
    isInvited: (email) => isInvited(run, addressDigest(email)),
    codeOf: messageCodes(run, 'unsubscribe', randomBytes).codeOf,
    operatorEmail,
    plans: planRulesOf(limitTable),
    siteOf: storeSite,
    orderUrlOf: orderUrls(config),
    codes: messageCodes(run, 'request', randomBytes),
  })
}

/** The published site, for the mails to its visitors. */
const storeSite: SiteOf = async (db, project) => (await currentContent(db, project))?.content.settings

export type ComposerConfig = Pick<Config, 'dashboardOrigin' | 'signUp' | 'operatorEmail' | 'limitTable'> &
  OrderUrlConfig

/** Each mail has an envelope sender of its own, by which a report about it is recognised. */
export function envelopeSenders(run: Db, setting: string): (mail: string) => Promise<string> {
  const { codeOf } = messageCodes(run, 'bounce', randomBytes)
  return async (mail) => bounceAddress(setting, mail, await codeOf(mail))
}

/** Both queues share the pace. */
function paceOf(perSecond: number): () => Promise<void> {
  const bucket = new TokenBucket({ perSecond })
  return async () => {
    const waitMs = bucket.take(performance.now()) ?? 0
    if (waitMs >= 1) await sleep(waitMs)
  }
}

/** Undefined if mail is off or held. */
export function startMail(
  config: Config,
  database: Database,
  options: { pauseMs: number; onError: (error: Error) => void; claimSeconds?: number | undefined },
): Worker | undefined {
  const { mail } = config
  if (!mail || mail.isHeld) return undefined
  const { relay: settings, from, dkim, bounceAddress: setting, connections, perSecond } = mail
  const format = messageFormat(dkim)
  const kinds = mailKindsOf(config, database)
  const pace = paceOf(perSecond)
  const envelopeSenderOf = setting === undefined ? undefined : envelopeSenders(database.run, setting)
  const running = mailQueues.map((queue: MailQueue) => {
    const relay = openRelay(settings)
    const work = mailWork({
      database,
      queue,
      relay,
      format,
      from,
      envelopeSenderOf,
      kinds,
      newId,
      pace,
      claimSeconds: options.claimSeconds,
    })
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
