// One free account repeats every operation that stores something: what it occupies stays within the caps of its tables, the
// counters agree with the rows, and after the retention period nothing is left of a project that it deletes. Large, the files
// of the database are measured as well.

import pg from 'pg'
import { figuresOf } from '../../../server/src/plans/cap.ts'
import { caps } from '../../../server/src/plans/caps.ts'
import type { LimitTable } from '../../../server/src/plans/limits.ts'
import { sizeText } from '../../../server/src/plans/limits-page.ts'
import type { ProjectId } from '../../../server/src/projects/scope.io.ts'
import { startWork } from '../../../server/src/program/work.ts'
import { startMailRelay } from '../../harness/mail-relay.ts'
import { attackDisk } from '../disk-attack.ts'
import { diskTable, diskLimits, fileBytes, growthOf, sumOfCaps, tableSizes, type Growth } from '../disk-growth.ts'
import { fillers, shopConfig, smallLimits, smallTable, startShopService, type FreeShop } from '../free-shop.ts'
import { must, type SafetyLine, type SafetyRun } from '../line.ts'

/** How often each operation is repeated. */
const repeats = { small: 8, large: 200 }
const TOLERANCE = 1.2

export const safetyLine: SafetyLine = {
  title: 'What one free account occupies is bounded, and goes with its projects',
  sizes: { small: 'each operation 8 times', large: 'each operation 200 times, and the files of the database' },
  guards: [{ name: 'byte-count', instead: 'no count of stored bytes', isQuick: false }],
  async run(run) {
    await storedRows(run)
    if (run.tier === 'large') await files(run)
  },
}

const SECONDS = 60

/** With a worker, so that imports and deployments end. */
async function files({ createDatabase, report }: SafetyRun): Promise<void> {
  const { appUrl, ownerUrl } = await createDatabase()
  const owner = new pg.Client(ownerUrl)
  await owner.connect()
  const relay = await startMailRelay()
  const env = {
    SMTP_URL: relay.url,
    MAIL_FROM: 'Petstore <no-reply@petstore.example>',
    OPERATOR_EMAIL: 'operator@petstore.example',
  }
  const service = await startShopService(appUrl, diskLimits, env)
  const { database } = service
  const errors: Error[] = []
  const onError = (error: Error) => void errors.push(error)
  const work = await startWork(shopConfig(appUrl, env, diskLimits), { database, pauseMs: 20, onError })
  try {
    const shop = await service.openShop()
    const before = await tableSizes(owner)
    const { rounds, sent, busy, accepted, neverAccepted } = await attackDisk(shop, SECONDS)
    const drift: Error[] = []
    for (const project of await allProjects(owner)) drift.push(...(await shop.upkeep(project)).errors)
    const files = await fileBytes(owner)
    const after = await tableSizes(owner)
    const growth = growthOf(before, after)
    const bounded = growth.filter(({ isOfRate }) => !isOfRate)
    const [grown, most] = [sizeOf(bounded), sumOfCaps(bounded)]
    const fullest = growth.toSorted((one, other) => other.grown - other.pages - (one.grown - one.pages)).slice(0, 5)
    report({
      attack: `${rounds} rounds, ${sent} requests, ${accepted.size} operations accepted, ${busy} times busy`,
      drift: drift.length,
      'errors in the background': errors.length === 0 ? 0 : `${errors.length}, such as: ${errors[0]?.message}`,
      'growth of the tables': `${sizeText(grown)} in ${bounded.length} tables`,
      'files until they are vacuumed': `${sizeText(files)}, then ${sizeText(await fileBytes(owner))}`,
      'sum of their caps': sizeText(most),
      'growth where a rate is the cap': sizeText(sizeOf(growth) - grown),
      largest: fullest.map((one) => `${one.table} ${sizeText(one.grown)} of ${sizeText(one.most)}`).join('; '),
    })
    must(neverAccepted.length === 0, `never accepted: ${neverAccepted.join(', ')}`)
    must(drift.length === 0, `the counters are wrong: ${drift[0]?.message}`)
    const ofProject = await occupiedBy(owner, shop, diskTable)
    must(ofProject.beyond.length === 0, `of one project: ${ofProject.beyond.join('; ')}`)
    must(grown <= TOLERANCE * most, `the tables grew by ${grown} bytes; the sum of the caps is ${most}`)
    const beyond = growth.flatMap(({ table, rows, mostRows, grown: bytes, most: cap, pages }) => {
      if (rows > TOLERANCE * mostRows && !(table in keptLonger))
        return [`${rows} rows of ${table}; at most ${mostRows}`]
      return bytes - pages > TOLERANCE * cap ? [`${bytes} bytes of ${table}; at most ${cap}`] : []
    })
    must(beyond.length === 0, beyond.join('; '))
    await deleted(owner, shop, report)
    const left = growthOf(before, await tableSizes(owner))
    report({ 'growth that is left after the retention period': sizeText(sizeOf(left)) })
  } finally {
    await work.stop()
    await service.stop()
    await relay.stop()
    await owner.end()
  }
}

/** Deleted ones as well. */
async function allProjects(owner: pg.Client): Promise<ProjectId[]> {
  const { rows } = await owner.query<{ project: string }>('select project_id as project from slug_directory')
  return rows.map(({ project }) => BigInt(project) as ProjectId)
}

const sizeOf = (growth: readonly Growth[]): number => growth.reduce((sum, { grown }) => sum + grown, 0)

async function storedRows({ tier, without, createDatabase, report }: SafetyRun): Promise<void> {
  const { appUrl, ownerUrl } = await createDatabase()
  const owner = new pg.Client(ownerUrl)
  await owner.connect()
  const service = await startShopService(appUrl)
  try {
    if (without !== undefined) await forgetBytes(owner)
    const shop = await service.openShop()
    const statuses: number[] = []
    // Texts first: they need animals, of which there are few.
    const { storedBytes: texts, ...others } = fillers
    for (const { add } of [texts, ...Object.values(others)].filter((filler) => filler !== undefined)) {
      for (let n = 0; n < repeats[tier]; n++) statuses.push((await add(shop, n)).status)
    }
    const crashed = statuses.filter((status) => status >= 500).length
    must(crashed === 0, `${crashed} of ${statuses.length} requests failed`)
    const { errors } = await shop.upkeep()
    const occupied = await occupiedBy(owner, shop, smallTable)
    const { stored, rows, most } = occupied
    report({
      requests: statuses.length,
      rejected: statuses.filter((status) => status >= 400).length,
      rows: sizeText(rows),
      'caps of these tables': sizeText(most),
      'stored bytes': `${stored} of ${smallLimits.storedBytes}`,
      drift: errors.length,
    })
    must(errors.length === 0, `the counters are wrong: ${errors[0]?.message}`)
    must(occupied.beyond.length === 0, occupied.beyond.join('; '))
    must(stored <= TOLERANCE * smallLimits.storedBytes, `${stored} bytes are stored of ${smallLimits.storedBytes}`)
    must(rows <= TOLERANCE * most, `${rows} bytes in rows; at most ${most} are allowed`)
    await deleted(owner, shop, report)
  } finally {
    await service.stop()
    await owner.end()
  }
}

const counted = ['import_parts', 'import_rows', 'blobs', 'deployments', 'sites', 'pet_profiles', 'order_notes']

/** Neither when they are written nor once a day. */
async function forgetBytes(owner: pg.Client): Promise<void> {
  for (const table of counted) {
    for (const change of ['insert', 'update', 'delete']) {
      await owner.query(`drop trigger if exists stored_on_${change} on ${table}`)
    }
  }
}

type Occupied = { stored: number; rows: number; most: number; beyond: string[] }

/** Of the project, by table, as PostgreSQL stores the rows; against the caps of one project. */
async function occupiedBy(owner: pg.Client, { project }: FreeShop, limits: LimitTable): Promise<Occupied> {
  await owner.query(`select set_config('petstore.projects', '{${project}}', false)`)
  const found: Occupied = { stored: 0, rows: 0, most: 0, beyond: [] }
  for (const { table, rows: most, bytes } of figuresOf(caps, 'free', limits)) {
    if (!(await hasProject(owner, table))) continue
    const { rows } = await owner.query<{ rows: number; bytes: number }>(
      `select count(*)::float8 as rows, coalesce(sum(pg_column_size(t.*)), 0)::float8 as bytes
       from ${table} as t
       where project_id = ${project}`,
    )
    const { rows: count = 0, bytes: size = 0 } = rows[0] ?? {}
    if (count > TOLERANCE * most && !(table in keptLonger))
      found.beyond.push(`${count} rows of ${table}; at most ${most}`)
    if (counted.includes(table)) found.stored += await textBytes(owner, table, project)
    if (typeof bytes !== 'number' || count === 0) continue
    found.rows += size
    found.most += bytes
  }
  return found
}

/**
 * Rows that no limit removes yet: events of the last day, imports of the last 8 days, which can be undone, and requests of
 * the last 90 days or with an animal handed over.
 */
const keptLonger = { audit: true, imports: true, orders: true }

const textOf: Readonly<Record<string, string>> = {
  import_parts: 'octet_length(bytes)',
  pet_profiles: 'octet_length(story)',
}

async function textBytes(owner: pg.Client, table: string, project: bigint): Promise<number> {
  const text = textOf[table]
  if (text === undefined) return 0
  const { rows } = await owner.query<{ bytes: number }>(
    `select coalesce(sum(${text}), 0)::float8 as bytes from ${table} where project_id = ${project}`,
  )
  return rows[0]?.bytes ?? 0
}

async function hasProject(owner: pg.Client, table: string): Promise<boolean> {
  const { rows } = await owner.query(
    `select from information_schema.columns where table_name = $1 and column_name = 'project_id'`,
    [table],
  )
  return rows.length > 0
}

/** Its slug stays reserved; the timer of its erasure and tombstones go on their own. */
const kept = ['slug_directory', 'due_directory', 'tombstone_directory']

/** The event that says how much was erased. */
const isKept: Readonly<Record<string, string>> = { audit: "action = 'project_erased'" }

async function deleted(owner: pg.Client, shop: FreeShop, report: SafetyRun['report']): Promise<void> {
  const { slug, project } = shop
  await owner.query(`select set_config('petstore.projects', '{${project}}', false)`)
  const { status, text } = await shop.send('DELETE', `/projects/${slug}`, { slug })
  must(status === 204, `the project is not deleted: ${status} ${text}`)
  must((await shop.upkeep()).outcome === 'kept', 'a project is erased on the day on which it was deleted')
  await owner.query(`update projects set deleted_at = now() - interval '8 days' where project_id = ${project}`)
  must((await shop.upkeep()).outcome === 'erased', 'a project is not erased after its retention period')
  const left: string[] = []
  for (const table of Object.keys(caps)) {
    if (kept.includes(table) || !(await hasProject(owner, table))) continue
    const { rows } = await owner.query(
      `select from ${table} where project_id = ${project} and not (${isKept[table] ?? 'false'}) limit 1`,
    )
    if (rows.length > 0) left.push(table)
  }
  report({ 'left of a deleted project': left.length === 0 ? 'nothing' : left.join(' ') })
  must(left.length === 0, `a deleted project leaves rows in ${left.join(', ')}`)
}
