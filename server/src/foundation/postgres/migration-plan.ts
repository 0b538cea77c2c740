// Decisions about migrations: which are pending, whether a release runs on a schema that a newer one has migrated,
// which of the pending ones may be applied now, and how long to wait after a lock timeout.

import { MigrationError, type Migration } from './migration-file.ts'

/** As recorded in the database; without an oldest release, no other release runs on the schema. */
export type AppliedMigration = { name: string; digest: string; oldestRelease: string | null }

export const MIGRATE_FIRST = 'Run the command "migrate" first.'

export type MigrationPlan = {
  /** In the order of their names. */
  pending: readonly Migration[]
  /** Applied by a newer release. */
  unknown: readonly AppliedMigration[]
  /** Nothing was ever applied, so no release runs on this schema. */
  isNew: boolean
}

export function planOf(known: readonly Migration[], applied: readonly AppliedMigration[]): MigrationPlan {
  const knownByName = new Map(known.map((migration) => [migration.name, migration]))
  const changed = applied.find(({ name, digest }) => (knownByName.get(name)?.digest ?? digest) !== digest)
  if (changed) throw new MigrationError(`${changed.name} was changed after it had been applied.`)
  const names = new Set(applied.map(({ name }) => name))
  return {
    pending: known.filter(({ name }) => !names.has(name)),
    unknown: applied.filter(({ name }) => !knownByName.has(name)),
    isNew: applied.length === 0,
  }
}

/** Why a release cannot run on a schema, and what an operator does about it. */
export type SchemaTrouble = { sentence: string; remedy: string }

/** The first of the migrations of checkouts from before the first release, which the baseline replaced. */
export const FIRST_BEFORE_BASELINE = '0001-projects.sql'

const beforeBaseline: SchemaTrouble = {
  sentence: `A checkout from before the first release migrated the database (${FIRST_BEFORE_BASELINE}); no release continues from there.`,
  remedy:
    'Create a new database, set DATABASE_URL and DATABASE_OWNER_URL to it, and run "migrate". To keep animals, export them in the dashboard of that checkout, and import the file.',
}

/** Undefined if this release can run on a schema with these migrations. */
export function compatibilityTrouble(
  { unknown }: Pick<MigrationPlan, 'unknown'>,
  version: string,
): SchemaTrouble | undefined {
  if (unknown.some(({ name }) => name === FIRST_BEFORE_BASELINE)) return beforeBaseline
  const tooNew = unknown.filter(({ oldestRelease }) => oldestRelease === null || isOlder(version, oldestRelease))
  if (tooNew.length === 0) return undefined
  const names = tooNew.map(({ name }) => name).join(', ')
  const oldest = tooNew
    .map(({ oldestRelease }) => oldestRelease)
    .reduce((one, other) => (one === null || other === null ? null : isOlder(one, other) ? other : one))
  return {
    sentence: `The database holds ${names}, which this release (${version}) does not know.`,
    remedy: oldest === null ? 'Use the release that applied it.' : `Use release ${oldest} or a later one.`,
  }
}

/** Undefined if a process of this release may start. Contract migrations can wait. */
export function startTrouble(plan: MigrationPlan, version: string): SchemaTrouble | undefined {
  const trouble = compatibilityTrouble(plan, version)
  const lacking = plan.pending.filter(({ phase }) => phase === 'expand')
  if (trouble !== undefined || lacking.length === 0) return trouble
  return { sentence: `The schema lacks ${lacking.map(({ name }) => name).join(', ')}.`, remedy: MIGRATE_FIRST }
}

/** A new schema gets all of them at once: no older release can be running on it. */
export const toApply = ({ pending, isNew }: MigrationPlan, isContract: boolean): readonly Migration[] =>
  isContract || isNew ? pending : pending.filter(({ phase }) => phase === 'expand')

/** A process that is connected to the database, by its `application_name`. */
type RunningProcess = { version: string; name: string }

/** `petstore/<version> <role> <host>`; other programs are not ours to judge. */
export function runningProcess(applicationName: string): RunningProcess | undefined {
  const version = /^petstore\/(\d+\.\d+\.\d+)\S* /.exec(applicationName)?.[1]
  return version === undefined ? undefined : { version, name: applicationName }
}

/** The reason why these migrations must wait: processes of releases that do not run on the schema afterwards. */
export function contractTrouble(
  migrations: readonly Migration[],
  applicationNames: readonly string[],
): string | undefined {
  const contracts = migrations.filter(({ phase }) => phase === 'contract')
  const older = applicationNames
    .flatMap((name) => runningProcess(name) ?? [])
    .filter(({ version }) => contracts.some(({ oldestRelease }) => isOlder(version, oldestRelease)))
  if (older.length === 0) return undefined
  const names = contracts.map(({ name }) => name).join(', ')
  return `${names} must wait: older releases still run (${older.map(({ name }) => name).join('; ')}). Upgrade or stop them first.`
}

/** By major, minor and patch; a missing patch is 0, and what follows (`-rc.1`) does not count. */
export function isOlder(version: string, than: string): boolean {
  const [left, right] = [partsOf(version), partsOf(than)]
  const differing = left.findIndex((part, index) => part !== right[index])
  return differing !== -1 && (left[differing] ?? 0) < (right[differing] ?? 0)
}

const partsOf = (version: string): number[] => {
  const [, major, minor, patch] = /^(\d+)\.(\d+)(?:\.(\d+))?/.exec(version) ?? []
  return [major, minor, patch].map((part) => Number(part ?? 0))
}

const RETRIES = 20
const RETRY_SECONDS_MAX = 30

/** Seconds before each retry after a lock timeout: 1, 2, 4 … 30, twenty times. */
export const lockRetrySeconds: readonly number[] = Array.from({ length: RETRIES }, (_, index) =>
  Math.min(2 ** index, RETRY_SECONDS_MAX),
)
