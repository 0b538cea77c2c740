// A worker that sends mail, in a process of its own, so that it can be killed. Its argument is the
// settings as JSON, and how it breaks its guarantee, if it does.

import { parseConfig } from '../../../server/src/program/config.ts'
import { openDatabase, statement } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { startMail } from '../../../server/src/program/mail.ts'

export type MailSabotage = 'forgetful'
export type MailOrders = { settings: Record<string, string>; sabotage: MailSabotage | undefined }
export type MailReport = { kind: 'ready' }

const { settings, sabotage } = JSON.parse(process.argv[2] ?? '{}') as MailOrders
const config = parseConfig(settings)
const database = openDatabase({ url: config.databaseUrl.reveal(), poolMax: 8, onError: () => {} })
const options = { pauseMs: 20, onError: () => {}, claimSeconds: 3 }

/** Finishes the timer before the mail is sent. */
const forget = statement<never, [id: string]>('forget-timer', `delete from due_directory where id = $1`)
const forgetful: typeof startMail = (given, on, more) =>
  startMail(
    given,
    {
      ...on,
      transaction: async (values, work) => {
        const result = await on.transaction(values, work)
        const claimed = result as { mail?: { id: string } } | undefined
        if (claimed?.mail) await on.run(forget, claimed.mail.id)
        return result
      },
    },
    more,
  )

const start = sabotage === 'forgetful' ? forgetful : startMail
start(config, database, options)
process.send?.({ kind: 'ready' } satisfies MailReport)
process.on('disconnect', () => process.exit(0))
