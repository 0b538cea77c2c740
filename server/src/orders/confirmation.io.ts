// How a visitor's request becomes an order. With mail, the form only stores the request and queues a link, in one
// transaction; the order exists once the visitor has confirmed. Such a request holds nothing, and is deleted after a
// day. Without mail, the order is created at once, and is marked as unconfirmed.
//
// Confirming is a POST: programs that scan mail open every link.

import type { Language } from '@petstore-platform/contract/platform/site'
import type { Context } from '../foundation/context.ts'
import { digestOf } from '../foundation/key-format.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { countRates, type CountRates } from '../foundation/load/rate-directory.io.ts'
import { setTimer, type TimerWork } from '../foundation/postgres/timer-leases.io.ts'
import type { MessageCodes } from '../mail/message-codes.io.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import type { InProject, ProjectId } from '../projects/scope.io.ts'
import { placeIn } from './advance.io.ts'
import type { OrderContext } from './write-step.io.ts'
import * as caps from './caps.ts'
import { CapReached, DAY_SECONDS, type RequestLimits } from './caps.ts'
import * as queries from './confirmation-queries.ts'
import type { OrderRow } from './order-queries.ts'
import type { AskedAnswer } from './questions.ts'
import { readVisitor, type VisitorWords } from './visitor.ts'

/** What takes in the requests of visitors. */
export type AskContext = OrderContext &
  Pick<Context, 'now' | 'newId'> & {
    queueMail?: QueueMail<'request_confirm'> | undefined
    /** Those of the links to the pages of requests. */
    codes: Pick<MessageCodes, 'codeOf'>
    limits: RequestLimits
    /** In memory only in a test (negative control) which shows that such counters admit too many. */
    countRates?: CountRates | undefined
  }

export type RequestInput = VisitorWords & {
  petId: bigint
  answers: readonly AskedAnswer[]
  language: Language
  /** The visitor's internet address, which is counted and not stored. */
  address: string
  /** Of the project, with which the address is made unrecognisable. */
  secret: Uint8Array
  /** Whether the visitor confirms it by mail. */
  isConfirmed: boolean
}

export const TIMER = 'request_confirmation'

/** Stores the request until it is confirmed, or places the order. Throws a refusal, or the cap that is reached. */
export function ask(context: AskContext, project: ProjectId, input: RequestInput): Promise<'mailed' | OrderRow> {
  const visitor = { ...readVisitor(input), answers: input.answers, language: input.language, petId: input.petId }
  const { queueMail } = context
  return context.inProject(project, async (db) => {
    await queries.lockRequests(db, project)
    await count(context, db, project, input)
    if (input.isConfirmed && queueMail) return store({ ...context, queueMail }, db, project, visitor)
    await checkContact(db, project, visitor)
    return placeIn(context, db, project, visitor)
  })
}

async function count(
  { now, limits, ...context }: AskContext,
  db: Db,
  project: ProjectId,
  input: RequestInput,
): Promise<void> {
  const counted = caps.countedFor({ ...input, project }, limits)
  const [refused] = await (context.countRates ?? countRates)(db, counted, { now: now(), windowSeconds: DAY_SECONDS })
  if (refused !== undefined) throw new CapReached(caps.capReached(refused))
}

type Visitor = VisitorWords & { petId: bigint; answers: readonly AskedAnswer[]; language: Language }

/**
 * A contact with enough links already gets no further one, and the response is the same: only the owner of the mailbox
 * learns what was asked under its address.
 */
async function store(
  { queueMail, newId, codes, limits }: AskContext & { queueMail: QueueMail<'request_confirm'> },
  db: Db,
  project: ProjectId,
  visitor: Visitor,
): Promise<'mailed'> {
  const { ofProject, ofContact } = await queries.countConfirmations(db, project, visitor.contact)
  if (ofProject >= limits.requestsUnconfirmed) throw new CapReached('unconfirmed')
  if (ofContact >= caps.PER_CONTACT) return 'mailed'
  const id = newId('req')
  const digest = digestOf(await codes.codeOf(confirmationText(project, id)))
  await queries.insertConfirmation(db, project, { id, digest, ...visitor }, DAY_SECONDS)
  await setTimer(db, { kind: TIMER, project, id }, DAY_SECONDS)
  await queueMail(db, { kind: 'request_confirm', recipient: id, project })
  return 'mailed'
}

/** What the secrets of the two pages of a request are made of. */
export const confirmationText = (project: ProjectId, id: string): string => `confirm ${project} ${id}`
export const statusText = (project: ProjectId, orderId: bigint): string => `status ${project} ${orderId}`

async function checkContact(db: Db, project: ProjectId, { contact, petId }: Visitor): Promise<void> {
  const { ofAnimal, ofContact } = await queries.countOpenOf(db, project, contact, petId)
  if (ofAnimal >= caps.PER_CONTACT_AND_ANIMAL) throw new CapReached('asked_already')
  if (ofContact >= caps.PER_CONTACT) throw new CapReached('contact')
}

/** The request that a link is for; undefined if the link no longer works. */
export const findRequest = (
  { inProject }: Pick<AskContext, 'inProject'>,
  project: ProjectId,
  secret: string,
): Promise<queries.Confirmation | undefined> =>
  inProject(project, (db) => queries.findByLink(db, project, digestOf(secret)))

/** The id of the order, which it creates the first time; undefined if the link no longer works. */
export function confirm(context: AskContext, project: ProjectId, secret: string): Promise<bigint | undefined> {
  const digest = digestOf(secret)
  return context.inProject(project, async (db) => {
    await queries.lockRequests(db, project)
    const request = await queries.findByLink(db, project, digest)
    if (!request || request.orderId !== null) return request?.orderId ?? undefined
    const { id, orderId: _, ...asked } = request
    await checkContact(db, project, request)
    const confirmedAt = new Date(context.now())
    const order = await placeIn(context, db, project, { ...asked, confirmedAt })
    await queries.setStatusDigest(db, project, order.id, digestOf(await statusSecret(context, project, order.id)))
    await queries.endConfirmation(db, project, id, order.id)
    return order.id
  })
}

/** The secret in the address of the visitor's status page. */
export const statusSecret = (
  { codes }: Pick<AskContext, 'codes'>,
  project: ProjectId,
  orderId: bigint,
): Promise<string> => codes.codeOf(statusText(project, orderId))

/** Deletes a request a day after it was made, whether or not it was confirmed. */
export const confirmationWork = ({ inProject }: { inProject: InProject }): TimerWork => ({
  claimSeconds: 60,
  work: ({ project, id }) =>
    inProject(project as ProjectId, async (db) => {
      await queries.deleteConfirmation(db, project as ProjectId, id)
    }),
})
