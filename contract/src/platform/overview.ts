// The overview of a project, for the first page of the dashboard: one request instead of five.
// Counts stop at a limit, so that a project with millions of animals costs no more than one
// with a hundred thousand; the status of domains is summarised in four numbers.

import { Type, type Static } from 'typebox'
import { Deployment } from './deployments.ts'
import { member, projectSlug, type PlatformOperation } from './operation.ts'
import { ManagedOrder } from './orders.ts'

/** Counting stops here. */
export const COUNT_MAX = 100_000
export const LAST_ORDERS = 5
/** Eight weeks. */
export const HISTORY_DAYS = 56
/** The history counts among so many of the newest orders, so it costs the same for every large project. */
export const HISTORY_ORDERS_MAX = 5000

/** What makes the site worth a visit comes before what costs money. */
export const overviewSteps = ['animals', 'contact', 'about', 'look', 'publish', 'plan', 'domain', 'live'] as const
export type OverviewStep = (typeof overviewSteps)[number]

export const BoundedCount = Type.Object(
  {
    count: Type.Integer({ minimum: 0, maximum: COUNT_MAX, description: 'The count, up to the bound.' }),
    isMore: Type.Boolean({ description: `Whether there are more than ${COUNT_MAX}, where counting stops.` }),
  },
  { $id: 'BoundedCount', description: 'A number that is exact up to a bound.' },
)
export type BoundedCount = Static<typeof BoundedCount>

const many = (description: string) => Type.Integer({ minimum: 0, description })
const perDay = (description: string) =>
  Type.Array(Type.Integer({ minimum: 0, maximum: HISTORY_ORDERS_MAX }), { maxItems: HISTORY_DAYS, description })
const deploymentOrNull = (description: string) =>
  Type.Unsafe<Static<typeof Deployment> | null>({ oneOf: [Deployment, { type: 'null' }], description })

export const Overview = Type.Object(
  {
    animals: Type.Object(
      { available: BoundedCount, pending: BoundedCount, sold: BoundedCount },
      { description: 'Animals by their status.' },
    ),
    openOrders: Type.Integer({
      minimum: 0,
      maximum: COUNT_MAX,
      description: `Open orders, the approved ones included; at most ${COUNT_MAX} are counted.`,
    }),
    lastOrders: Type.Array(ManagedOrder, { maxItems: LAST_ORDERS, description: 'Newest first, decided or not.' }),
    history: Type.Object(
      {
        orders: perDay('Orders that were placed.'),
        homes: perDay('Orders that were approved: animals with a new home.'),
      },
      {
        description: `One number for each day (UTC), oldest first; the last one is today. It begins with the first order, and covers at most ${HISTORY_DAYS} days and the newest ${HISTORY_ORDERS_MAX} orders.`,
      },
    ),
    currentDeployment: deploymentOrNull('The published deployment; null if nothing has been published.'),
    lastDeployment: deploymentOrNull('The newest deployment, in any state; null if there is none.'),
    domains: Type.Object(
      {
        live: many('Serving visitors.'),
        waiting: many('In progress, without action by the owner.'),
        needAction: many('Action by the owner is required.'),
        others: many('Inactive, or paused because of the plan.'),
      },
      { description: 'Number of domains by status.' },
    ),
    steps: Type.Array(
      Type.Object({
        step: Type.Unsafe<OverviewStep>({ type: 'string', enum: [...overviewSteps] }),
        isDone: Type.Boolean(),
      }),
      { maxItems: overviewSteps.length, description: 'The steps to a site on a custom domain, in order.' },
    ),
  },
  { $id: 'Overview', description: 'A project at a glance.' },
)
export type Overview = Static<typeof Overview>

export const getOverview = {
  operationId: 'getOverview',
  method: 'GET',
  path: '/projects/{project}/overview',
  tag: 'projects',
  access: 'viewer',
  summary: 'Show a project at a glance',
  description:
    'Counts of animals and open orders, the latest orders, orders per day, the published deployment, the status of the domains, and the remaining steps.',
  parameters: { project: projectSlug },
  success: {
    status: 200,
    description: 'The overview.',
    schema: Overview,
    headers: ['ETag'],
    example: {
      animals: {
        available: { count: 42, isMore: false },
        pending: { count: 1, isMore: false },
        sold: { count: 100_000, isMore: true },
      },
      openOrders: 0,
      lastOrders: [],
      history: { orders: [1, 0, 2], homes: [0, 0, 1] },
      currentDeployment: null,
      lastDeployment: null,
      domains: { live: 0, waiting: 0, needAction: 0, others: 0 },
      steps: overviewSteps.map((step) => ({ step, isDone: step === 'animals' })),
    },
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const overviewOperations: readonly PlatformOperation[] = [getOverview]
