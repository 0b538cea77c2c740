// Deployments: published versions of a site. A deployment is a snapshot of the draft, is built
// and checked in the background, and is published if nothing is wrong with it. An earlier one
// can be published again at once.

import { Type, type Static } from 'typebox'
import { cursor, limitOf } from '../parameters.ts'
import { Time, TimeOrNull } from './accounts.ts'
import { Category } from './animals.ts'
import { idParameter, member, projectSlug, type PlatformOperation } from './operation.ts'
import { SiteSettings, settingsExample, siteOperations } from './site.ts'

export const deploymentStates = ['queued', 'building', 'succeeded', 'failed'] as const
export type DeploymentState = (typeof deploymentStates)[number]

export const Deployment = Type.Object(
  {
    id: Type.String({ description: 'Identifier of the deployment.' }),
    number: Type.Integer({ minimum: 1, description: 'Version number within the project.' }),
    state: Type.Unsafe<DeploymentState>({
      type: 'string',
      enum: [...deploymentStates],
      description: 'State of the deployment. The last two are final.',
    }),
    reason: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Why it failed, or why it succeeded but was not published; null otherwise.',
    }),
    digest: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of its content: the same for the same draft.',
    }),
    isCurrent: Type.Boolean({ description: 'Whether it is what visitors see.' }),
    createdBy: Type.String({ description: 'Identifier of the account that created it.' }),
    createdAt: Time,
    finishedAt: TimeOrNull,
  },
  { $id: 'Deployment', description: 'One version of the site, which never changes.' },
)
export type Deployment = Static<typeof Deployment>
export const Deployments = Type.Array(Deployment, { $id: 'Deployments', maxItems: 100 })

const queued = {
  id: 'dep_5e0c2b9a7d1f',
  number: 12,
  state: 'queued',
  reason: null,
  digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  isCurrent: false,
  createdBy: 'acc_3d2f8a1b6c7e',
  createdAt: '2026-11-14T22:00:00Z',
  finishedAt: null,
}
const succeeded = { ...queued, state: 'succeeded', isCurrent: true, finishedAt: '2026-11-14T22:00:01Z' }
const deploymentId = idParameter('Identifier of the deployment.', 'dep_5e0c2b9a7d1f')

export const deploy = {
  operationId: 'deploy',
  method: 'POST',
  path: '/projects/{project}/deployments',
  tag: 'site',
  access: 'admin',
  summary: 'Deploy the draft',
  description:
    'Takes a snapshot of the draft and builds it in the background. Visitors see it once it has succeeded, unless a later one has been published in the meantime; if it fails, they keep seeing the current one.',
  parameters: { project: projectSlug },
  success: { status: 202, description: 'The deployment, queued.', schema: Deployment, headers: [], example: queued },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const listDeployments = {
  operationId: 'listDeployments',
  method: 'GET',
  path: '/projects/{project}/deployments',
  tag: 'site',
  access: 'viewer',
  summary: 'List deployments',
  description: 'Newest first.',
  parameters: { project: projectSlug, limit: limitOf('deployments'), cursor },
  success: {
    status: 200,
    description: 'The deployments.',
    schema: Deployments,
    headers: ['ETag', 'Link'],
    example: [succeeded],
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const getDeployment = {
  operationId: 'getDeployment',
  method: 'GET',
  path: '/projects/{project}/deployments/{deploymentId}',
  tag: 'site',
  access: 'viewer',
  summary: 'Show a deployment',
  description: 'Its state, and whether visitors see it.',
  parameters: { project: projectSlug, deploymentId },
  success: { status: 200, description: 'The deployment.', schema: Deployment, headers: ['ETag'], example: succeeded },
  otherStatuses: member,
} as const satisfies PlatformOperation

/** The most categories whose names a deployment keeps. */
export const KEPT_CATEGORIES_MAX = 10_000

export const DeploymentSettings = Type.Object(
  {
    ...SiteSettings.properties,
    logo: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of the logo; null if there is none.',
    }),
    categories: Type.Array(Category, {
      maxItems: KEPT_CATEGORIES_MAX,
      description: 'Categories and their names at that time.',
    }),
  },
  { $id: 'DeploymentSettings', description: 'The settings with which a deployment was created.' },
)
export type DeploymentSettings = Static<typeof DeploymentSettings>

export const getDeploymentSettings = {
  operationId: 'getDeploymentSettings',
  method: 'GET',
  path: '/projects/{project}/deployments/{deploymentId}/settings',
  tag: 'site',
  access: 'viewer',
  summary: 'Show the settings of a deployment',
  description: 'For comparing it with another deployment or with the draft. They never change.',
  parameters: { project: projectSlug, deploymentId },
  success: {
    status: 200,
    description: 'The settings.',
    schema: DeploymentSettings,
    headers: ['ETag'],
    example: { ...settingsExample, logo: null, categories: [{ id: 9, name: 'Dogs' }] },
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const rollback = {
  operationId: 'rollback',
  method: 'POST',
  path: '/projects/{project}/deployments/{deploymentId}/publish',
  tag: 'site',
  access: 'admin',
  summary: 'Publish a deployment again',
  description:
    'Publishes an earlier deployment immediately. Deployments that are still in progress will not be published. The draft is not changed.',
  parameters: { project: projectSlug, deploymentId },
  success: { status: 200, description: 'The deployment.', schema: Deployment, headers: [], example: succeeded },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const deploymentOperations: readonly PlatformOperation[] = [
  ...siteOperations,
  deploy,
  listDeployments,
  getDeployment,
  getDeploymentSettings,
  rollback,
]
