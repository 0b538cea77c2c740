// How much the files of the database grow while one free account repeats every operation that writes something, by table,
// with index entries and what deleted rows leave behind. For the line about disk.

import { setTimeout as pause } from 'node:timers/promises'
import type { OperationShape } from '@petstore-platform/contract/operation'
import { platformOperations } from '@petstore-platform/contract/platform/operations'
import type pg from 'pg'
import { figuresOf, type CapFigures, type CapOwner, type CountedBytes } from '../../server/src/plans/cap.ts'
import { caps } from '../../server/src/plans/caps.ts'
import { limitTableOf } from '../../server/src/plans/limits-file.ts'
import { exampleOf, requestOf } from '../harness/operation-request.ts'
import { fillers, smallLimits, type FreeShop } from './free-shop.ts'

/** Large enough that a table is more than its first page, and small enough to be reached within a minute. */
export const diskLimits = {
  ...smallLimits,
  animals: 500,
  idempotencyKeys: 200,
  keys: 20,
  storedBytes: 400_000,
  importBytes: 100_000,
  importRows: 500,
  auditEvents: 1000,
  endedKeys: 50,
  endedImports: 50,
  photos: 20,
  photoBytes: 2_000_000,
  deployments: 5,
  invitationsPerDay: 20,
} as const

const diskTable = limitTableOf(JSON.stringify(diskLimits), [])

/** They end what the others need, the session, the account or the project; or store nothing and wait for resolvers. */
const leftOut: ReadonlySet<string> = new Set([
  'signOut',
  'endSession',
  'changePassword',
  'reauthenticate',
  'deleteAccount',
  'deleteProject',
  'removeMember',
  'changeMember',
  'checkDomain',
])
/** Otherwise little would be stored. */
const DELETED_EVERY = 5

/** Every operation, once a round, with the identifiers of what was created last; returns how many were sent and accepted. */
export async function repeatOperations(shop: FreeShop, seconds: number) {
  const writing = platformOperations.filter(({ method, operationId }) => method !== 'GET' && !leftOut.has(operationId))
  const values: Record<string, string> = { project: shop.slug, number: '1', row: '1', column: '0' }
  const accepted = new Set<string>()
  let [sent, rounds] = [0, 0]
  for (const end = Date.now() + seconds * 1000; Date.now() < end; rounds += 1) {
    for (const filler of Object.values(fillers)) await filler.add(shop, rounds)
    values['hostname'] = `www.a-shop-of-mia-${rounds}.com`
    for (const operation of writing) {
      if (operation.method === 'DELETE' && rounds % DELETED_EVERY > 0) continue
      const { status, id } = await sendOperation(shop, operation, { values, round: rounds })
      sent += 1
      if (status >= 500) throw new Error(`${operation.operationId} failed with ${status}`)
      if (status < 300) accepted.add(operation.operationId)
      const name = id === undefined ? undefined : parameterAfter(operation.path)
      if (id !== undefined && name !== undefined) values[name] = id
    }
    await pause(1)
  }
  return { rounds, sent: sent + rounds * Object.keys(fillers).length, operations: writing.length, accepted }
}

type Sending = { values: Readonly<Record<string, string>>; round: number }

async function sendOperation({ send }: FreeShop, operation: OperationShape, { values, round }: Sending) {
  const { path, body, headers } = requestOf(operation, values)
  const wanted = typeof body === 'object' ? await varied(exampleOf(operation), { send, path, round }) : body
  const { status, text } = await send(operation.method, path, wanted, headers)
  const [, id] = /^\{"id":"?([\w]+)/.exec(text) ?? []
  return { status, id: status < 300 && operation.method === 'POST' ? id : undefined }
}

/** Names that were not used before, and the version that is stored. */
async function varied(
  example: Record<string, unknown>,
  { send, path, round }: { send: FreeShop['send']; path: string; round: number },
): Promise<Record<string, unknown>> {
  const { name, slug, email, version } = example
  const stored = version === undefined ? {} : ((await send('GET', path)).json as { version?: unknown })
  return {
    ...example,
    ...(typeof name === 'string' && { name: `${name} ${round}` }),
    ...(typeof slug === 'string' && { slug: `${slug}-${round}` }),
    ...(typeof email === 'string' && { email: `friend-${round}@shop.example` }),
    ...(version !== undefined && { version: stored.version ?? version }),
  }
}

/** The parameter by which operations name what this one creates: `/keys` and `/keys/{keyId}`. */
const parameterAfter = (path: string): string | undefined =>
  platformOperations
    .find((other) => other.path.startsWith(`${path}/{`))
    ?.path.slice(path.length)
    .match(/\{(\w+)\}/)?.[1]

type TableSizes = ReadonlyMap<string, { bytes: number; rows: number; files: number }>

/** After rows that were deleted have been made room for others; with indexes and texts that are stored elsewhere. */
export async function tableSizes(owner: pg.Client, how: 'vacuum analyze' | 'vacuum full analyze'): Promise<TableSizes> {
  await owner.query(how)
  const { rows } = await owner.query<{ name: string; bytes: number; rows: number; files: number }>(
    `select relname as name, pg_total_relation_size(oid)::float8 as bytes, reltuples::float8 as rows,
       (select 2 + count(*) from pg_index where indrelid = pg_class.oid)::integer as files
     from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  return new Map(rows.map(({ name, ...size }) => [name, size]))
}

const PAGE = 8192

export type Growth = {
  table: string
  grown: number
  most: number
  rows: number
  mostRows: number
  /** An index is never less than a few pages. */
  pages: number
  /** The limit that counts these bytes, with those of other tables. */
  countedBy: CountedBytes | undefined
  /** Bounded by what can be requested in a day, and so never reached in a run. */
  isOfRate: boolean
}

/** Of each table against its caps, of as many owners as the account has. */
export function growthOf(before: TableSizes, after: TableSizes): Growth[] {
  const { storedBytes, photoBytes, projectsEver } = diskLimits
  const ownersOf = (per: CapOwner) => (per === 'project' ? projectsEver : 1)
  const counted = { storedBytes, photoBytes }
  const mostOf = ({ per, bytes }: CapFigures) => ownersOf(per) * (typeof bytes === 'number' ? bytes : counted[bytes])
  return figuresOf(caps, 'free', diskTable).flatMap((figures) => {
    const { table, per } = figures
    const [old, now] = [before.get(table), after.get(table)]
    if (!old || !now || (now.bytes <= old.bytes && now.rows <= old.rows)) return []
    const rows = { rows: now.rows - Math.max(old.rows, 0), mostRows: ownersOf(per) * figures.rows }
    const grown = now.bytes - old.bytes
    const countedBy = typeof figures.bytes === 'number' ? undefined : figures.bytes
    const isOfRate = caps[table]?.bound.by === 'rate'
    return [{ table, grown, most: mostOf(figures), ...rows, pages: 2 * PAGE * now.files, countedBy, isOfRate }]
  })
}

/** Of the tables together; bytes that one limit counts for several tables, once. */
export function sumOfCaps(growth: readonly Growth[]): number {
  const byCounter = new Map(growth.map((one) => [one.countedBy ?? one.table, one.most]))
  return [...byCounter.values()].reduce((sum, most) => sum + most, 0)
}
