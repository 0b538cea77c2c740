// Desired certificates and their orders: SQL. For a hostname: its desired certificate
// (`certificate_wishes`), the open order, what is served and kept, and the responses to
// challenges. Hostnames and clients only: no statement here knows a project. Only
// `advance.io.ts` writes through these.

import type { AcmeProblem } from '../foundation/acme/port.ts'
import { statement, query, type Db } from '../foundation/postgres/postgres.io.ts'
import { dateOf, instantOf, type Instant } from '../foundation/time.ts'
import type { CertificateOrder, OrderState } from './lifecycle.ts'

/** The timer of the requester; opaque here. */
export type Requester = { kind: string; project: bigint; id: string }

export type DesiredCertificate = {
  hostname: string
  generation: bigint
  client: string
  registered: string
  authorities: readonly string[]
  evidence: string
  notify: Requester
  changes: number
  notified: number
  failedAt: readonly Instant[]
  droppedAt: Instant | null
  keptUntil: Instant | null
}

type DesiredCertificateRow = Omit<DesiredCertificate, 'notify' | 'failedAt' | 'droppedAt' | 'keptUntil'> & {
  notifyKind: string
  notifyProject: bigint
  notifyId: string
  failedAt: Date[]
  droppedAt: Date | null
  keptUntil: Date | null
}

const desiredColumns = `hostname, generation, client, registered, authorities, evidence, tell_kind as "notifyKind",
     tell_project as "notifyProject", tell_id as "notifyId", changes, told as notified, failed_at as "failedAt",
     dropped_at as "droppedAt", kept_until as "keptUntil"`

const findDesiredRow = statement<DesiredCertificateRow, [hostname: string]>(
  'find-desired-certificate',
  `select ${desiredColumns}
   from certificate_wishes
   where hostname = $1`,
)

const lockDesiredRow = statement<DesiredCertificateRow, [hostname: string]>(
  'lock-desired-certificate',
  `select ${desiredColumns}
   from certificate_wishes
   where hostname = $1
   for update`,
)

const desiredOf = ({
  notifyKind,
  notifyProject,
  notifyId,
  failedAt,
  droppedAt,
  keptUntil,
  ...row
}: DesiredCertificateRow): DesiredCertificate => ({
  ...row,
  notify: { kind: notifyKind, project: notifyProject, id: notifyId },
  failedAt: failedAt.map(Number),
  droppedAt: instantOf(droppedAt),
  keptUntil: instantOf(keptUntil),
})

const only = <Row, T>([row]: Row[], read: (row: Row) => T): T | undefined => (row === undefined ? undefined : read(row))

export const findDesired = async (db: Db, hostname: string) => only(await db(findDesiredRow, hostname), desiredOf)

/** Locks the hostname: no other transaction writes anything about it until this one ends. */
export const lockDesired = async (db: Db, hostname: string) => only(await db(lockDesiredRow, hostname), desiredOf)

const createDesiredRow = statement<
  never,
  [
    hostname: string,
    generation: bigint,
    client: string,
    registered: string,
    authorities: readonly string[],
    evidence: string,
    notifyKind: string,
    notifyProject: bigint,
    notifyId: string,
  ]
>(
  'create-desired-certificate',
  `insert into certificate_wishes
     (hostname, generation, client, registered, authorities, evidence, tell_kind, tell_project, tell_id)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   on conflict (hostname) do nothing`,
)

export const createDesired = (
  db: Db,
  desired: Omit<DesiredCertificate, 'changes' | 'notified' | 'failedAt' | 'droppedAt' | 'keptUntil'>,
) =>
  db(
    createDesiredRow,
    desired.hostname,
    desired.generation,
    desired.client,
    desired.registered,
    desired.authorities,
    desired.evidence,
    desired.notify.kind,
    desired.notify.project,
    desired.notify.id,
  )

const saveDesiredRow = statement<
  never,
  [
    hostname: string,
    generation: bigint,
    client: string,
    registered: string,
    authorities: readonly string[],
    evidence: string,
    notifyKind: string,
    notifyProject: bigint,
    notifyId: string,
    changes: number,
    failedAt: readonly Date[],
    droppedAt: Date | null,
    keptUntil: Date | null,
  ]
>(
  'save-desired-certificate',
  `update certificate_wishes
   set generation = $2, client = $3, registered = $4, authorities = $5, evidence = $6, tell_kind = $7,
     tell_project = $8, tell_id = $9, changes = $10, failed_at = $11, dropped_at = $12, kept_until = $13
   where hostname = $1`,
)

/** The caller has locked it. Leaves what was reported unchanged. */
export const saveDesired = (db: Db, desired: DesiredCertificate) =>
  db(
    saveDesiredRow,
    desired.hostname,
    desired.generation,
    desired.client,
    desired.registered,
    desired.authorities,
    desired.evidence,
    desired.notify.kind,
    desired.notify.project,
    desired.notify.id,
    desired.changes,
    desired.failedAt.map((at) => new Date(at)),
    dateOf(desired.droppedAt),
    dateOf(desired.keptUntil),
  )

export const recordNotified = query<never, [hostname: string, changes: number]>(
  'record-certificate-notified',
  `update certificate_wishes
   set told = greatest(told, least($2, changes))
   where hostname = $1`,
)

type OrderRow = {
  id: string
  hostname: string
  generation: bigint
  state: OrderState
  isRenewal: boolean
  replaces: string | null
  authority: string | null
  sealedKey: Buffer | null
  orderUrl: string | null
  placements: number
  placedAt: Date | null
  failures: number
  outages: number
  isAsked: boolean
  problem: string | null
  heldUntil: Date | null
  nextAt: Date | null
  evidence: string
  createdAt: Date
  endedAt: Date | null
}

const orderOf = (row: OrderRow): CertificateOrder => ({
  ...row,
  problem: row.problem === null ? null : (JSON.parse(row.problem) as AcmeProblem),
  placedAt: instantOf(row.placedAt),
  heldUntil: instantOf(row.heldUntil),
  nextAt: instantOf(row.nextAt),
  createdAt: row.createdAt.getTime(),
  endedAt: instantOf(row.endedAt),
})

const findOrderRow = statement<OrderRow, [hostname: string]>(
  'find-certificate-order',
  `select id, hostname, generation, state, is_renewal as "isRenewal", replaces, authority, sealed_key as "sealedKey",
     order_url as "orderUrl", placements, placed_at as "placedAt", failures, outages, is_asked as "isAsked", problem,
     held_until as "heldUntil", next_at as "nextAt", evidence, created_at as "createdAt", ended_at as "endedAt"
   from certificate_orders
   where hostname = $1 and ended_at is null`,
)

/** The open order; there is never a second. */
export const findOrder = async (db: Db, hostname: string) => only(await db(findOrderRow, hostname), orderOf)

const insertOrderRow = statement<
  never,
  [
    id: string,
    hostname: string,
    generation: bigint,
    isRenewal: boolean,
    replaces: string | null,
    evidence: string,
    nextAt: Date | null,
    createdAt: Date,
  ]
>(
  'insert-certificate-order',
  `insert into certificate_orders
     (id, hostname, generation, state, is_renewal, replaces, evidence, next_at, created_at)
   values ($1, $2, $3, 'wanted', $4, $5, $6, $7, $8)`,
)

export const insertOrder = (db: Db, order: CertificateOrder) =>
  db(
    insertOrderRow,
    order.id,
    order.hostname,
    order.generation,
    order.isRenewal,
    order.replaces,
    order.evidence,
    dateOf(order.nextAt),
    new Date(order.createdAt),
  )

const saveOrderRow = statement<
  { id: string },
  [
    id: string,
    generation: bigint,
    state: string,
    replaces: string | null,
    authority: string | null,
    sealedKey: Buffer | null,
    orderUrl: string | null,
    placements: number,
    placedAt: Date | null,
    failures: number,
    outages: number,
    isAsked: boolean,
    problem: string | null,
    heldUntil: Date | null,
    nextAt: Date | null,
    evidence: string,
    endedAt: Date | null,
  ]
>(
  'save-certificate-order',
  `update certificate_orders
   set state = $3, replaces = $4, authority = $5, sealed_key = $6, order_url = $7, placements = $8, placed_at = $9,
     failures = $10, outages = $11, is_asked = $12, problem = $13, held_until = $14, next_at = $15, evidence = $16,
     ended_at = $17
   where id = $1 and generation = $2 and ended_at is null
   returning id`,
)

/** The caller has locked the desired certificate. False if the order has ended, or is of another generation. */
export const saveOrder = async (db: Db, order: CertificateOrder): Promise<boolean> =>
  (
    await db(
      saveOrderRow,
      order.id,
      order.generation,
      order.state,
      order.replaces,
      order.authority,
      order.sealedKey,
      order.orderUrl,
      order.placements,
      dateOf(order.placedAt),
      order.failures,
      order.outages,
      order.isAsked,
      order.problem && JSON.stringify(order.problem),
      dateOf(order.heldUntil),
      dateOf(order.nextAt),
      order.evidence,
      dateOf(order.endedAt),
    )
  ).length > 0
