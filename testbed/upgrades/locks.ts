// A migration that meets a reader: it names the reader, tries again until the table is free, and keeps no other statement
// waiting.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { copyRelease, migrationText, thisVersion } from './release-copy.ts'
import { spawnProgram } from '../harness/program.ts'
import { settingsOf, type DrillDatabase } from './store.ts'

export type LockOptions = { seconds: number; isRetrying: boolean }

export type LockFigures = {
  code: number | null
  errors: string
  /** The longest time that another reader of the table waited, in milliseconds. */
  longestWait: number
}

const READER = `petstore/${thisVersion} serve reader`

export async function migratePastReader(
  database: DrillDatabase,
  { seconds, isRetrying }: LockOptions,
): Promise<LockFigures> {
  using next = copyRelease('99.1.0', {
    '9001-weight.sql': migrationText(
      'expand',
      '1.0',
      'pets access exclusive',
      'alter table pets add column weight integer;',
    ),
  })
  const reader = await connect(database.appUrl, READER)
  const other = await connect(database.appUrl, 'other reader')
  try {
    await reader.query('begin')
    await reader.query('select from pets')
    const released = sleep(seconds * 1000).then(() => reader.query('commit'))
    const migration = spawnProgram(['migrate', ...(isRetrying ? [] : ['--no-retry'])], settingsOf(database), next)
    const over = new AbortController()
    const ended = migration.ended.finally(() => over.abort())
    let longestWait = 0
    while (!over.signal.aborted) {
      const startedAt = performance.now()
      await other.query('select from pets limit 1')
      longestWait = Math.max(longestWait, Math.round(performance.now() - startedAt))
      await sleep(5)
    }
    const { code, errors } = await ended
    await released
    return { code, errors, longestWait }
  } finally {
    await reader.end()
    await other.end()
  }
}

const WAIT_MAX_MS = 200

export function lockFault({ code, errors, longestWait }: LockFigures): string | undefined {
  if (!errors.includes('9001-weight.sql could not lock pets, which is in use by') || !errors.includes(READER)) {
    return `The reader was not named: ${errors}`
  }
  if (code !== 0) return `The migration ended with ${code}.`
  return longestWait >= WAIT_MAX_MS ? `Another reader waited for ${longestWait} ms.` : undefined
}

async function connect(connectionString: string, application_name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, application_name })
  await client.connect()
  return client
}
