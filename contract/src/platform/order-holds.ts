// Which request holds an animal: by hand, and by the rule of the project, with the other settings of
// its requests.

import { Type, type Static } from 'typebox'
import { member, projectSlug, type PlatformOperation } from './operation.ts'
import { heldExample, movedExample, orderMoved } from './order-moves.ts'
import { HOLD_DAYS_DEFAULT, HOLD_DAYS_MAX, holdRules, orderId, type HoldRule } from './orders.ts'

export const AnimalHold = Type.Object(
  {
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: HOLD_DAYS_MAX,
        description: "For how long, from now. The project's setting by default.",
      }),
    ),
  },
  { $id: 'AnimalHold', additionalProperties: false },
)
const daysFault = (name: string) => `'${name}' must be an integer from 1 to ${HOLD_DAYS_MAX}.`

export const holdAnimal = {
  operationId: 'holdAnimal',
  method: 'POST',
  path: '/projects/{project}/orders/{orderId}/hold',
  tag: 'orders',
  access: 'admin',
  summary: 'Hold the animal for a request',
  description:
    'The animal becomes pending; visitors can still ask for it. When the hold ends, the animal is available again, the request stays where it is, and the members are notified. A request that holds the animal already gets the new time. Rejected with `wrong_state` if the request has ended or another one holds the animal.',
  parameters: { project: projectSlug, orderId },
  body: {
    schema: AnimalHold,
    faults: { days: daysFault('days') },
    examples: { one: { summary: 'For two weeks', value: { days: 14 } } },
  },
  success: orderMoved('The request, which holds the animal.', {
    ...movedExample,
    ...heldExample,
    heldUntil: '2026-11-29T09:00:00Z',
  }),
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const releaseAnimal = {
  operationId: 'releaseAnimal',
  method: 'DELETE',
  path: '/projects/{project}/orders/{orderId}/hold',
  tag: 'orders',
  access: 'admin',
  summary: 'End the hold of a request',
  description:
    'The animal becomes available; the request stays where it is. Rejected with `wrong_state` if it does not hold the animal.',
  parameters: { project: projectSlug, orderId },
  success: orderMoved('The request, which no longer holds the animal.', movedExample),
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const RequestSettings = Type.Object(
  {
    holdRule: Type.Unsafe<HoldRule>({
      type: 'string',
      enum: [...holdRules],
      description:
        'When a request holds its animal: only by hand; on approval; on a visit, or approval; or on the first request for an available animal.',
    }),
    holdDays: Type.Integer({ minimum: 1, maximum: HOLD_DAYS_MAX, description: 'For how long an animal is held.' }),
    showsRequestCount: Type.Boolean({
      description: 'Whether the site says how many people have asked for an animal.',
    }),
  },
  { $id: 'RequestSettings', additionalProperties: false, description: 'How the requests of a project work.' },
)
export type RequestSettings = Static<typeof RequestSettings>
export const defaultRequestSettings: Readonly<RequestSettings> = {
  holdRule: 'on_approval',
  holdDays: HOLD_DAYS_DEFAULT,
  showsRequestCount: false,
}
const settingsExample = { holdRule: 'on_visit', holdDays: 14, showsRequestCount: true }

export const getRequestSettings = {
  operationId: 'getRequestSettings',
  method: 'GET',
  path: '/projects/{project}/request-settings',
  tag: 'orders',
  access: 'viewer',
  summary: 'Show how requests work',
  description: 'The settings of the project; the defaults until a member changes them.',
  parameters: { project: projectSlug },
  success: {
    status: 200,
    description: 'The settings.',
    schema: RequestSettings,
    headers: ['ETag'],
    example: defaultRequestSettings,
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const putRequestSettings = {
  operationId: 'putRequestSettings',
  method: 'PUT',
  path: '/projects/{project}/request-settings',
  tag: 'orders',
  access: 'admin',
  summary: 'Set how requests work',
  description: 'For moves from now on; holds that exist keep their time.',
  parameters: { project: projectSlug },
  body: {
    schema: RequestSettings,
    faults: {
      holdRule: `'holdRule' must be one of ${holdRules.join(', ')}.`,
      holdDays: daysFault('holdDays'),
      showsRequestCount: "'showsRequestCount' must be true or false.",
    },
    examples: { one: { summary: 'Held from a visit on', value: settingsExample } },
  },
  success: {
    status: 200,
    description: 'The settings.',
    schema: RequestSettings,
    headers: [],
    example: settingsExample,
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const orderHoldOperations: readonly PlatformOperation[] = [
  holdAnimal,
  releaseAnimal,
  getRequestSettings,
  putRequestSettings,
]
