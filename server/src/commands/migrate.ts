// `petstore migrate`: shows the pending migrations, or applies them; `start` applies them as well.

import type { Config } from '../program/config.ts'
import { migrate, planMigrations, type PlannedMigration } from '../foundation/postgres/migrate.io.ts'
import { applicationNameOf, release } from '../program/release.ts'
import { columns } from './command.ts'

export type MigrateFlags = { plan?: true; contract?: true; json?: true; retry: boolean }

type Streams = { print: (text: string) => void; warn: (text: string) => void }

export async function runMigrate(config: Config, flags: MigrateFlags, { print, warn }: Streams): Promise<void> {
  const options = { applicationName: applicationNameOf('migrate'), version: release.version }
  if (flags.plan) {
    const planned = await planMigrations(ownerUrlOf(config), options)
    return print(flags.json ? JSON.stringify({ pending: planned }) : planText(planned))
  }
  const { applied, left } = await migrate(ownerUrlOf(config), {
    ...options,
    isContract: flags.contract === true,
    isRetrying: flags.retry,
    report: warn,
  })
  if (flags.json) return print(JSON.stringify({ applied, left }))
  print(applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`)
  if (left.length > 0) print(`Left for "migrate --contract", once no older release runs: ${left.join(', ')}.`)
}

export function ownerUrlOf({ databaseOwnerUrl }: Config): string {
  if (!databaseOwnerUrl) throw new Error('DATABASE_OWNER_URL is required (the role petstore_owner).')
  return databaseOwnerUrl.reveal()
}

function planText(planned: readonly PlannedMigration[]): string {
  if (planned.length === 0) return 'The schema is up to date.'
  return columns([
    ['migration', 'phase', 'oldest release', 'locks'],
    ...planned.map(({ name, phase, oldestRelease, locks }) => [name, phase, oldestRelease, locksText(locks)]),
  ])
}

const locksText = (locks: PlannedMigration['locks']): string =>
  locks.length === 0 ? 'none' : locks.map(({ table, mode, bytes }) => `${table} ${mode}${sizeText(bytes)}`).join(', ')

const MEGABYTE = 1_000_000

/** A table that does not exist yet has no size. */
const sizeText = (bytes: number | null): string =>
  bytes === null ? '' : ` (${bytes < MEGABYTE ? 'under 1' : Math.round(bytes / MEGABYTE)} MB)`
