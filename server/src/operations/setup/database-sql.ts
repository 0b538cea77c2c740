// The SQL that prepares PostgreSQL: two roles without special rights, one that reads everything for backups, one database,
// and the deadlines of the program on its role, for a pooler that does not pass them on. Only what is missing. Pure.

export const OWNER = 'petstore_owner'
export const APP = 'petstore_app'
export const BACKUP = 'petstore_backup'
export const DATABASE = 'petstore'

export type DatabaseState = Readonly<{
  /** As in `server_version_num`. */
  versionNumber: number
  /** Existing roles, with the settings that they begin with, such as `lock_timeout=500ms`. */
  roles: Readonly<Record<string, readonly string[]>>
  hasDatabase: boolean
  /** Whether every role may connect to the database. */
  isOpenToAll: boolean
  canAppConnect: boolean
  canBackupConnect: boolean
  /** Whether the role for backups sees every row, or cannot be given that right: `migrate` gives it the right to each table. */
  canBackupRead: boolean
  /** Whether the administrator may give the database to its owner: since 16, creating a role gives no right to be it. */
  canActAsOwner: boolean
}>

/** Of a server that is not asked. */
export const nothingYet: DatabaseState = {
  versionNumber: 170_000,
  roles: {},
  hasDatabase: false,
  isOpenToAll: false,
  canAppConnect: false,
  canBackupConnect: false,
  canBackupRead: false,
  canActAsOwner: false,
}

const canConnect = (role: string) => `coalesce((
      select has_database_privilege(pg_roles.oid, pg_database.oid, 'connect') from pg_roles, pg_database
      where rolname = '${role}' and datname = '${DATABASE}'), false)`

/** One JSON object in the column `state`. */
export const stateQuery = `
  select json_build_object(
    'versionNumber', current_setting('server_version_num')::integer,
    'roles', coalesce((
      select json_object_agg(rolname, coalesce(to_json(rolconfig), '[]')) from pg_roles
      where rolname in ('${OWNER}', '${APP}', '${BACKUP}')), '{}'),
    'hasDatabase', exists (select from pg_database where datname = '${DATABASE}'),
    'isOpenToAll', coalesce((
      select has_database_privilege('public', oid, 'connect') from pg_database where datname = '${DATABASE}'), false),
    'canAppConnect', ${canConnect(APP)},
    'canBackupConnect', ${canConnect(BACKUP)},
    'canActAsOwner', coalesce((select pg_has_role(oid, 'usage') and pg_has_role(oid, 'set') from pg_roles
      where rolname = '${OWNER}'), (select rolsuper from pg_roles where rolname = current_user)),
    'canBackupRead', not (select rolsuper from pg_roles where rolname = current_user) or coalesce((
      select rolbypassrls and pg_has_role(oid, 'pg_read_all_data', 'usage') from pg_roles where rolname = '${BACKUP}'), false)
  ) as state`

/** `hidden` is what the plan shows of a statement that contains a password. */
export type SqlStatement = Readonly<{ text: string; shown: string }>

export type Password = Readonly<{ text: string; /** Just generated, so the role cannot have it yet. */ isNew: boolean }>

/** The parameters that the program sends when it connects. */
const deadlines: Readonly<Record<string, string>> = {
  statement_timeout: '1500ms',
  lock_timeout: '500ms',
  idle_in_transaction_session_timeout: '5s',
  plan_cache_mode: 'force_generic_plan',
}

export function databaseSql(
  state: DatabaseState,
  passwords: Readonly<{ owner: Password; app: Password; backup: Password }>,
): readonly SqlStatement[] {
  const present = state.roles[APP] ?? []
  return [
    ...roleSql(state, OWNER, passwords.owner),
    ...(state.canActAsOwner ? [] : [plain(`grant ${OWNER} to current_user with inherit true, set true`)]),
    ...roleSql(state, APP, passwords.app),
    ...roleSql(state, BACKUP, passwords.backup),
    ...(state.canBackupRead
      ? []
      : [plain(`alter role ${BACKUP} bypassrls`), plain(`grant pg_read_all_data to ${BACKUP}`)]),
    ...Object.entries(deadlines)
      .filter(([name, value]) => !present.includes(`${name}=${value}`))
      .map(([name, value]) => plain(`alter role ${APP} set ${name} = '${value}'`)),
    ...(state.hasDatabase ? [] : [plain(`create database ${DATABASE} owner ${OWNER}`)]),
    ...(state.hasDatabase && !state.isOpenToAll
      ? []
      : [plain(`revoke connect, temporary on database ${DATABASE} from public`)]),
    ...connectSql(state, APP, state.canAppConnect),
    ...connectSql(state, BACKUP, state.canBackupConnect),
  ]
}

/** A right that comes with `public` is gone once that is revoked. */
const connectSql = ({ isOpenToAll }: DatabaseState, role: string, isThere: boolean): readonly SqlStatement[] =>
  isThere && !isOpenToAll ? [] : [plain(`grant connect on database ${DATABASE} to ${role}`)]

function roleSql({ roles }: DatabaseState, role: string, password: Password): readonly SqlStatement[] {
  const isThere = role in roles
  if (isThere && !password.isNew) return []
  const start = `${isThere ? 'alter' : 'create'} role ${role} login password`
  return [{ text: `${start} '${password.text.replaceAll("'", "''")}'`, shown: `${start} '[secret]'` }]
}

const plain = (text: string): SqlStatement => ({ text, shown: text })
