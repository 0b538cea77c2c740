// Statements on the host table and on the edges that replicate it. They work across projects and
// contain hostnames and slugs, but no project's data. A route is changed last in a transaction: the
// change locks the clock of the table until the transaction ends.

import type { RedirectStatus } from '@petstore-platform/contract/platform/domain-shapes'
import { notify, statement, query, queryFirst, type Db } from '../foundation/postgres/postgres.io.ts'
import type { EdgeKeys, Route } from './protocol.ts'

/** The target of a hostname. */
export type Leads =
  | { kind: 'site'; slug: string; serial: string }
  | { kind: 'redirect'; slug: string; serial: string; target: string; status: RedirectStatus }
  /** The dashboard and the API. */
  | { kind: 'service'; serial: string }
  /** Every default address; the hostname is `*.<platform host>`. */
  | { kind: 'wildcard'; serial: string }
  /** All sites of the slug are closed, whatever else leads to them; the name is `suspensionOf(slug)`. */
  | { kind: 'suspended'; slug: string }
  | { kind: 'gone' }

export const ROUTES_CHANNEL = 'petstore_routes'

const putRouteRow = statement<
  { seq: bigint },
  [
    hostname: string,
    kind: string,
    slug: string | null,
    target: string | null,
    status: number | null,
    generation: bigint,
    serial: string | null,
  ]
>(
  'put-route',
  `with clock as (
     update route_clock set seq = seq + 1 returning seq
   ), put as (
     insert into route_directory (hostname, seq, kind, slug, target, status, generation, serial)
     select $1, clock.seq, $2, $3, $4, $5, $6, $7 from clock
     on conflict (hostname) do update
     set seq = excluded.seq, kind = excluded.kind, slug = excluded.slug, target = excluded.target,
       status = excluded.status, generation = excluded.generation, serial = excluded.serial, changed_at = now()
     returning seq
   )
   select seq from put`,
)

/** Changes the target of a hostname, as the last statement of a transaction; returns the number of the change. */
export async function putRoute(db: Db, hostname: string, generation: bigint, leads: Leads): Promise<number> {
  const isRedirect = leads.kind === 'redirect'
  const [put] = await db(
    putRouteRow,
    hostname,
    leads.kind,
    'slug' in leads ? leads.slug : null,
    isRedirect ? leads.target : null,
    isRedirect ? leads.status : null,
    generation,
    'serial' in leads ? leads.serial : null,
  )
  const seq = Number(put?.seq ?? 0)
  await notify(db, ROUTES_CHANNEL, String(seq))
  return seq
}

type RouteRow = {
  hostname: string
  seq: bigint
  kind: Route['kind']
  slug: string | null
  target: string | null
  status: RedirectStatus | null
  generation: bigint
  serial: string | null
}

const columns = `hostname, seq, kind, slug, target, status, generation, serial`

export const findRoute = query<RouteRow, [hostname: string], Route | undefined>(
  'find-route',
  `select ${columns}
   from route_directory
   where hostname = $1`,
  (rows) => rows.map(routeOf)[0],
)

/**
 * Ends the route of a hostname that its project gives up: it no longer leads anywhere. Returns the
 * number of the change that edges have to confirm; null if they never had the name.
 */
export async function endRoute(db: Db, hostname: string, generation: bigint): Promise<number | null> {
  const present = await findRoute(db, hostname)
  if (!present || present.kind === 'gone' || BigInt(present.generation) > generation) return present?.seq ?? null
  return putRoute(db, hostname, generation, { kind: 'gone' })
}

type ChangeRow = { head: bigint; forgotten: bigint } & (RouteRow | { [column in keyof RouteRow]: null })

// One statement, so one snapshot: a name that is deleted between two statements would be missed by
// both.
const readChangeRows = statement<ChangeRow, [after: bigint, goneAfter: bigint, count: number]>(
  'read-route-changes',
  `select clock.seq as head, clock.forgotten, route.hostname, route.seq, route.kind, route.slug, route.target,
     route.status, route.generation, route.serial
   from route_clock as clock
   left join lateral (
     select ${columns}
     from route_directory
     where seq > $1 and (kind <> 'gone' or seq > $2)
     order by seq
     limit $3
   ) as route on true
   order by route.seq`,
)

export type RouteClock = {
  /** The number of the last change. */
  head: number
  /** Deleted hostnames up to this number are no longer recorded. */
  forgotten: number
}

/**
 * The changes after `after`, in order, with the clock of the same snapshot; deleted hostnames only
 * after `goneAfter`.
 */
export async function readChanges(
  db: Db,
  { after, goneAfter, count }: { after: number; goneAfter: number; count: number },
): Promise<RouteClock & { routes: Route[] }> {
  const rows = await db(readChangeRows, BigInt(after), BigInt(goneAfter), count)
  const routes = rows.flatMap((row) => (row.hostname === null ? [] : [routeOf(row)]))
  return { head: Number(rows[0]?.head ?? 0), forgotten: Number(rows[0]?.forgotten ?? 0), routes }
}

const readClockRow = statement<{ seq: bigint; forgotten: bigint }, []>(
  'read-route-clock',
  `select seq, forgotten
   from route_clock`,
)

export const readClock = async (db: Db): Promise<RouteClock> => {
  const [clock] = await db(readClockRow)
  return { head: Number(clock?.seq ?? 0), forgotten: Number(clock?.forgotten ?? 0) }
}

// Locks the clock before any route, like every change of a route. A name that was put again in the
// meantime has another number.
/**
 * Deletes the records of names that have been gone for long, a bounded number at a time; an edge
 * that was away for longer resynchronises.
 */
export const forgetGone = query<{ hostname: string }, [olderThanDays: number, count: number], number>(
  'forget-gone-routes',
  `with old as materialized (
     select hostname, seq
     from route_directory
     where kind = 'gone' and changed_at < now() - make_interval(days => $1)
     order by changed_at
     limit $2
   ), clock as (
     update route_clock set forgotten = greatest(forgotten, (select max(seq) from old))
     where exists (select from old)
     returning forgotten
   )
   delete from route_directory
   using clock, old
   where route_directory.hostname = old.hostname and route_directory.seq = old.seq
   returning route_directory.hostname`,
  (rows) => rows.length,
)

function routeOf({ hostname, seq, kind, slug, target, status, generation, serial }: RouteRow): Route {
  const common = { seq: Number(seq), hostname, generation: String(generation) }
  if (kind === 'suspended' && slug !== null) return { ...common, kind, slug }
  if (serial === null) return { ...common, kind: 'gone' }
  if (kind === 'service' || kind === 'wildcard') return { ...common, kind, serial }
  if (kind === 'gone' || kind === 'suspended' || slug === null) return { ...common, kind: 'gone' }
  if (kind === 'site' || target === null || status === null) return { ...common, kind: 'site', slug, serial }
  return { ...common, kind, slug, serial, target, status }
}

export type EdgeRow = {
  id: string
  name: string
  acknowledged: bigint
  acknowledgedAt: Date | null
  /** True if it terminates TLS for dashboard and API as well. */
  servesApi: boolean
  seenAt: Date | null
  /** True if it has sent a request within the last moments, by the database's clock. */
  isConnected: boolean
  enrolledAt: Date | null
  /** Until when its token enrols it; null if an earlier release has added it. */
  enrolmentEndsAt: Date | null
  /** The last time that its token was presented after it was used or had expired. */
  tokenMisusedAt: Date | null
  /** The last time that it had received as many private keys as it may. */
  exportStoppedAt: Date | null
}

/** The edges that are not revoked. */
export const listEdges = query<EdgeRow, [connectedSeconds: number]>(
  'list-edges',
  `select id, name, acknowledged, acknowledged_at as "acknowledgedAt", serves_api as "servesApi", seen_at as "seenAt",
     coalesce(seen_at > now() - make_interval(secs => $1), false) as "isConnected", enrolled_at as "enrolledAt",
     enrolment_ends_at as "enrolmentEndsAt", token_misused_at as "tokenMisusedAt",
     export_stopped_at as "exportStoppedAt"
   from edge_directory
   where revoked_at is null
   order by name`,
)

const insertEdgeRow = statement<
  { id: string },
  [id: string, name: string, digest: string, servesApi: boolean, enrolmentSeconds: number, takesOver: boolean]
>(
  'insert-edge',
  `insert into edge_directory (id, name, digest, serves_api, enrolment_ends_at)
   values ($1, $2, $3, $4, now() + make_interval(secs => $5))
   on conflict (name) do update
   set id = excluded.id, digest = excluded.digest, serves_api = excluded.serves_api, created_at = now(),
     revoked_at = null, acknowledged = 0, acknowledged_at = null, seen_at = null,
     enrolment_ends_at = excluded.enrolment_ends_at, enrolled_at = null, sign_key = null, seal_key = null,
     token_misused_at = null, export_stopped_at = null
   where edge_directory.revoked_at is not null or $6
   returning id`,
)

export type NewEdge = {
  id: string
  name: string
  digest: string
  servesApi?: boolean
  /** How long its token can be used. */
  enrolmentSeconds: number
  /** Replaces an edge of the same name, whose keys are no longer valid. */
  takesOver?: boolean
}

/** False if there is an edge of this name; the name of a revoked edge can be reused. */
export const insertEdge = async (
  run: Db,
  { id, name, digest, servesApi = false, enrolmentSeconds, takesOver = false }: NewEdge,
) => (await run(insertEdgeRow, id, name, digest, servesApi, enrolmentSeconds, takesOver)).length > 0

// The same keys again: the response to the first request was lost.
const enrolKeysRow = statement<{ id: string }, [digest: string, signKey: string, sealKey: string]>(
  'enrol-edge-keys',
  `update edge_directory
   set enrolled_at = coalesce(enrolled_at, now()), sign_key = $2, seal_key = $3
   where digest = $1 and revoked_at is null and case
     when enrolled_at is null then coalesce(enrolment_ends_at > now(), true)
     else sign_key = $2 and seal_key = $3
   end
   returning id`,
)

/** The id of the edge; undefined if the token enrols none, or none any longer. */
export const enrolKeys = async (run: Db, digest: string, { signKey, sealKey }: EdgeKeys) =>
  (await run(enrolKeysRow, digest, signKey, sealKey))[0]?.id

/** Records that the token of an edge was presented although it enrols none any longer; undefined if it is no edge's. */
export const markMisused = queryFirst<{ name: string; isEnrolled: boolean }, [digest: string]>(
  'mark-edge-token-misused',
  `update edge_directory
   set token_misused_at = now()
   where digest = $1 and revoked_at is null
   returning name, enrolled_at is not null as "isEnrolled"`,
)

export const markExportStopped = query<never, [id: string]>(
  'mark-edge-export-stopped',
  `update edge_directory
   set export_stopped_at = now()
   where id = $1`,
)

const countRouteRows = statement<{ count: bigint }, [servesApi: boolean]>(
  'count-routes',
  `select count(*) as count
   from route_directory
   where kind not in ('gone', 'suspended') and (kind <> 'service' or $1)`,
)

/** How many names an edge serves. */
export const countRoutes = async (run: Db, servesApi: boolean): Promise<number> =>
  Number((await run(countRouteRows, servesApi))[0]?.count ?? 0)

export const markRevoked = queryFirst<{ id: string; revokedAt: Date }, [name: string]>(
  'mark-edge-revoked',
  `update edge_directory
   set revoked_at = now(), enrolment_ends_at = null, enrolled_at = null, sign_key = null, seal_key = null
   where name = $1 and revoked_at is null
   returning id, revoked_at as "revokedAt"`,
)

/** An edge as its credentials identify it; without keys, an earlier release has added it. */
export type EdgeCredentials = { id: string; name: string; servesApi: boolean } & (
  | ({ enrolledAt: Date } & EdgeKeys)
  | { enrolledAt: null }
)

const findEdgeRows = statement<EdgeCredentials & { key: string }, [keys: string[]]>(
  'find-edges-by-credentials',
  `select id as key, id, name, serves_api as "servesApi", enrolled_at as "enrolledAt", sign_key as "signKey",
     seal_key as "sealKey"
   from edge_directory
   where id = any ($1::text[]) and revoked_at is null and enrolled_at is not null
   union all
   select digest, id, name, serves_api, null, null, null
   from edge_directory
   where digest = any ($1::text[]) and revoked_at is null and enrolled_at is null and enrolment_ends_at is null`,
)

/**
 * The edges with these keys, in their order: the id of one that signs, or the digest of the token of one that an earlier
 * release has added. Undefined for those that are not accepted.
 */
export const findEdges = async (run: Db, keys: readonly string[]): Promise<(EdgeCredentials | undefined)[]> => {
  const found = new Map((await run(findEdgeRows, [...keys])).map(({ key, ...edge }) => [key, edge]))
  return keys.map((key) => found.get(key))
}

/** All keys for which `findEdges` finds an edge. */
export const edgeKeys = query<{ key: string }, [], string[]>(
  'keys-of-edges',
  `select case when enrolled_at is null then digest else id end as key
   from edge_directory
   where revoked_at is null and (enrolled_at is not null or enrolment_ends_at is null)`,
  (rows) => rows.map(({ key }) => key),
)

// Rows are locked in one order, so that two concurrent calls cannot deadlock.
const acknowledgeRows = statement<never, [ids: string[], seqs: bigint[]]>(
  'acknowledge-routes',
  `with asked as materialized (
     select edge.id, given.seq
     from unnest($1::text[], $2::bigint[]) as given (id, seq)
     join edge_directory as edge on edge.id = given.id
     order by edge.id
     for update of edge
   )
   update edge_directory
   set acknowledged = greatest(acknowledged, asked.seq), seen_at = now(),
     acknowledged_at = case when asked.seq > acknowledged then now() else acknowledged_at end
   from asked
   where edge_directory.id = asked.id`,
)

export type Acknowledgement = { edge: string; seq: number }

/** Records that these edges have everything up to these numbers, and are connected now. Each edge once. */
export const acknowledge = (run: Db, given: readonly Acknowledgement[]) =>
  run(
    acknowledgeRows,
    given.map(({ edge }) => edge),
    given.map(({ seq }) => BigInt(seq)),
  )

const findDefaultHostRow = statement<{ hostname: string }, [pattern: string]>(
  'find-default-host',
  `select hostname
   from route_directory
   where kind = 'site' and hostname like $1
   order by hostname
   limit 1`,
)

/** The default host of a site that is served with a certificate of its own; undefined if there is none. */
export const findDefaultHost = async (db: Db, platformHost: string): Promise<string | undefined> =>
  (await db(findDefaultHostRow, `%.${platformHost.replaceAll(/[\\%_]/g, '\\$&')}`))[0]?.hostname
