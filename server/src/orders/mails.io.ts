// The kinds of mail about a request, and what they read when they are sent.

import { readAddress } from '../foundation/smtp/address.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { alert, DAY_SECONDS, notification, type MailRules } from '../mail/kinds.ts'
import { unlinked } from '../mail/linked-names.ts'
import type { Compose, MailKind, MailKinds } from '../mail/mail-kind.ts'
import { countMail, type MailRow } from '../mail/outbox-queries.ts'
import { toMember, type MemberMailFacts } from '../projects/member-mails.io.ts'
import { findProject } from '../projects/project-queries.ts'
import type { ProjectId } from '../projects/scope.io.ts'
import { deciders, VISITOR_QUEUE } from './write-step.io.ts'
import { orderMails, senderOf, visitorMail, visitorMailKinds, type StoreSite, type VisitorMailKind } from './mails.ts'
import { languages, type Language } from '@petstore-platform/contract/platform/site'
import type { OrderStage } from '@petstore-platform/contract/platform/orders'
import { visitCalendar } from './calendar.ts'
import { isOpen } from './lifecycle.ts'
import { orderTexts } from './mail-texts.ts'
import { findManaged, type OrderRow } from './order-queries.ts'
import { confirmation, statusUrlOf, type OrderMailContext } from './confirmation-mail.io.ts'
import { reasonAgainst, visitorMailSettings } from './visitor-mails.io.ts'

const toVisitor: MailRules = {
  queue: VISITOR_QUEUE,
  validSeconds: DAY_SECONDS,
  limit: { most: 3, windowSeconds: DAY_SECONDS, group: 'visitor', by: 'address' },
}

export const orderMailKinds = {
  order_placed: { ...alert('requests'), goesFirst: true, compose: toMember(deciders, placed) },
  order_waiting: { ...alert('reminders'), compose: toMember(deciders, waiting) },
  hold_ended: { ...alert('reminders'), compose: toMember(deciders, holdEnded) },
  order_withdrawn: { ...notification('reminders'), compose: toMember(deciders, withdrawn) },
  ...everyVisitorMail(),
  // A visitor waits for it, and it is how the address is proved. A stranger must not fill a mailbox with it.
  request_confirm: {
    queue: 'urgent',
    validSeconds: DAY_SECONDS,
    limit: { most: 5, windowSeconds: DAY_SECONDS, by: 'address' },
    proves: true,
    compose: confirmation,
  },
} satisfies MailKinds<OrderMailContext>

function everyVisitorMail() {
  const kinds = visitorMailKinds.map((kind) => [kind, { ...toVisitor, compose: visitorMailOf(kind) }])
  return Object.fromEntries(kinds) as Record<VisitorMailKind, MailKind<OrderMailContext>>
}

async function placed(facts: MemberMailFacts) {
  const order = await openOrder(facts)
  if (!order) return { because: 'decided' }
  const replyTo = readAddress(order.visitorContact)
  return { ...orderMails.order_placed(requestFacts(facts, order)), replyTo }
}

async function waiting(facts: MemberMailFacts) {
  const order = await openOrder(facts)
  if (!order?.expiresAt) return { because: 'decided' }
  const replyTo = readAddress(order.visitorContact)
  const { expiresAt } = order
  return { ...orderMails.order_waiting({ ...requestFacts(facts, order), expiresAt }), replyTo }
}

async function holdEnded(facts: MemberMailFacts) {
  const order = await openOrder(facts)
  if (!order || order.petStatus !== 'available') return { because: 'changed since' }
  const replyTo = readAddress(order.visitorContact)
  return { ...orderMails.hold_ended(requestFacts(facts, order)), replyTo }
}

async function withdrawn(facts: MemberMailFacts) {
  const order = await orderOf(facts)
  if (order?.stage !== 'withdrawn') return { because: 'changed since' }
  const wasHeld = facts.row.subject['held'] === 'yes'
  return orderMails.order_withdrawn({ ...requestFacts(facts, order), wasHeld, isErased: order.erasedAt !== null })
}

const orderOf = ({ db, row, projectId }: MemberMailFacts): Promise<OrderRow | undefined> =>
  findManaged(db, projectId, BigInt(row.subject['order'] ?? 0))

/** Undefined once it has ended: then there is nothing left to do. */
async function openOrder(facts: MemberMailFacts): Promise<OrderRow | undefined> {
  const order = await orderOf(facts)
  return order && isOpen(order.stage) ? order : undefined
}

const requestFacts = ({ account, project, projectUrl }: MemberMailFacts, order: OrderRow) => ({
  language: account.language,
  timeZone: account.timeZone ?? 'UTC',
  project: project.name,
  projectUrl,
  requestUrl: `${projectUrl}/requests/${order.id}`,
  animal: order.petName,
  visitor: { name: unlinked(order.visitorName), contact: order.visitorContact, phone: order.visitorPhone },
  message: order.message,
  answers: order.answers,
  position: order.position,
  heldUntil: order.heldUntil,
  expiresAt: order.expiresAt,
  isReplyable: readAddress(order.visitorContact) !== undefined,
})

function visitorMailOf(kind: VisitorMailKind) {
  return (context: OrderMailContext): Compose =>
    async (row) => {
      const { run, inProject, siteOf, plans, dashboardOrigin } = context
      const projectId = row.project as ProjectId
      const { order, project, site, settings, statusUrl } = await inProject(projectId, async (db) => {
        const found = await siteOf(db, projectId)
        const requested = await findManaged(db, projectId, orderIdOf(row))
        return {
          order: requested,
          statusUrl: (requested && (await statusUrlOf(context, db, projectId, requested))) ?? null,
          project: await findProject(db, projectId),
          site: found,
          settings: await visitorMailSettings(db, projectId, Promise.resolve(found !== undefined)),
        }
      })
      if (!order || !project) return undefined
      const to = readAddress(order.visitorContact)
      if (to === undefined) return { because: 'no email address' }
      // What happened since follows in a mail of its own.
      if (!stagesOf[kind].includes(order.stage)) return { because: 'changed since' }
      const because = await reasonAgainst(run, settings)
      if (because !== undefined || !site) return { because: because ?? 'no published site' }
      if (!(await isWithinBudget(run, row, plans.most(project.plan, 'visitorMails'))))
        return { because: 'budget of the plan' }
      const { petName: animal, heldUntil, visitAt, visitOffset: offset, visitPlace: place, decline } = order
      const visit = visitAt && { at: visitAt, offset, place }
      const facts = { site: { ...site, ...languageOf(order) }, animal, heldUntil, visit, decline, statusUrl }
      const host = new URL(dashboardOrigin).hostname
      const attachment = calendarOf(kind, order, facts.site, row, host)
      return { to, ...senderOf(site), mail: visitorMail(kind, facts), attachment }
    }
}

/** For the calendar of the visitor: the visit, or its end if the request ends before. */
function calendarOf(kind: VisitorMailKind, order: OrderRow, site: StoreSite, row: MailRow, host: string) {
  const { id, visitAt: at, visitPlace: place, petName, createdAt: requestedAt } = order
  const hasEnded = !isOpen(order.stage) && kind !== 'order_completed'
  const method = kind === 'visit_arranged' ? 'PUBLISH' : hasEnded ? 'CANCEL' : undefined
  if (method === undefined || at === null || (method === 'CANCEL' && at < row.queuedAt)) return undefined
  const summary = orderTexts[site.language].visitor.calendar(petName, site.title)
  const uid = `visit-${row.project}-${id}@${host}`
  const store = { title: site.title, email: site.contact.email }
  return visitCalendar({ method, uid, at, place, summary, store, requestedAt, mailedAt: row.queuedAt })
}

/** The stages in which a mail is still true. */
const stagesOf: Readonly<Record<VisitorMailKind, readonly OrderStage[]>> = {
  order_received: ['new', 'talking', 'visit'],
  visit_arranged: ['visit', 'approved'],
  order_approved: ['approved'],
  order_declined: ['declined'],
  order_expired: ['expired'],
  order_completed: ['completed'],
  found_a_home: ['closed'],
}

/** The visitor's, if the page had another one than the site. */
function languageOf({ language }: OrderRow): { language?: Language } {
  const known = languages.find((each) => each === language)
  return known ? { language: known } : {}
}

const orderIdOf = ({ recipient }: MailRow): bigint => BigInt(recipient.slice('ord_'.length))

/** Counts the mail, unless an earlier attempt did. */
const isWithinBudget = async (run: Db, { project, isCounted }: MailRow, most: number): Promise<boolean> =>
  isCounted || countMail(run, { recipient: `prj_${project}`, kind: 'visitors' }, { most, windowSeconds: DAY_SECONDS })
