// Reads the facts of a mail about a request when it is sent, and has its text written.

import { readAddress } from '../foundation/smtp/address.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import type { Compose } from '../mail/jobs.io.ts'
import { countMail, type MailRow } from '../mail/outbox-queries.ts'
import { visitorMailsPerDay } from '../plans/limits.ts'
import { memberComposer, type MemberMailDeps, type MemberMailFacts } from '../projects/member-mails.io.ts'
import { findProject } from '../projects/project-queries.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { deciders } from './advance.io.ts'
import {
  orderExpiringMail,
  orderPlacedMail,
  visitorMail,
  visitorMailKinds,
  type StoreSite,
  type VisitorMailKind,
} from './mails.ts'
import { findManaged, type OrderRow } from './order-queries.ts'
import { reasonAgainst, visitorMailSettings } from './visitor-mails.io.ts'

/** The published site of a project; undefined if there is none. */
export type SiteOf = (db: Db, project: ProjectId) => Promise<StoreSite | undefined>

export type OrderMailDeps = MemberMailDeps & { siteOf: SiteOf }

type OrderMailKind = 'order_placed' | 'order_expiring' | VisitorMailKind

export function orderComposers(deps: OrderMailDeps): Readonly<Record<OrderMailKind, Compose>> {
  const toMember = memberComposer(deps)
  const ofVisitors = Object.fromEntries(
    visitorMailKinds.map((kind) => [kind, visitorComposer(deps, kind)]),
  ) as Readonly<Record<VisitorMailKind, Compose>>

  return {
    ...ofVisitors,
    order_placed: toMember(deciders, async (facts) => {
      const order = await openOrder(facts)
      if (!order) return { because: 'decided' }
      const replyTo = readAddress(order.visitorContact)
      return { ...orderPlacedMail(requestFacts(facts, order)), replyTo }
    }),
    order_expiring: toMember(deciders, async (facts) => {
      const order = await openOrder(facts)
      if (!order?.expiresAt) return { because: 'decided' }
      const replyTo = readAddress(order.visitorContact)
      return { ...orderExpiringMail({ ...requestFacts(facts, order), expiresAt: order.expiresAt }), replyTo }
    }),
  }
}

/** Undefined once it is decided: then there is nothing left to do. */
async function openOrder({ db, row, projectId }: MemberMailFacts): Promise<OrderRow | undefined> {
  const order = await findManaged(db, projectId, BigInt(row.subject['order'] ?? 0))
  return order?.status === 'placed' ? order : undefined
}

const requestFacts = ({ account, project, projectUrl }: MemberMailFacts, order: OrderRow) => ({
  language: account.language,
  project: project.name,
  projectUrl,
  animal: order.petName,
  visitor: { name: order.visitorName, contact: order.visitorContact },
  message: order.message,
  expiresAt: order.expiresAt,
  isReplyable: readAddress(order.visitorContact) !== undefined,
})

const visitorComposer =
  ({ run, inProject, siteOf }: OrderMailDeps, kind: VisitorMailKind): Compose =>
  async (row) => {
    const projectId = row.project as ProjectId
    const { order, project, site, settings } = await inProject(projectId, async (db) => {
      const found = await siteOf(db, projectId)
      return {
        order: await findManaged(db, projectId, orderIdOf(row)),
        project: await findProject(db, projectId),
        site: found,
        settings: await visitorMailSettings(db, projectId, Promise.resolve(found !== undefined)),
      }
    })
    if (!order || !project) return undefined
    const to = readAddress(order.visitorContact)
    if (to === undefined) return { because: 'no email address' }
    // The decision follows in a mail of its own.
    if (kind === 'order_received' && order.status !== 'placed') return { because: 'decided' }
    const because = await reasonAgainst(run, settings)
    if (because !== undefined || !site) return { because: because ?? 'no published site' }
    if (!(await isWithinBudget(run, row, visitorMailsPerDay(project.plan)))) return { because: 'budget of the plan' }
    return { to, mail: visitorMail(kind, { site, animal: order.petName, expiresAt: order.expiresAt }) }
  }

const orderIdOf = ({ recipient }: MailRow): bigint => BigInt(recipient.slice('ord_'.length))

const DAY_SECONDS = 24 * 3600

/** Counts the mail, unless an earlier attempt did. */
const isWithinBudget = async (run: Db, { project, isCounted }: MailRow, most: number): Promise<boolean> =>
  isCounted || countMail(run, { recipient: `prj_${project}`, kind: 'visitors' }, { most, windowSeconds: DAY_SECONDS })
