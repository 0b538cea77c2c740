// Decisions about migrations: which are pending, whether a release runs on a schema that a newer one has migrated,
// which of the pending ones may be applied now, and how long to wait after a lock timeout.

import { hash } from 'node:crypto'

// Migration files: SQL below a header that declares what an operator and an older release must know before it is
// applied. The digest of a migration covers its SQL and not the header, so a header can be corrected afterwards.
//
//   -- phase: expand               or contract: removes what older releases still use
//   -- oldest-release: 1.3         the oldest release that runs on the schema afterwards
//   -- locks: pets share           a line for each existing table that it locks, or `none`
//   -- transaction: none           for `create index concurrently` and for `call`, which fills in parts; must be repeatable

export type Migration = {
  name: string
  digest: string
  phase: 'expand' | 'contract'
  oldestRelease: string
  locks: readonly TableLock[]
  isTransactional: boolean
  text: string
}

/** The strongest lock that a migration holds on a table that existed before it. */
type TableLock = { table: string; mode: LockMode }

/** Those that a migration must declare: weaker ones are what every statement of the service holds. */
export const declaredModes = [
  'share update exclusive',
  'share',
  'share row exclusive',
  'exclusive',
  'access exclusive',
] as const
type LockMode = (typeof declaredModes)[number]

export class MigrationError extends Error {}

const headerLine = /^-- (phase|oldest-release|locks|transaction):(.*)$/

export function parseMigration(name: string, file: string): Migration {
  const lines = file.split('\n')
  const length = lines.findIndex((line) => !headerLine.test(line))
  const values = (key: string) =>
    lines.slice(0, length).flatMap((line) => {
      const [, found, value = ''] = headerLine.exec(line) ?? []
      return found === key ? [value.trim()] : []
    })
  const only = (key: string, form: RegExp): string => {
    const [value, ...more] = values(key)
    if (value !== undefined && more.length === 0 && form.test(value)) return value
    throw new MigrationError(`The header of ${name} must have one line "-- ${key}: …", in the form ${form.source}.`)
  }
  const text = lines.slice(lines[length] === '' ? length + 1 : length).join('\n')
  return {
    name,
    digest: hash('sha256', text),
    phase: only('phase', /^(expand|contract)$/) === 'expand' ? 'expand' : 'contract',
    oldestRelease: only('oldest-release', /^\d+\.\d+(\.\d+)?$/),
    locks: locksOf(name, values('locks')),
    isTransactional: values('transaction').length === 0 || only('transaction', /^none$/) !== 'none',
    text,
  }
}

function locksOf(name: string, values: readonly string[]): TableLock[] {
  if (values.length === 1 && values[0] === 'none') return []
  const locks = values.map((value) => {
    const [table = '', ...words] = value.split(' ')
    const mode = declaredModes.find((known) => known === words.join(' '))
    if (mode === undefined) throw new MigrationError(`The header of ${name} declares no lock by "${value}".`)
    return { table, mode }
  })
  if (locks.length === 0) throw new MigrationError(`The header of ${name} must declare its locks, or "none".`)
  return locks
}

/** The statements of a migration without a transaction: each ends with a semicolon at the end of a line. */
export const statementsOf = ({ text }: Pick<Migration, 'text'>): string[] =>
  text
    .replaceAll(/^--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')

/** The modes, as `pg_locks` names them, that a transaction which asks for this lock has to wait for. */
export const conflictsOf = (mode: LockMode): readonly string[] => conflicts[mode]

export const pgLockName = (mode: string): string =>
  `${mode.replaceAll(/(^| )([a-z])/g, (_, __, letter: string) => letter.toUpperCase())}Lock`

const strong = declaredModes.map(pgLockName)
const conflicts: Readonly<Record<LockMode, readonly string[]>> = {
  'share update exclusive': strong,
  share: ['RowExclusiveLock', ...strong.filter((name) => name !== 'ShareLock')],
  'share row exclusive': ['RowExclusiveLock', ...strong],
  exclusive: ['RowShareLock', 'RowExclusiveLock', ...strong],
  'access exclusive': ['AccessShareLock', 'RowShareLock', 'RowExclusiveLock', ...strong],
}

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
