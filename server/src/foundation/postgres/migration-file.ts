// Migration files: SQL below a header that declares what an operator and an older release must know before it is
// applied. The digest of a migration covers its SQL and not the header, so a header can be corrected afterwards.
//
//   -- phase: expand               or contract: removes what older releases still use
//   -- oldest-release: 1.3         the oldest release that runs on the schema afterwards
//   -- locks: pets share           a line for each existing table that it locks, or `none`
//   -- transaction: none           for `create index concurrently` and for `call`, which fills in parts; must be repeatable

import { hash } from 'node:crypto'

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
export type TableLock = { table: string; mode: LockMode }

/** Those that a migration must declare: weaker ones are what every statement of the service holds. */
export const declaredModes = [
  'share update exclusive',
  'share',
  'share row exclusive',
  'exclusive',
  'access exclusive',
] as const
export type LockMode = (typeof declaredModes)[number]

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
