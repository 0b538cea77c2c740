// Orders, which are requests for one animal: the queue of an animal, and the stages of a request.
// The visitor's identity is shown here only, and to members only. Moves, holds, notes and the
// animal's status have files of their own.

import { Type, type Static } from 'typebox'
import { Int64 } from '../int64.ts'
import { orderStatuses, type OrderStatus } from '../orders.ts'
import { cursor, limitOf, type Parameter } from '../parameters.ts'
import { petStatuses, type PetStatus } from '../pets.ts'
import { Time, TimeOrNull } from './accounts.ts'
import { ListedAnimal } from './animals.ts'
import { member, projectSlug, type PlatformOperation } from './operation.ts'
import { ProfileSummary } from './profiles.ts'

export const VISITOR_NAME_LENGTH_MAX = 100
export const VISITOR_CONTACT_LENGTH_MAX = 254
export const VISITOR_PHONE_LENGTH_MAX = 30
export const ORDER_MESSAGE_LENGTH_MAX = 2000

/** Open requests for one animal at a time. */
export const QUEUE_MAX = 20
export const HOLD_DAYS_MAX = 30
export const HOLD_DAYS_DEFAULT = 7
/** For how long a move can be undone; the mail about it is not sent before. */
export const UNDO_SECONDS = 60
/** For how long an ended request can be reopened. */
export const REOPEN_DAYS = 30
/** Without any move: when the members are reminded, and when the request expires. */
export const SILENT_REMINDER_DAYS = 3
export const SILENT_EXPIRY_DAYS = 30

/** For how long the data of a visitor is kept after a request ended without a home, unless the operator chooses. */
export const VISITOR_DATA_DAYS = 90

export const NOTE_LENGTH_MAX = 2000
export const NOTES_MAX = 200
export const VISIT_PLACE_LENGTH_MAX = 200
export const DECLINE_TEXT_LENGTH_MAX = 300
export const ANSWERS_MAX = 12
export const QUESTION_LENGTH_MAX = 200
export const ANSWER_LENGTH_MAX = 2000

/** The first four are open: they wait in the queue of their animal. */
export const orderStages = [
  'new',
  'talking',
  'visit',
  'approved',
  'completed',
  'declined',
  'withdrawn',
  'closed',
  'expired',
] as const
export type OrderStage = (typeof orderStages)[number]
export const openStages = ['new', 'talking', 'visit', 'approved'] as const satisfies readonly OrderStage[]

/** The facts that a member can record. */
export const orderMoves = [
  'contacted',
  'visit_set',
  'approved',
  'handed_over',
  'declined',
  'withdrawn',
  'reopened',
] as const
export type OrderMove = (typeof orderMoves)[number]

/** From when on a request holds its animal; each rule includes the ones before, except `by_hand`. */
export const holdRules = ['by_hand', 'on_approval', 'on_visit', 'on_first_request'] as const
export type HoldRule = (typeof holdRules)[number]

export const OrderVisitor = Type.Object(
  {
    name: Type.String({ maxLength: VISITOR_NAME_LENGTH_MAX, description: 'As the visitor gave it.' }),
    contact: Type.String({
      maxLength: VISITOR_CONTACT_LENGTH_MAX,
      description: 'How the visitor can be reached: an email address or a telephone number.',
    }),
    phone: Type.String({
      maxLength: VISITOR_PHONE_LENGTH_MAX,
      description: 'A telephone number besides the contact; empty if the visitor left none.',
    }),
  },
  { $id: 'OrderVisitor', description: 'The visitor who placed the order. Personal data.' },
)

export const OrderAnswer = Type.Object(
  {
    question: Type.String({ maxLength: QUESTION_LENGTH_MAX, description: 'As it was asked then.' }),
    answer: Type.String({ maxLength: ANSWER_LENGTH_MAX, description: 'What the visitor answered.' }),
  },
  { $id: 'OrderAnswer', description: "A visitor's answer to a question of the site. Personal data." },
)
export type OrderAnswer = Static<typeof OrderAnswer>

export const OrderVisit = Type.Object(
  {
    at: Type.String({
      maxLength: 40,
      pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2})$',
      description: 'When it begins, in the time zone of the place (RFC 3339): visitors read it as it is given.',
    }),
    place: Type.String({
      maxLength: VISIT_PLACE_LENGTH_MAX,
      description: 'Where it is, in one line; may be empty. The visitor reads it.',
    }),
  },
  { $id: 'OrderVisit', additionalProperties: false, description: 'A visit that was arranged with the visitor.' },
)
export type OrderVisit = Static<typeof OrderVisit>

/** Why a request is declined. The visitor reads it in kinder words; of `other`, nothing. */
export const declineReasons = ['other_visitor', 'not_a_match', 'not_ready', 'no_contact', 'other'] as const
export type DeclineReason = (typeof declineReasons)[number]

export const OrderDecline = Type.Object(
  {
    reason: Type.Unsafe<DeclineReason>({
      type: 'string',
      enum: [...declineReasons],
      description:
        'For your records; the mail to the visitor contains a sentence in kind words for each reason except `other`.',
    }),
    text: Type.String({
      maxLength: DECLINE_TEXT_LENGTH_MAX,
      description: 'A sentence of your own, which the visitor reads in the mail; may be empty. It contains no address.',
    }),
  },
  { $id: 'OrderDecline', additionalProperties: false, description: 'Why a request was declined.' },
)
export type OrderDecline = Static<typeof OrderDecline>

export const OrderErasure = Type.Object(
  {
    at: Time,
    afterDays: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      description: 'The number of days after the end of the request; null if the visitor wanted it erased.',
    }),
  },
  { $id: 'OrderErasure', description: 'The erasure of the personal data of the visitor.' },
)
export type OrderErasure = Static<typeof OrderErasure>

export const ManagedOrder = Type.Object(
  {
    id: Type.Unsafe<bigint>({ ...Int64, description: 'Identifier of the order.' }),
    petId: Type.Unsafe<bigint>({ ...Int64, description: 'Identifier of the animal.' }),
    petName: Type.String({ description: "The animal's current name." }),
    petStatus: Type.Unsafe<PetStatus>({
      type: 'string',
      enum: [...petStatuses],
      description: "The animal's current status.",
    }),
    petCategoryId: Type.Unsafe<bigint>({ ...Int64, description: "The animal's category." }),
    portrait: ProfileSummary.properties.portrait,
    cover: ListedAnimal.properties.cover,
    status: Type.Unsafe<OrderStatus>({
      type: 'string',
      enum: [...orderStatuses],
      description: 'State of the order, as `/v1` shows it. It follows from the stage.',
    }),
    stage: Type.Unsafe<OrderStage>({
      type: 'string',
      enum: [...orderStages],
      description: 'Where the request stands. `new`, `talking`, `visit` and `approved` are open.',
    }),
    moves: Type.Array(Type.Unsafe<OrderMove>({ type: 'string', enum: [...orderMoves] }), {
      maxItems: orderMoves.length,
      description: 'The facts that `moveOrder` accepts now.',
    }),
    position: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      description: 'Place in the queue of the animal, in order of confirmation; null if the request is not open.',
    }),
    queueLength: Type.Integer({
      minimum: 0,
      maximum: QUEUE_MAX,
      description: 'Number of open requests for the animal.',
    }),
    isHolding: Type.Boolean({ description: 'Whether the animal is held for this request.' }),
    heldUntil: Type.Unsafe<string | null>({
      ...TimeOrNull,
      description: 'When the hold ends; null if this request does not hold the animal.',
    }),
    mayHold: Type.Boolean({
      description: 'Whether `holdAnimal` is accepted now: the request is open, and no other one holds the animal.',
    }),
    visit: Type.Unsafe<OrderVisit | null>({
      anyOf: [OrderVisit, { type: 'null' }],
      description: 'The visit that was arranged; null if there is none.',
    }),
    decline: Type.Unsafe<OrderDecline | null>({
      anyOf: [OrderDecline, { type: 'null' }],
      description: 'Why the request was declined, if a member gave a reason; null otherwise.',
    }),
    visitor: OrderVisitor,
    isConfirmed: Type.Boolean({
      description: 'Whether the visitor confirmed the email address. False for requests placed without mail.',
    }),
    message: Type.String({ maxLength: ORDER_MESSAGE_LENGTH_MAX, description: 'What the visitor wrote.' }),
    answers: Type.Array(OrderAnswer, { maxItems: ANSWERS_MAX, description: "Answers to the site's questions." }),
    notes: Type.Integer({ minimum: 0, maximum: NOTES_MAX, description: 'Number of notes.' }),
    createdAt: Time,
    expiresAt: Type.Unsafe<string | null>({
      ...TimeOrNull,
      description: `When the request expires if it is not moved until then, ${SILENT_EXPIRY_DAYS} days after the last move; null unless it is \`new\` or \`talking\`.`,
    }),
    decidedAt: Type.Unsafe<string | null>({
      ...TimeOrNull,
      description: 'When the request was approved or ended; null while it is `new`, `talking` or `visit`.',
    }),
    notifiesVisitor: Type.Boolean({
      description:
        'Whether the visitor is mailed when the order is decided. Otherwise a member has to contact the visitor.',
    }),
    decidedBy: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The account that decided; `visitor` if the visitor withdrew; `petstore` if the request expired.',
    }),
    undoUntil: Type.Unsafe<string | null>({
      ...TimeOrNull,
      description: `Until when \`undoOrder\` takes back the last change of this request, ${UNDO_SECONDS} seconds after it; null if there is nothing to undo.`,
    }),
    erased: Type.Unsafe<OrderErasure | null>({
      anyOf: [OrderErasure, { type: 'null' }],
      description:
        'Whether the data of the visitor was erased: name, contact, phone, message, answers, visit, notes and the sentence about declining are then empty.',
    }),
  },
  { $id: 'ManagedOrder', description: 'An order for one animal, as members see it.' },
)
export type ManagedOrder = Static<typeof ManagedOrder>
export const ManagedOrders = Type.Array(ManagedOrder, { $id: 'ManagedOrders', maxItems: 100 })

export const orderExample = {
  id: 7,
  petId: 1044,
  petName: 'Rex',
  petStatus: 'available',
  petCategoryId: 9,
  portrait: null,
  cover: null,
  status: 'placed',
  stage: 'new',
  moves: ['contacted', 'visit_set', 'approved', 'handed_over', 'declined', 'withdrawn'],
  position: 1,
  queueLength: 1,
  isHolding: false,
  heldUntil: null,
  mayHold: true,
  visit: null,
  decline: null,
  visitor: { name: 'Ben', contact: 'ben@visitor.example', phone: '+44 20 7946 0958' },
  isConfirmed: true,
  message: 'May I see him on Saturday?',
  answers: [{ question: 'Do you have a garden?', answer: 'Yes' }],
  notes: 0,
  createdAt: '2026-11-14T22:00:00Z',
  expiresAt: '2026-12-14T22:00:00Z',
  decidedAt: null,
  notifiesVisitor: true,
  decidedBy: null,
  undoUntil: null,
  erased: null,
}

/** An identifier that no order can have is one that no order has: 404, never 400. */
export const orderId: Parameter<bigint, 'path'> = {
  in: 'path',
  description: 'Identifier of the order.',
  schema: Int64,
  refusal: 'not_found',
  component: 'OrderId',
  example: 7,
}

const orderStatusFilter: Parameter<OrderStatus, 'query'> = {
  in: 'query',
  description: 'Filters by state.',
  schema: { type: 'string', enum: [...orderStatuses] },
  refusal: 'invalid_parameter',
}

/** All open stages, or all others. */
export const stageGroups = ['open', 'ended'] as const
export type StageFilter = OrderStage | (typeof stageGroups)[number]

const orderStageFilter: Parameter<StageFilter, 'query'> = {
  in: 'query',
  description: 'Filters by stage; `open` and `ended` stand for all open stages and all others.',
  schema: { type: 'string', enum: [...orderStages, ...stageGroups] },
  refusal: 'invalid_parameter',
}

const orderAnimalFilter: Parameter<bigint, 'query'> = {
  in: 'query',
  description: 'Filters by animal.',
  schema: Int64,
  refusal: 'invalid_parameter',
}

export const listOrders = {
  operationId: 'listOrders',
  method: 'GET',
  path: '/projects/{project}/orders',
  tag: 'orders',
  access: 'viewer',
  summary: 'List orders',
  description: 'Newest first. Paginated with the `Link` header. Filters can be combined.',
  parameters: {
    project: projectSlug,
    limit: limitOf('orders'),
    status: orderStatusFilter,
    stage: orderStageFilter,
    animal: orderAnimalFilter,
    cursor,
  },
  success: {
    status: 200,
    description: 'A page of orders.',
    schema: ManagedOrders,
    headers: ['ETag', 'Link'],
    example: [orderExample],
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const getOrder = {
  operationId: 'getOrder',
  method: 'GET',
  path: '/projects/{project}/orders/{orderId}',
  tag: 'orders',
  access: 'viewer',
  summary: 'Show an order',
  description: 'One order of the project.',
  parameters: { project: projectSlug, orderId },
  success: { status: 200, description: 'The order.', schema: ManagedOrder, headers: ['ETag'], example: orderExample },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const orderOperations: readonly PlatformOperation[] = [listOrders, getOrder]
