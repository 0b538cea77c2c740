// Projects: created, shown, renamed, deleted permanently; and the limits of their plan. A slug
// names one project and is never used for another.

import { Type, type Static } from 'typebox'
import { Time } from './accounts.ts'
import { idParameter, member, projectSlug, roles, signedIn, type PlatformOperation, type Role } from './operation.ts'

export const plans = ['free', 'pro', 'enterprise'] as const
export type PlanName = (typeof plans)[number]

/** It selects words: an animal of a shelter is adopted, and has a fee; one of a shop is sold, and has a price. */
export const projectKinds = ['shelter', 'shop'] as const
export type ProjectKind = (typeof projectKinds)[number]
/** Of a project whose owner has not chosen yet. */
export const FIRST_KIND: ProjectKind = 'shop'

/**
 * One label of a hostname, since the site is published below it. A new one must also have a letter, or it could be
 * mistaken for an id.
 */
export const SLUG_PATTERN = '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'

const name = Type.Unsafe<string>({
  type: 'string',
  minLength: 1,
  maxLength: 255,
  allOf: [{ pattern: '\\S' }, { pattern: '^[^\\u0000-\\u001F\\u007F]*$' }],
  description: 'Display name.',
})
const slug = Type.Unsafe<string>({
  type: 'string',
  minLength: 1,
  maxLength: 63,
  pattern: SLUG_PATTERN,
  description: 'Chosen once, never changed and never reused. It is the subdomain at which the site is published.',
})
const role = Type.Unsafe<Role>({ type: 'string', enum: [...roles] })
const kindWith = (description: string) =>
  Type.Unsafe<ProjectKind>({ type: 'string', enum: [...projectKinds], description })
const kindFault = `'kind' must be one of ${projectKinds.join(', ')}.`
const nameFault = "'name' must have 1 to 255 characters, not only white space and without control characters."
const slugFault =
  "'slug' must be 1 to 63 lower-case letters, digits and hyphens, as in a hostname, and at least one of them a letter."
export const repeatFault = "'slug' must repeat the slug of the project."

const limit = (description: string) => Type.Integer({ minimum: 0, description })

export const Limits = Type.Object(
  {
    animals: limit('Animals in the project.'),
    members: limit('People who work in the project.'),
    keys: limit('Active API keys.'),
    importRows: limit('Rows of one import.'),
    customDomains: limit('Custom domains.'),
    photoBytes: limit('Bytes of photos.'),
  },
  { $id: 'Limits', description: 'Limits of the plan.' },
)
export type Limits = Static<typeof Limits>

export const Usage = Type.Object(
  {
    members: Type.Integer({ minimum: 0 }),
    keys: Type.Integer({ minimum: 0 }),
    photoBytes: Type.Integer({ minimum: 0 }),
  },
  { $id: 'Usage', description: 'Current usage of the limits.' },
)
export type Usage = Static<typeof Usage>

export const Project = Type.Object(
  {
    slug,
    name,
    kind: kindWith('Whether it is a shelter or a shop, which selects words on the site.'),
    isKindChosen: Type.Boolean({ description: 'Whether the owner has chosen the kind.' }),
    plan: Type.Unsafe<PlanName>({ type: 'string', enum: [...plans] }),
    limits: Limits,
    usage: Usage,
    role: Type.Unsafe<Role>({ ...role, description: 'Role of the caller in the project.' }),
    siteUrl: Type.String({
      format: 'uri',
      description:
        'Where the site is published: at the primary domain while that is live, otherwise at the default address.',
    }),
    defaultSiteUrl: Type.String({
      format: 'uri',
      description:
        'The default address, a subdomain of the platform. It redirects to the primary domain while that is live.',
    }),
    isSuspended: Type.Boolean({
      description:
        'Whether the operator has suspended it: it can be read, its site and its API are closed, and nothing can be changed.',
    }),
    createdAt: Time,
  },
  { $id: 'Project', description: 'One store and everything in it.' },
)
export const Projects = Type.Array(Project, { $id: 'Projects', maxItems: 100 })
const project = {
  slug: 'happy-paws',
  name: 'Happy Paws',
  kind: 'shelter',
  isKindChosen: true,
  plan: 'free',
  limits: { animals: 100_000, members: 10, keys: 10, importRows: 100_000, customDomains: 0, photoBytes: 250_000_000 },
  usage: { members: 1, keys: 0, photoBytes: 1_250_000 },
  role: 'owner',
  siteUrl: 'https://www.happy-paws.example',
  defaultSiteUrl: 'https://happy-paws.petstore.site',
  isSuspended: false,
  createdAt: '2026-11-14T22:00:00Z',
}

export const NewProject = Type.Object(
  { slug, name, kind: Type.Optional(kindWith(`Can be chosen later; \`${FIRST_KIND}\` until then.`)) },
  { $id: 'NewProject', additionalProperties: false },
)
export const ProjectChange = Type.Object(
  { name: Type.Optional(name), kind: Type.Optional(kindWith('Selects words on the site, which change at once.')) },
  { $id: 'ProjectChange', additionalProperties: false, description: 'At least one field is required.' },
)
export const ProjectDeletion = Type.Object(
  {
    slug: Type.Unsafe<string>({
      type: 'string',
      maxLength: 63,
      description: 'The slug again, to confirm.',
    }),
  },
  { $id: 'ProjectDeletion', additionalProperties: false },
)

export const Plan = Type.Object(
  { plan: Project.properties.plan, limits: Limits },
  { $id: 'Plan', description: 'A plan, and what it includes.' },
)
export const Plans = Type.Array(Plan, { $id: 'Plans', maxItems: plans.length })

export const slugReasons = ['taken', 'reserved', 'invalid'] as const
export type SlugReason = (typeof slugReasons)[number]

export const SlugCheck = Type.Object(
  {
    slug: Type.String({ description: 'The requested slug.' }),
    isFree: Type.Boolean({ description: 'Whether a project could be created with it now.' }),
    reason: Type.Unsafe<SlugReason | null>({
      type: ['string', 'null'],
      enum: [...slugReasons, null],
      description: 'Why it is not available; null if it is.',
    }),
    siteUrl: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'uri',
      description: 'Where the site of a project with this slug is published; null if no project can have it.',
    }),
  },
  { $id: 'SlugCheck' },
)

export const listProjects = {
  operationId: 'listProjects',
  method: 'GET',
  path: '/projects',
  tag: 'projects',
  access: 'account',
  summary: 'List projects',
  description: 'The projects that the caller is a member of, sorted by slug, at most 100.',
  parameters: {},
  success: { status: 200, description: 'The projects.', schema: Projects, headers: ['ETag'], example: [project] },
  otherStatuses: signedIn,
} as const satisfies PlatformOperation

export const createProject = {
  operationId: 'createProject',
  method: 'POST',
  path: '/projects',
  tag: 'projects',
  access: 'account',
  summary: 'Create a project',
  description: 'The caller becomes its owner.',
  parameters: {},
  body: {
    schema: NewProject,
    faults: { slug: slugFault, name: nameFault, kind: kindFault },
    examples: { one: { summary: 'A store', value: { slug: 'happy-paws', name: 'Happy Paws', kind: 'shelter' } } },
  },
  success: { status: 201, description: 'The project.', schema: Project, headers: [], example: project },
  otherStatuses: [...signedIn, 409],
} as const satisfies PlatformOperation

export const getProject = {
  operationId: 'getProject',
  method: 'GET',
  path: '/projects/{project}',
  tag: 'projects',
  access: 'viewer',
  summary: 'Show a project',
  description: 'One project that the caller is a member of.',
  parameters: { project: projectSlug },
  success: { status: 200, description: 'The project.', schema: Project, headers: ['ETag'], example: project },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const changeProject = {
  operationId: 'changeProject',
  method: 'PATCH',
  path: '/projects/{project}',
  tag: 'projects',
  access: 'admin',
  summary: 'Change a project',
  description: 'Changes the display name, the kind, or both; omitted fields are not changed. The slug never changes.',
  parameters: { project: projectSlug },
  body: {
    schema: ProjectChange,
    faults: { name: nameFault, kind: kindFault },
    examples: { one: { summary: 'Another name', value: { name: 'Happy Paws & Friends' } } },
  },
  success: { status: 200, description: 'The project.', schema: Project, headers: [], example: project },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const deleteProject = {
  operationId: 'deleteProject',
  method: 'DELETE',
  path: '/projects/{project}',
  tag: 'projects',
  access: 'owner',
  recent: true,
  summary: 'Delete a project',
  description:
    'Deletes the project immediately, for every member; its API keys are rejected everywhere within a second, and its site is no longer found. Its slug is never reused.',
  parameters: { project: projectSlug },
  body: {
    schema: ProjectDeletion,
    faults: { slug: repeatFault },
    examples: { one: { summary: 'The slug again', value: { slug: 'happy-paws' } } },
  },
  success: { status: 204, description: 'Deleted.', headers: [] },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const checkSlug = {
  operationId: 'checkSlug',
  method: 'GET',
  path: '/slugs/{slug}',
  tag: 'projects',
  access: 'account',
  summary: 'Check whether a slug is available',
  description: 'For validating a form while the user types. The slug is not reserved until the project is created.',
  parameters: { slug: idParameter('The requested slug.', 'happy-paws') },
  success: {
    status: 200,
    description: 'Whether it is available.',
    schema: SlugCheck,
    headers: ['ETag'],
    example: {
      slug: 'happy-paws',
      isFree: false,
      reason: 'taken',
      siteUrl: 'https://happy-paws.petstore.site',
    },
  },
  otherStatuses: [...signedIn, 404],
} as const satisfies PlatformOperation

export const listPlans = {
  operationId: 'listPlans',
  method: 'GET',
  path: '/plans',
  tag: 'projects',
  access: 'account',
  summary: 'List the plans',
  description: 'What each plan includes, smallest first. The operator of the installation sets the plan of a project.',
  parameters: {},
  success: {
    status: 200,
    description: 'The plans.',
    schema: Plans,
    headers: ['ETag'],
    example: [{ plan: 'free', limits: project.limits }],
  },
  otherStatuses: signedIn,
} as const satisfies PlatformOperation

export const projectOperations: readonly PlatformOperation[] = [
  listProjects,
  createProject,
  getProject,
  changeProject,
  deleteProject,
  checkSlug,
  listPlans,
]
