// The composition root of `/platform/v1`, the API behind the dashboard and the command line:
// authentication, rate limits, project and role; and its features, listed by hand.

import { platformDocument } from '@petstore-platform/contract/platform/document'
import { roles, type PlatformOperation } from '@petstore-platform/contract/platform/operation'
import { platformOperations } from '@petstore-platform/contract/platform/operations'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AccountPlatform } from '../accounts/account-platform.ts'
import { accountRoutes, accountAuditRoutes, deletionRoutes } from '../accounts/account-routes.ts'
import { actionRecorder } from '../accounts/audit.io.ts'
import { emailChangeRoutes } from '../accounts/links/email-change-routes.ts'
import { recoveryRoutes } from '../accounts/links/recovery-routes.ts'
import { signUpRoutes } from '../accounts/links/sign-up-routes.ts'
import { passkeyRoutes } from '../accounts/passkeys/passkey-routes.ts'
import { refuseNarrowToken, refuseUnlessRecent, type Person, type Visitor } from '../accounts/sessions/guard.io.ts'
import { sessionRoutes, accessTokenRoutes } from '../accounts/sessions/session-routes.ts'
import { signInRoutes, reauthenticationRoutes } from '../accounts/sign-in/sign-in-routes.ts'
import { animalRoutes } from '../animals/animal-routes.ts'
import { forgetProject } from '../domains/advance.io.ts'
import { isMailAtRisk } from '../domains/alerts/alerts.io.ts'
import { domainRoutes } from '../domains/routes/domain-routes.ts'
import { siteOrigin } from '../domains/store/settings-queries.ts'
import { documentRoute } from '../foundation/http/document-routes.ts'
import type { Mounting } from '../foundation/http/operation.io.ts'
import { pathsOf, type Paths } from '../foundation/http/paths.ts'
import { sendPreflight } from '../foundation/http/preflight-routes.ts'
import { moreThanQuota, policyOf, rateLimitOf, type Usage } from '../foundation/load/rate-limit.io.ts'
import { databaseCapacity } from '../foundation/postgres/database-capacity.io.ts'
import { Refusal } from '../foundation/refusal.ts'
import { exportRoutes } from '../imports/export-routes.ts'
import { importRoutes } from '../imports/import-routes.ts'
import { importReviewRoutes } from '../imports/review-routes.ts'
import { noMail } from '../mail/queue.io.ts'
import { orderPlatformRoutes } from '../orders/order-routes.ts'
import * as animalRequests from '../orders/pet-status-queries.ts'
import { overviewRoutes, searchRoutes } from '../overview/overview-routes.ts'
import { watchRoutes } from '../overview/watch-routes.ts'
import { photoCapacity } from '../photos/photo-capacity.io.ts'
import { photoRoutes } from '../photos/photo-routes.ts'
import { photosOfAnimals } from '../photos/photos-of-animals.io.ts'
import { planRequestRoutes } from '../plans/plan-request-routes.ts'
import { siteDeleted } from '../platform-names/advance.io.ts'
import { keyRoutes } from '../projects/key-routes.ts'
import { memberRoutes } from '../projects/member-routes.ts'
import { findOpenInvitation, membershipsOf, projectNamesOf } from '../projects/members.io.ts'
import { findMember, type Member } from '../projects/membership.io.ts'
import { notificationRoutes } from '../projects/notification-routes.ts'
import type { Platform } from '../projects/platform.ts'
import { projectRoutes, auditRoutes } from '../projects/project-routes.ts'
import { previewRoutes } from '../sites/pages/preview-routes.ts'
import { findCurrent } from '../sites/publishing/deployment-queries.ts'
import { deploymentRoutes } from '../sites/publishing/deployment-routes.ts'
import { tracerOf } from './domains.ts'
import { defaultOriginsOf, platformSettingsOf } from './platform-names.ts'
import type { ServiceContext } from './service-context.ts'

export const PLATFORM_PREFIX = '/platform/v1'

type PlatformApi = {
  document: ReturnType<typeof platformDocument>
  routes: (app: FastifyInstance) => Promise<void>
  /** For a request without a matching route. */
  answerUnknown: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}

export function platformOf(context: ServiceContext): PlatformApi {
  const { config } = context
  const paths = pathsOf(PLATFORM_PREFIX, platformOperations, '/openapi.json')
  const { pathOf, allowOf, refuse } = paths
  const access = accessOf(context, paths)
  const { production, staging } = config.addresses
  const document = platformDocument({
    production: platformUrlOf(production),
    staging: platformUrlOf(staging),
    contact: config.contact,
  })

  const requestHeaders = ['Idempotency-Key']
  const answerUnknown: PlatformApi['answerUnknown'] = async (request, reply) => {
    if (request.method === 'OPTIONS') return sendPreflight(request, reply, allowOf(pathOf(request.url)), requestHeaders)
    await access.recognise(request)
    return refuse(request, () => new Refusal('not_found', 'No resource exists at this path.'))
  }

  return {
    document,
    async routes(app) {
      app.setNotFoundHandler(answerUnknown)
      documentRoute(app, '/openapi.json', document)
      routesOfPeople(app, context, access)
      routesOfProjects(app, context, access)
    },
    answerUnknown,
  }
}

const platformUrlOf = (url: string) => url.replace(/\/v1$/, PLATFORM_PREFIX)

/** What fills a database fastest; refused while it has almost no room left. */
const growing: ReadonlySet<string> = new Set([
  'createImport',
  'putImportPart',
  'startImport',
  'readImport',
  'applyImport',
  'addPhoto',
  'putLogo',
  'requestSignUp',
  'signUp',
])

type Access = {
  /** The signed-in person, counted against the limit of the account. */
  recognise: (request: FastifyRequest) => Promise<Person>
  open: Mounting<Visitor, PlatformOperation>
  personal: Mounting<Person, PlatformOperation>
  within: Mounting<Member, PlatformOperation>
}

/** The three kinds of access: for anyone, for a signed-in person, and for a member of the project. */
function accessOf(
  { config, database, inProject, accountGuard, quotas, now }: ServiceContext,
  { pathOf, isShadowed, refuse }: Paths,
): Access {
  const { windowSeconds, perAccount, perVisitor } = config.limits
  const ofAccount = quotas.limit('quota_account', { name: 'account', points: perAccount, windowSeconds })
  const ofVisitor = quotas.limit('quota_visitor', { name: 'address', points: perVisitor, windowSeconds })
  const capacity = databaseCapacity({ run: database.run, now }, config.databaseBytesMax)
  const refuseGrowth = async ({ log }: FastifyRequest, { operationId }: PlatformOperation) => {
    if (growing.has(operationId)) await capacity.refuseFull((message) => log.warn(message))
  }

  const recognise = async (request: FastifyRequest): Promise<Person> => {
    const person = await accountGuard.recognise(request)
    request.logged = { account: person.account }
    count(request, await ofAccount.use(person.account))
    return person
  }
  /** A word of the contract is never a name, even where the method is one that only names accept. */
  const refuseOther = (request: FastifyRequest, { path }: PlatformOperation) => {
    if (isShadowed(path) && pathOf(request.url) !== path) refuse(request, () => new Refusal('not_found'))
  }
  const always = { headersOf: () => [], now: () => now() }

  const open: Mounting<Visitor, PlatformOperation> = {
    ...always,
    async enter(request, operation) {
      const visitor = accountGuard.visitorOf(request)
      count(request, await ofVisitor.use(visitor.address))
      // A foreign page that signs a visitor in could put them into an account that is not theirs.
      accountGuard.refuseForeignPage(request)
      await refuseGrowth(request, operation)
      return visitor
    },
  }
  const recogniseFor = async (request: FastifyRequest, operation: PlatformOperation): Promise<Person> => {
    const person = await recognise(request)
    refuseOther(request, operation)
    refuseUnstorable(request, operation)
    refuseNarrowToken(person, operation)
    return person
  }
  const personal: Mounting<Person, PlatformOperation> = {
    ...always,
    async enter(request, operation) {
      const person = await recogniseFor(request, operation)
      if (operation.recent) refuseUnlessRecent(person, now())
      return person
    },
  }
  const within: Mounting<Member, PlatformOperation> = {
    ...always,
    async enter(request, operation) {
      const person = await recogniseFor(request, operation)
      const { project = '' } = request.params as { project?: string }
      const member = await findMember({ run: database.run, inProject }, person, project)
      if (!member) throw new Refusal('not_found', 'No project with this slug.')
      request.logged = { account: person.account, project: String(member.project) }
      refuseRole(member, operation)
      // It can be read and exported.
      if (member.isSuspended && operation.method !== 'GET') throw new Refusal('project_suspended')
      await refuseGrowth(request, operation)
      if (operation.recent) refuseUnlessRecent(person, now())
      return member
    },
  }

  return { recognise, open, personal, within }
}

function routesOfPeople(app: FastifyInstance, context: ServiceContext, access: Access): void {
  const { config, database, inProject, queueMail } = context
  const directory = { database, inProject }
  const platform: AccountPlatform = {
    ...context,
    ...access,
    dashboardOrigin: config.dashboardOrigin,
    limits: config.limitTable.other,
    record: actionRecorder(queueMail ?? noMail),
    projectNamesOf: (account) => projectNamesOf(directory, account),
  }
  sessionRoutes(app, platform)
  accountAuditRoutes(app, platform)
  reauthenticationRoutes(app, platform)
  accessTokenRoutes(app, platform)
  signInRoutes(app, platform)
  accountRoutes(app, platform)
  signUpRoutes(app, platform, config.signUp, (secret) => findOpenInvitation(directory, secret))
  recoveryRoutes(app, platform, (account) => isMailAtRisk(database, account))
  emailChangeRoutes(app, platform)
  deletionRoutes(app, platform, membershipsOf(directory))
  passkeyRoutes(app, platform)
}

function routesOfProjects(app: FastifyInstance, context: ServiceContext, access: Access): void {
  const { config, database, domains, now, objects, queueMail } = context
  const defaultSiteUrlOf = defaultOriginsOf(config)
  const platform: Platform = {
    ...context,
    ...access,
    baseUrl: platformUrlOf(config.baseUrl),
    dashboardOrigin: config.dashboardOrigin,
    defaultSiteUrlOf,
    siteUrlOf: async (db, project, slug) => siteOrigin(db, project, await defaultSiteUrlOf(db, slug)),
    isPublished: async (db, project) => (await findCurrent(db, project)) !== undefined,
    reservedNames: config.reservedNames,
    sendsMail: queueMail !== undefined,
  }
  projectRoutes(app, platform, queueMail, async ({ project, slug, account }) => {
    await siteDeleted(database.run, platformSettingsOf(config), slug)
    await forgetProject(domains, project, account)
  })
  memberRoutes(app, platform, queueMail)
  notificationRoutes(app, platform)
  planRequestRoutes(app, platform, config.operatorEmail === undefined ? undefined : queueMail)
  keyRoutes(app, platform, queueMail)
  auditRoutes(app, platform)
  animalRoutes(app, platform, { photos: photosOfAnimals(platform), requests: animalRequests })
  photoRoutes(app, platform, objects, photoCapacity({ run: database.run, bytesMax: config.mediaBytesMax, now }))
  importRoutes(app, platform)
  importReviewRoutes(app, platform, animalRequests)
  exportRoutes(app, platform)
  orderPlatformRoutes(app, platform, queueMail)
  deploymentRoutes(app, platform)
  previewRoutes(app, platform, objects)
  overviewRoutes(app, platform)
  searchRoutes(app, platform)
  watchRoutes(app, { ...platform, domains, revocations: context.revocations, sharesFeeds: context.sharesFeeds })
  domainRoutes(app, {
    ...platform,
    domains,
    trace: tracerOf(context),
    names: {
      platformHost: domains.platform.host,
      formerHosts: config.formerPlatformHosts,
      serviceNames: config.platformNames.services,
      reservedAllowed: config.domains.testSuffixes,
    },
  })
}

function count(request: FastifyRequest, usage: Usage): void {
  request.responseHeaders.push('RateLimit-Policy', policyOf([usage.quota]), 'RateLimit', rateLimitOf(usage))
  if (usage.isOver) throw moreThanQuota('requests', usage)
}

/** PostgreSQL text cannot contain NUL, so nothing has a name with one; querying for it would be an error. */
function refuseUnstorable({ params }: FastifyRequest, { otherStatuses }: PlatformOperation): void {
  const hasNul = Object.values(params as Record<string, string>).some((text) => text.includes('\0'))
  if (hasNul && otherStatuses.includes(404)) throw new Refusal('not_found')
}

/** A higher role includes the lower ones. */
function refuseRole({ role }: Member, { access }: PlatformOperation): void {
  const least = roles.findIndex((known) => known === access)
  if (roles.indexOf(role) >= least) return
  throw new Refusal('insufficient_role', `This needs the role '${access}' in this project; yours is '${role}'.`)
}
