// The operator's command for background jobs: what waits for a worker, and what fails.

import { Command } from 'commander'
import { extendDeadline } from '../foundation/postgres/postgres.io.ts'
import { listKindsOfJobs, type KindOfJob } from '../foundation/postgres/timer-status.io.ts'
import { timeText } from '../foundation/time.ts'
import { columns, withDatabase, type Invocation } from './command.ts'

/** It reads all timers, and there may be millions. */
const DEADLINE_SECONDS = 60

export function jobCommands(invocation: Invocation): Command {
  const jobs = new Command('jobs')
  jobs
    .command('status')
    .description('show, by kind, how many jobs are scheduled, due and failing, and since when the oldest has been due')
    .option('--json', 'print one JSON object')
    .action(async ({ json }: { json?: true }) => {
      const { config, print } = invocation()
      const kinds = await withDatabase(config, (database) =>
        database.transaction({}, async (db) => {
          await extendDeadline(db, DEADLINE_SECONDS)
          return listKindsOfJobs(db)
        }),
      )
      print(json ? JSON.stringify({ kinds }) : statusText(kinds))
    })
  return jobs
}

function statusText(kinds: readonly KindOfJob[]): string {
  if (kinds.length === 0) return 'Nothing is scheduled.'
  const lines = kinds.map(({ kind, scheduled, due, oldestDueAt, failing, failuresMax }) => [
    kind,
    String(scheduled),
    String(due),
    oldestDueAt === null ? '' : timeText(oldestDueAt),
    failing === 0 ? '0' : `${failing}, up to ${failuresMax} times in a row`,
  ])
  return columns([['KIND', 'SCHEDULED', 'DUE', 'OLDEST DUE SINCE', 'FAILING'], ...lines])
}
