// A backup, then removals of every kind, then a restore into an empty database, by the commands that an operator runs. What
// was removed after the backup must stay so, and everything else be there.

import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deleteAccount } from '../../server/src/accounts/deletion.io.ts'
import { insertAccount, type AccountId } from '../../server/src/accounts/account-queries.ts'
import { addDomain, removeDomain } from '../../server/src/domains/domains.io.ts'
import { putRoute } from '../../server/src/fleet/directory.io.ts'
import { setSuspended } from '../../server/src/fleet/suspension.io.ts'
import { newId } from '../../server/src/foundation/ids.io.ts'
import { openDatabase, statement, type Database } from '../../server/src/foundation/postgres/postgres.io.ts'
import { appendManifest, digestOf, readManifest } from '../../server/src/operations/backup/backup-file.io.ts'
import { writeTombstones } from '../../server/src/operations/backup/tombstone-log.io.ts'
import { setPlan } from '../../server/src/plans/plans.io.ts'
import { parseConfig } from '../../server/src/program/config.ts'
import { contextOf } from '../../server/src/program/context.ts'
import { domainDepsOf } from '../../server/src/program/domains.ts'
import { createKey, revokeKey } from '../../server/src/projects/api-keys.io.ts'
import { findKeys } from '../../server/src/projects/directory.io.ts'
import { membershipsOf } from '../../server/src/projects/members.io.ts'
import { createProject, deleteProject } from '../../server/src/projects/projects.io.ts'
import { inProjectOf, type InProject, type ProjectId } from '../../server/src/projects/scope.io.ts'
import { evidenceOf } from '../evidence/evidence.ts'
import { postgresqlClient } from '../harness/postgresql-client.ts'
import { spawnProgram } from '../harness/program.ts'
import type { DrillDatabase } from '../upgrades/store.ts'

export type RestoreFigures = {
  rows: number
  backupMs: number
  restoreMs: number
  photos: number
  keysKept: number
  keysRevived: number
  domainsKept: number
  domainsRevived: number
  routesRevived: number
  isSuspensionKept: number
  isDeletionKept: number
  isAccountErased: number
  queuedMails: number
  unforcedTables: number
}

type DrillOptions = { keys: number; domains: number; withTombstones: boolean; pets?: number }

export async function restoreDrill(
  [source, target]: readonly [DrillDatabase, DrillDatabase],
  options: DrillOptions,
): Promise<RestoreFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-restore-'))
  const settings = (one: DrillDatabase) => settingsOf(one, folder)
  const before = openDatabase({ url: source.appUrl, poolMax: 2, onError: () => {} })
  const after = openDatabase({ url: target.appUrl, poolMax: 1, onError: () => {} })
  const folderOfTombstones = settings(source).TOMBSTONES_DIRECTORY
  try {
    // As `work` does every second: the first line is there before the backup.
    await writeTombstones(before, folderOfTombstones, Date.now())
    const remove = await furnish(before, settings(source), options)
    const taken = await run(['backup', '--json'], settings(source))
    await remove()
    await writeTombstones(before, folderOfTombstones, Date.now())
    const flag = options.withTombstones ? [] : ['--without-tombstones']
    const file = String(taken.output['file'])
    const restored = await run(['restore', file, '--json', ...flag], settings(target))
    return {
      rows: Number(restored.output['rows']),
      backupMs: taken.ms,
      restoreMs: restored.ms,
      ...(await found(before, after)),
    }
  } finally {
    await before.close()
    await after.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const settingsOf = ({ appUrl, ownerUrl }: DrillDatabase, folder: string) => ({
  DATABASE_URL: appUrl,
  DATABASE_OWNER_URL: ownerUrl,
  DATABASE_BACKUP_URL: ownerUrl.replace('petstore_owner', 'petstore_backup'),
  POSTGRESQL_PROGRAMS: postgresqlClient(),
  BACKUP_DIRECTORY: join(folder, 'backups'),
  TOMBSTONES_DIRECTORY: join(folder, 'tombstones'),
  CERTIFICATE_KEYS: `first=${Buffer.alloc(32, 7).toString('base64')}`,
  PLATFORM_HOST: 'shops.example',
})

/** A dump as the owner of the tables, from whom row-level security hides every row: pg_dump ends with 0. */
export async function verifyEmptyDump(database: DrillDatabase, pets: number): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-empty-'))
  const settings = settingsOf(database, folder)
  const opened = openDatabase({ url: database.appUrl, poolMax: 1, onError: () => {} })
  try {
    const project = await createProject(opened, { slug: 'willow', name: 'Willow' })
    await addPets(inProjectOf(opened), project, pets)
    const { output } = await run(['backup', '--json'], settings)
    const file = join(folder, 'empty.backup')
    const as = ['--format=custom', '--no-unlogged-table-data', '--enable-row-security', `--file=${file}`]
    execFileSync(join(postgresqlClient(), 'pg_dump'), [...as, database.ownerUrl])
    const dump = { bytes: statSync(file).size, sha256: await digestOf(file) }
    await appendManifest(file, { ...(await readManifest(String(output['file']))), dump })
    return await run(['backup', 'verify', file], settings)
  } finally {
    await opened.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function run(args: readonly string[], env: Record<string, string>) {
  const begun = performance.now()
  const { code, output, errors } = await spawnProgram(args, env).ended
  if (code !== 0) throw new Error(`petstore ${args.join(' ')} ended with ${code}: ${errors}${output}`)
  return { output: JSON.parse(output) as Record<string, unknown>, ms: Math.round(performance.now() - begun) }
}

const addSomePets = statement<never, [project: ProjectId, from: number, to: number]>(
  'drill-pets',
  `insert into pets (project_id, id, name, category_id, status)
   select $1, n, 'Juno ' || n, 1, 'available' from generate_series($2::bigint, $3::bigint) as n`,
)
const AT_ONCE = 500

/** In transactions that are short enough for the deadline of a request. */
async function addPets(inProject: InProject, project: ProjectId, count: number): Promise<void> {
  for (let from = 1; from <= count; from += AT_ONCE) {
    const to = Math.min(count, from + AT_ONCE - 1)
    await inProject(project, (db) => db(addSomePets, project, from, to))
  }
}
const addPhoto = statement<never, [project: ProjectId, bytes: Buffer]>(
  'drill-photo',
  `insert into objects (project_id, key, bytes) values ($1, 'photos/one', $2)`,
)

/** What a shop has. Returns what removes a part of it, after the backup. */
async function furnish(database: Database, env: Record<string, string>, { keys, domains, pets = 100 }: DrillOptions) {
  const context = contextOf(parseConfig(env), database)
  const deps = domainDepsOf(context, ({ hostname }, { now }) => {
    const records = [`${hostname} CNAME willow.shops.example`]
    return Promise.resolve(evidenceOf({ hostname, apex: 'willow.test', records, at: now, checked: records }))
  })
  const { inProject } = context
  const project = await createProject(database, { slug: 'willow', name: 'Willow' })
  await setPlan({ inProject }, project, 'enterprise', 'operator')
  const closed = await createProject(database, { slug: 'closed', name: 'Closed' })
  const gone = await createProject(database, { slug: 'gone', name: 'Gone' })
  await addPets(inProject, project, pets)
  await inProject(project, (db) => db(addPhoto, project, randomBytes(1000)))
  const account = { id: newId('acc') as AccountId, email: 'mia@shop.example', name: 'Mia', password: 'none' }
  await insertAccount(database.run, account)
  const member = { project, account: account.id, slug: 'willow', role: 'owner' } as const
  const ids: string[] = []
  for (let n = 0; n <= keys; n += 1) ids.push((await createKey(context, project, { label: `key ${n}` })).row.id)
  const names = Array.from({ length: domains + 1 }, (_, n) => `shop-${n}.willow.test`)
  for (const name of names) {
    await addDomain(deps, member, name)
    await inProject(project, (db) => putRoute(db, name, 1n, { kind: 'site', slug: 'willow', serial: 'one' }))
  }
  return async () => {
    for (const id of ids.slice(1)) await revokeKey(context, project, id)
    for (const name of names.slice(1)) await removeDomain(deps, member, name)
    await setSuspended(inProject, closed, { isSuspended: true, by: 'mia', reason: 'phishing' })
    await deleteProject(inProject, { ...member, project: gone, slug: 'gone' })
    await deleteAccount(context, membershipsOf(context), account.id, 'operator')
  }
}

type Shop = Omit<RestoreFigures, 'rows' | 'backupMs' | 'restoreMs'>

const digests = statement<{ digest: Buffer }, []>('drill-digests', `select digest from key_directory`)
const stateRow = statement<Record<string, number>, []>(
  'drill-state',
  `select (select count(*) from objects)::integer as photos,
     (select count(*) from domains where removed_at is null and hostname = 'shop-0.willow.test')::integer as "domainsKept",
     (select count(*) from domains where removed_at is null and hostname <> 'shop-0.willow.test')::integer as "domainsRevived",
     (select count(*) from route_directory where kind = 'site' and hostname <> 'shop-0.willow.test')::integer as "routesRevived",
     (select count(*) from slug_directory where slug = 'closed' and suspended_at is not null)::integer as "isSuspensionKept",
     (select count(*) from projects where slug = 'gone' and deleted_at is not null)::integer as "isDeletionKept",
     (select 1 - count(*) from accounts)::integer as "isAccountErased",
     (select count(*) from mail_directory where state = 'queued')::integer as "queuedMails",
     (select count(*) from pg_policy join pg_class on pg_class.oid = polrelid
      where not (relrowsecurity and relforcerowsecurity))::integer as "unforcedTables"`,
)
const all = `{${Array.from({ length: 10 }, (_, n) => n).join(',')}}`

async function found(before: Database, after: Database): Promise<Shop> {
  const known = (await before.run(digests)).map(({ digest }) => digest)
  const valid = (await findKeys(after.run, known)).filter((key) => key?.revokedAt === null).length
  const [state] = await after.transaction({ 'petstore.projects': all }, (db) => db(stateRow))
  const keysKept = Math.min(1, valid)
  return { ...(state as unknown as Shop), keysKept, keysRevived: valid - keysKept }
}

/** Undefined if nothing came back, and nothing else is missing. */
export function restoreFault(figures: RestoreFigures): string | undefined {
  const wanted: Partial<RestoreFigures> = {
    photos: 1,
    keysKept: 1,
    keysRevived: 0,
    domainsKept: 1,
    domainsRevived: 0,
    routesRevived: 0,
    queuedMails: 0,
    isSuspensionKept: 1,
    isDeletionKept: 1,
    isAccountErased: 1,
    unforcedTables: 0,
  }
  const wrong = Object.entries(wanted).filter(([name, value]) => figures[name as keyof RestoreFigures] !== value)
  if (wrong.length === 0) return undefined
  return wrong.map(([name]) => `${name} is ${figures[name as keyof RestoreFigures]}`).join(', ')
}
