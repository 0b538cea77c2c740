// The workers that send mail, from the configuration. Urgent mails and notifications have their
// own timers and their own connections, so a backlog of the one never delays the other.

import { randomBytes } from 'node:crypto'
import { accountComposers } from '../accounts/compose.io.ts'
import type { Config } from './config.ts'
import { deploymentComposers } from '../sites/publishing/compose.io.ts'
import { currentContent } from '../sites/publishing/deployment-queries.ts'
import type { Database, Db } from '../foundation/postgres/postgres.io.ts'
import { runTimers, type Worker } from '../foundation/postgres/timers.io.ts'
import { messageFormat, openRelay } from '../foundation/smtp/relay.io.ts'
import { paceOf } from '../foundation/load/pace.io.ts'
import { bounceAddress } from '../mail/bounce-address.ts'
import { mailWork, type Composers } from '../mail/jobs.io.ts'
import { domainComposers } from '../domains/alerts/compose.io.ts'
import { messageCodes } from '../mail/message-codes.io.ts'
import { mailQueues, timerOf, type MailQueue } from '../mail/kinds.ts'
import { newId } from '../foundation/ids.io.ts'
import { addressDigest } from '../mail/suppression-queries.ts'
import { orderComposers, type SiteOf } from '../orders/compose.io.ts'
import { confirmationComposer, statusUrls } from '../orders/confirmation-mail.io.ts'
import { digestComposers } from '../overview/compose.io.ts'
import { importComposers } from '../imports/compose.io.ts'
import { planComposers } from '../plans/compose.io.ts'
import { planRulesOf } from '../plans/limits.ts'
import { isInvited } from '../projects/directory.io.ts'
import { projectComposers } from '../projects/compose.io.ts'
import { inProjectOf } from '../projects/scope.io.ts'
import { requestUrls, type RequestLinkConfig } from './request-links.ts'

/** A mail whose relay hangs must not be the only one that urgent mails depend on. */
const URGENT_CONNECTIONS = 2

export type MailOptions = { pauseMs: number; onError: (error: Error) => void; claimSeconds?: number | undefined }

/** Every kind of mail, and the feature that writes it. */
export function composersOf(config: ComposerConfig, database: Database): Composers {
  const { dashboardOrigin, signUp, operatorEmail } = config
  const { run } = database
  const toVisitors = { requestUrlOf: requestUrls(config), codes: messageCodes(run, 'request', randomBytes) }
  const codes = messageCodes(run, 'unsubscribe', randomBytes)
  const toMembers = { run, inProject: inProjectOf(database), dashboardOrigin, codeOf: codes.codeOf }
  return {
    ...accountComposers({
      run,
      dashboardOrigin,
      randomBytes,
      mode: signUp,
      isInvited: (email) => isInvited(run, addressDigest(email)),
    }),
    ...projectComposers({ ...toMembers, randomBytes }),
    ...planComposers({ ...toMembers, operatorEmail }),
    ...importComposers(toMembers),
    ...orderComposers({
      ...toMembers,
      siteOf: storeSite,
      statusUrlOf: statusUrls(toVisitors),
      plans: planRulesOf(config.limitTable),
    }),
    request_confirm: confirmationComposer({ ...toMembers, ...toVisitors, siteOf: storeSite }),
    ...deploymentComposers(toMembers),
    ...digestComposers(toMembers),
    ...domainComposers(toMembers),
  }
}

/** The published site, for the mails to its visitors. */
const storeSite: SiteOf = async (db, project) => (await currentContent(db, project))?.content.settings

export type ComposerConfig = Pick<Config, 'dashboardOrigin' | 'signUp' | 'operatorEmail' | 'limitTable'> &
  RequestLinkConfig

/** Each mail has an envelope sender of its own, by which a report about it is recognised. */
export function envelopeSenders(run: Db, setting: string): (mail: string) => Promise<string> {
  const { codeOf } = messageCodes(run, 'bounce', randomBytes)
  return async (mail) => bounceAddress(setting, mail, await codeOf(mail))
}

/** Undefined if mail is off or held. */
export function startMail(config: Config, database: Database, options: MailOptions): Worker | undefined {
  const { mail } = config
  if (!mail || mail.isHeld) return undefined
  const { relay: settings, from, dkim, bounceAddress: setting, connections, perSecond } = mail
  const format = messageFormat(dkim)
  const composers = composersOf(config, database)
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
      composers,
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
