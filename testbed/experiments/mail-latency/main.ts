// Both kinds of mails, each beside mails of its own that wait.

import { startTemporaryPostgres } from '../../harness/temporary-postgres.ts'
import { readFlags } from '../flags.ts'
import { conclude } from '../outcome.ts'
import { faultOf, measureMailLatency } from './run.ts'

const flags = readFlags('mail-latency')
await using postgres = await startTemporaryPostgres()
const size = { waiting: Number(flags.waiting), mails: Number(flags.mails), isInTurn: flags['in-turn'] }
const measure = async (what: 'urgent' | 'request') =>
  measureMailLatency((await postgres.createDatabase(what)).appUrl, { ...size, what })
const [urgent, request] = [await measure('urgent'), await measure('request')]
conclude(flags, { urgent, request }, faultOf(urgent), faultOf(request))
