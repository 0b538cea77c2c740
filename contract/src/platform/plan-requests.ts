// Asking the operator for another plan: the request is mailed to the operator, whose answer is
// shown here.

import { Type, type Static } from 'typebox'
import { Time, TimeOrNull } from './accounts.ts'
import { member, projectSlug, type PlatformOperation } from './operation.ts'
import { plans, type PlanName } from './projects.ts'

export const planAnswers = ['granted', 'declined'] as const
export type PlanAnswer = (typeof planAnswers)[number]

export const REASON_LENGTH_MAX = 500

const plan = Type.Unsafe<PlanName>({ type: 'string', enum: [...plans] })
const message = Type.Unsafe<string>({
  type: 'string',
  maxLength: 1000,
  pattern: '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F]*$',
  description: 'What the operator should know.',
})

export const PlanRequest = Type.Object(
  {
    id: Type.String(),
    plan,
    message,
    requestedBy: Type.String({ description: 'Identifier of the person who asked.' }),
    requestedAt: Time,
    answer: Type.Unsafe<PlanAnswer | null>({
      type: ['string', 'null'],
      enum: [...planAnswers, null],
      description: 'Null until the operator has answered.',
    }),
    reason: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: REASON_LENGTH_MAX,
      description: 'Why it was declined, in the words of the operator.',
    }),
    answeredAt: TimeOrNull,
  },
  { $id: 'PlanRequest', description: 'A request for another plan.' },
)
export type PlanRequest = Static<typeof PlanRequest>
export const PlanRequests = Type.Object(
  {
    latest: Type.Unsafe<PlanRequest | null>({
      oneOf: [PlanRequest, { type: 'null' }],
      description: 'The latest request of the project; null if there was none.',
    }),
    canAsk: Type.Boolean({ description: 'Whether this installation can mail its operator.' }),
  },
  { $id: 'PlanRequests' },
)
export const NewPlanRequest = Type.Object(
  { plan, message: Type.Optional(message) },
  { $id: 'NewPlanRequest', additionalProperties: false },
)

const example = {
  id: 'plr_5b7d9f1a3c2e',
  plan: 'pro',
  message: 'We would like to use our own domain.',
  requestedBy: 'acc_3d2f8a1b6c7e',
  requestedAt: '2026-11-14T22:00:00Z',
  answer: null,
  reason: null,
  answeredAt: null,
}

export const getPlanRequest = {
  operationId: 'getPlanRequest',
  method: 'GET',
  path: '/projects/{project}/plan-request',
  tag: 'projects',
  access: 'owner',
  summary: 'Show the latest request for a plan',
  description: 'The latest request of the project, and the answer of the operator.',
  parameters: { project: projectSlug },
  success: {
    status: 200,
    description: 'The request.',
    schema: PlanRequests,
    headers: ['ETag'],
    example: { latest: example, canAsk: true },
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const requestPlan = {
  operationId: 'requestPlan',
  method: 'POST',
  path: '/projects/{project}/plan-request',
  tag: 'projects',
  access: 'owner',
  summary: 'Ask for a plan',
  description:
    'Mails the request to the operator of the installation. Rejected with `wrong_state` while another request is not answered, and with `mail_unavailable` if the operator cannot be mailed.',
  parameters: { project: projectSlug },
  body: {
    schema: NewPlanRequest,
    faults: {
      plan: `'plan' must be one of ${plans.join(', ')}.`,
      message: "'message' must have at most 1000 characters, without control characters.",
    },
    examples: { one: { summary: 'Ask for Pro', value: { plan: 'pro', message: example.message } } },
  },
  success: { status: 201, description: 'The request.', schema: PlanRequest, headers: [], example },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const planRequestOperations: readonly PlatformOperation[] = [getPlanRequest, requestPlan]
