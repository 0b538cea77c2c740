// Moves of a request: what happened, recorded by a member, and taken back while the visitor has not been mailed.

import { Type } from 'typebox'
import { member, projectSlug, type PlatformOperation } from './operation.ts'
import {
  DECLINE_TEXT_LENGTH_MAX,
  ManagedOrder,
  OrderDecline,
  OrderVisit,
  REOPEN_DAYS,
  UNDO_SECONDS,
  VISIT_PLACE_LENGTH_MAX,
  declineReasons,
  orderExample,
  orderId,
  orderMoves,
  type OrderMove,
} from './orders.ts'

export const movedExample = { ...orderExample, undoUntil: '2026-11-15T09:01:00Z' }
const decided = { ...movedExample, expiresAt: null, decidedAt: '2026-11-15T09:00:00Z', decidedBy: 'acc_3d2f8a1b6c7e' }
export const heldExample = { petStatus: 'pending', isHolding: true, heldUntil: '2026-11-22T09:00:00Z' }
const approvedExample = {
  ...decided,
  ...heldExample,
  status: 'approved',
  stage: 'approved',
  moves: ['visit_set', 'handed_over', 'declined', 'withdrawn', 'reopened'],
}
const declinedExample = {
  ...decided,
  status: 'declined',
  stage: 'declined',
  moves: ['reopened'],
  position: null,
  mayHold: false,
}

export const orderMoved = (description: string, example: Record<string, unknown>) =>
  ({ status: 200, description, schema: ManagedOrder, headers: ['ETag'], example }) as const

export const OrderMoveRequest = Type.Object(
  {
    fact: Type.Unsafe<OrderMove>({
      type: 'string',
      enum: [...orderMoves],
      description: 'What happened; one of the `moves` of the request.',
    }),
    visit: Type.Optional(OrderVisit),
    decline: Type.Optional(OrderDecline),
  },
  { $id: 'OrderMoveRequest', additionalProperties: false },
)
export const visitFault = `'visit' must have 'at', a time such as 2031-05-03T14:30:00+02:00, and 'place', one line of at most ${VISIT_PLACE_LENGTH_MAX} characters; it belongs to 'visit_set' alone.`
export const visitPastFault = "'visit' must not be in the past."
export const declineFault = `'decline' must have 'reason', one of ${declineReasons.join(', ')}, and 'text', one line of at most ${DECLINE_TEXT_LENGTH_MAX} characters; it belongs to 'declined' alone.`

export const moveOrder = {
  operationId: 'moveOrder',
  method: 'POST',
  path: '/projects/{project}/orders/{orderId}/move',
  tag: 'orders',
  access: 'admin',
  summary: 'Move a request',
  description: `Records what happened, and moves the request to the stage that follows. \`visit_set\` requires \`visit\`, which is not in the past, and can be repeated to change it. \`declined\` accepts \`decline\`, whose text is rejected with \`address_in_name\` if it contains what looks like an internet or email address. \`handed_over\` makes the animal sold and closes the other requests for it. An approval, a visit or a new request holds the animal if the project's rule says so and no other request holds it. \`reopened\` is possible for ${REOPEN_DAYS} days after the request ended, unless the animal is sold. The visitor is mailed after ${UNDO_SECONDS} seconds, until which \`undoOrder\` takes the move back. Rejected with \`wrong_state\` if the fact is not one of the request's \`moves\`.`,
  parameters: { project: projectSlug, orderId },
  body: {
    schema: OrderMoveRequest,
    faults: { fact: `'fact' must be one of ${orderMoves.join(', ')}.`, visit: visitFault, decline: declineFault },
    examples: {
      one: {
        summary: 'A visit is arranged',
        value: { fact: 'visit_set', visit: { at: '2031-05-03T14:30:00+02:00', place: 'At the shelter' } },
      },
      declined: {
        summary: 'A request is declined',
        value: { fact: 'declined', decline: { reason: 'not_a_match', text: 'Please ask again for a calmer dog.' } },
      },
    },
  },
  success: orderMoved('The request, moved.', {
    ...movedExample,
    stage: 'visit',
    expiresAt: null,
    visit: { at: '2031-05-03T14:30:00+02:00', place: 'At the shelter' },
  }),
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const approveOrder = {
  operationId: 'approveOrder',
  method: 'POST',
  path: '/projects/{project}/orders/{orderId}/approve',
  tag: 'orders',
  access: 'admin',
  summary: 'Approve an order',
  description:
    'Short for `moveOrder` with `approved`. It sells nothing: the animal is held for this request, unless the project holds animals by hand, and is sold when it is handed over. Rejected with `wrong_state` if the request has been approved or has ended.',
  parameters: { project: projectSlug, orderId },
  success: orderMoved('The order, approved.', approvedExample),
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const declineOrder = {
  operationId: 'declineOrder',
  method: 'POST',
  path: '/projects/{project}/orders/{orderId}/decline',
  tag: 'orders',
  access: 'admin',
  summary: 'Decline an order',
  description:
    'Short for `moveOrder` with `declined`. If the request holds the animal, the hold ends. Rejected with `wrong_state` if the request has ended.',
  parameters: { project: projectSlug, orderId },
  success: orderMoved('The order, declined.', declinedExample),
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const undoOrder = {
  operationId: 'undoOrder',
  method: 'POST',
  path: '/projects/{project}/orders/{orderId}/undo',
  tag: 'orders',
  access: 'admin',
  summary: 'Undo the last change of a request',
  description: `Restores the request and the animal as they were, with the requests that the change closed, and drops the mails about it. Possible for ${UNDO_SECONDS} seconds; rejected with \`wrong_state\` afterwards, or if the animal has changed since.`,
  parameters: { project: projectSlug, orderId },
  success: orderMoved('The request, as it was.', orderExample),
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const orderMoveOperations: readonly PlatformOperation[] = [moveOrder, approveOrder, declineOrder, undoOrder]
