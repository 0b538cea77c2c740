// A claim lasts 3 s here instead of 90 s, and the rate is not limited.

import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'
import { faultOf, killMailWorkers } from './kill.ts'

/** Connections of one worker for urgent mail, and for notifications. */
const SENDING_AT_ONCE = 4

const flags = readFlags('mail-kill')
await using postgres = await startTemporaryPostgres()
const { appUrl } = await postgres.createDatabase()
const figures = await killMailWorkers(appUrl, {
  mails: Number(flags.mails),
  kills: Number(flags.kills),
  workers: Number(flags.workers),
  perSecond: 1000,
  sabotage: flags.forgetful ? 'forgetful' : undefined,
})
conclude(flags, figures, faultOf(figures, SENDING_AT_ONCE))
