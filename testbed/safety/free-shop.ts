// Shops on the plan free, each with an account of its own, at a service with small limits; and what fills every limit of
// theirs. For the lines about caps.

import { randomBytes } from 'node:crypto'
import sharp, { type Sharp } from 'sharp'
import type { AccountId } from '../../server/src/accounts/account-queries.ts'
import { parseConfig, type Config } from '../../server/src/program/config.ts'
import { statement } from '../../server/src/foundation/postgres/postgres.io.ts'
import { limitTableOf } from '../../server/src/plans/limits-file.ts'
import { planRulesOf } from '../../server/src/plans/limits.ts'
import { ask, type RequestInput } from '../../server/src/orders/confirmation.io.ts'
import { CapReached } from '../../server/src/orders/caps.ts'
import { newId } from '../../server/src/foundation/ids.io.ts'
import { Refusal } from '../../server/src/foundation/refusal.ts'
import { messageCodes } from '../../server/src/mail/message-codes.io.ts'
import { queueMail } from '../../server/src/program/mail-kinds.ts'
import { runUpkeep } from '../../server/src/plans/upkeep.io.ts'
import { createProject } from '../../server/src/projects/projects.io.ts'
import { inProjectOf, type ProjectId } from '../../server/src/projects/scope.io.ts'
import { startService, type Service } from '../../server/src/program/serve.ts'
import { exchange, type Received } from '../harness/http.ts'
import { newPerson } from '../harness/people.ts'
import { DASHBOARD_ORIGIN } from './processes.ts'

/** Small, so that each is reached within a moment. */
export const smallLimits = {
  animals: 3,
  idempotencyKeys: 2,
  keys: 2,
  storedBytes: 12_000,
  importBytes: 2500,
  importRows: 3,
  openImports: 2,
  auditEvents: 5,
  endedKeys: 2,
  endedImports: 2,
  endedRequests: 2,
  photos: 2,
  photoBytes: 60_000,
  deployments: 1,
  visitorMails: 2,
  unpaidProjects: 2,
  projectsPerDay: 3,
  projectsEver: 4,
  invitationsPerDay: 2,
  passkeyChallenges: 2,
} as const

/** Those of a service with other limits than these. */
type ShopLimits = Readonly<Record<string, number>>

export const smallTable = limitTableOf(JSON.stringify(smallLimits), [])

export type FreeShop = {
  account: AccountId
  slug: string
  project: ProjectId
  /** As its owner, on `/platform/v1`; `{project}` in a path is its own. */
  send: (
    method: string,
    path: string,
    body?: object | string | Buffer,
    headers?: Record<string, string>,
  ) => Promise<Received>
  /** With an API key, on `/v1`. */
  create: (headers?: Record<string, string>) => Promise<Received>
  /** As a visitor of its site: the order, or `mailed`; undefined if it is rejected. */
  ask: (wish: VisitorInput) => Promise<bigint | 'mailed' | undefined>
  /** As if it had created so many projects in the past. */
  haveCreated: (count: number) => Promise<void>
  /** The daily upkeep of this or another project; returns what it reports. */
  upkeep: (of?: ProjectId) => Promise<{ outcome: Awaited<ReturnType<typeof runUpkeep>>; errors: Error[] }>
}

/** Counted by visitor and address as any other; without mail, not by day. */
export type VisitorInput = Omit<RequestInput, 'secret' | 'language'>

export type ShopService = Service & { openShop: () => Promise<FreeShop> }

type Env = Readonly<Record<string, string>>

export const shopConfig = (appUrl: string, env: Env = {}, limits: ShopLimits = smallLimits): Config =>
  parseConfig({
    DATABASE_URL: appUrl,
    HOST: '127.0.0.1',
    PORT: '0',
    DASHBOARD_ORIGIN,
    DNS_RESOLVERS: 'none=127.0.0.1:1',
    RATE_LIMIT_PER_ACCOUNT: '1000000',
    LIMITS: JSON.stringify(limits),
    ...env,
  })

export async function startShopService(
  appUrl: string,
  limits: ShopLimits = smallLimits,
  env: Env = {},
): Promise<ShopService> {
  const config = shopConfig(appUrl, env, limits)
  const service = await startService(config, { logger: { level: 'silent' } })
  const origin = `http://127.0.0.1:${service.port}`
  return { ...service, openShop: () => openShop(service, origin, config) }
}

async function openShop({ database }: Service, origin: string, config: Config): Promise<FreeShop> {
  const { limitTable } = config
  const name = randomBytes(12).toString('hex')
  const { account, cookie } = await newPerson(database, {
    email: `${name}@shop.example`,
    password: '',
    isVerified: true,
  })
  const slug = `s${name}`
  const project = await createProject(database, { slug, name: slug, owner: account })
  const inProject = inProjectOf(database)
  const send: FreeShop['send'] = (method, path, body, headers = {}) => {
    const text = typeof body === 'object' && !Buffer.isBuffer(body) ? JSON.stringify(body) : body
    return exchange(origin, {
      method,
      path: `/platform/v1${path.replace('{project}', slug)}`,
      ...(text !== undefined && { body: text }),
      headers: {
        Cookie: cookie,
        Origin: DASHBOARD_ORIGIN,
        ...(text !== undefined && {
          'Content-Type': 'application/json',
          'Content-Length': String(Buffer.byteLength(text)),
        }),
        ...headers,
      },
    })
  }
  let key: string | undefined
  return {
    account,
    slug,
    project,
    send,
    create: async (headers = {}) => {
      key ??= ((await send('POST', '/projects/{project}/keys', keyBody)).json as { key: string }).key
      const authorised = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers }
      return exchange(origin, { method: 'POST', path: '/v1/pets', body: JSON.stringify(rex), headers: authorised })
    },
    ask: asking(database, project, config),
    haveCreated: async (count) => void (await database.run(setCreated, account, count)),
    async upkeep(of = project) {
      const errors: Error[] = []
      const deps = { inProject, plans: planRulesOf(limitTable), onError: (error: Error) => void errors.push(error) }
      return { outcome: await runUpkeep(deps, of), errors }
    },
  }
}

function asking(database: Service['database'], project: ProjectId, config: Config): FreeShop['ask'] {
  const deps = {
    inProject: inProjectOf(database),
    now: Date.now,
    newId,
    codes: messageCodes(database.run, 'request', randomBytes),
    queueMail: config.mail && queueMail,
    plans: planRulesOf(config.limitTable),
  }
  const secret = randomBytes(32)
  return async (wish) => {
    const limits = wish.isConfirmed ? config.limits : { ...config.limits, requestsUnconfirmed: 1_000_000_000 }
    try {
      const asked = await ask({ ...deps, limits }, project, { ...wish, secret, language: 'en' })
      return asked === 'mailed' ? asked : asked.id
    } catch (error) {
      if (error instanceof CapReached || error instanceof Refusal) return undefined
      throw error
    }
  }
}

const setCreated = statement<never, [account: AccountId, count: number]>(
  'test-set-projects-created',
  `update accounts set projects_created = $2 where id = $1`,
)

export const rex = { name: 'Rex', categoryId: 1, status: 'available' }
const keyBody = { label: 'till', scopes: ['pets:write'] }
const TEXT_BYTES = 4500
const PART_BYTES = 1000
const bytes = { 'Content-Type': 'application/octet-stream' }

/** Adds one more of what a limit counts, through the interface that a person or a program has. */
export type Filler = { most: number; add: (shop: FreeShop, n: number) => Promise<Received> }

export const idOf = ({ json }: Received) => String((json as { id: unknown }).id)

/** The last one that is added is rejected. */
export const fillers: Readonly<Record<string, Filler>> = {
  animals: {
    most: smallLimits.animals,
    add: ({ send, create }, n) => (n % 2 === 0 ? create() : send('POST', '/projects/{project}/animals', rex)),
  },
  idempotencyKeys: {
    most: smallLimits.idempotencyKeys,
    add: ({ create }, n) => create({ 'Idempotency-Key': `n${n}` }),
  },
  keys: { most: smallLimits.keys, add: ({ send }) => send('POST', '/projects/{project}/keys', keyBody) },
  customDomains: {
    most: 0,
    add: ({ send }, n) => send('POST', '/projects/{project}/domains', { hostname: `www.a-shop-of-mia-${n}.com` }),
  },
  storedBytes: {
    most: Math.floor(smallLimits.storedBytes / TEXT_BYTES),
    async add({ send }) {
      const made = await send('POST', '/projects/{project}/animals', rex)
      if (made.status !== 201) return made
      const path = `/projects/{project}/animals/${idOf(made)}`
      const { profile } = (await send('GET', path)).json as { profile: object }
      return send('PUT', `${path}/profile`, { ...profile, story: randomBytes(TEXT_BYTES / 2).toString('hex') })
    },
  },
  importBytes: {
    most: Math.floor(smallLimits.importBytes / PART_BYTES),
    async add({ send }, n) {
      const [open] = (await send('GET', '/projects/{project}/imports')).json as { id: string }[]
      const id = open?.id ?? idOf(await send('POST', '/projects/{project}/imports', { onBadLine: 'refuse' }))
      const part = randomBytes(PART_BYTES / 2).toString('hex')
      return send('PUT', `/projects/{project}/imports/${id}/parts/${n + 1}`, part, bytes)
    },
  },
  openImports: {
    most: smallLimits.openImports,
    add: ({ send }) => send('POST', '/projects/{project}/imports', { onBadLine: 'refuse' }),
  },
  // One is there already.
  unpaidProjects: { most: smallLimits.unpaidProjects - 1, add: createProjectOf },
  projectsPerDay: {
    most: smallLimits.projectsPerDay,
    async add(shop) {
      const made = await createProjectOf(shop)
      if (made.status !== 201) return made
      const { slug } = made.json as { slug: string }
      await shop.send('DELETE', `/projects/${slug}`, { slug })
      return made
    },
  },
  projectsEver: {
    most: 0,
    async add(shop) {
      await shop.haveCreated(smallLimits.projectsEver)
      return createProjectOf(shop)
    },
  },
  photos: { most: smallLimits.photos, add: (shop, n) => addPhoto(shop, plain(n)) },
  // A picture of noise is as large as its pixels.
  photoBytes: { most: 1, add: (shop) => addPhoto(shop, sharp(randomBytes(NOISE ** 2 * 3), { raw: noise })) },
  invitationsPerDay: {
    most: smallLimits.invitationsPerDay,
    add: ({ send }, n) =>
      send('POST', '/projects/{project}/invitations', { email: `friend-${n}@shop.example`, role: 'viewer' }),
  },
}

const NOISE = 200
const noise = { width: NOISE, height: NOISE, channels: 3 } as const
const plain = (n: number) =>
  sharp({ create: { width: 640, height: 480, channels: 3, background: { r: n, g: 9, b: 9 } } })

async function addPhoto({ send }: FreeShop, picture: Sharp): Promise<Received> {
  const animal = idOf(await send('POST', '/projects/{project}/animals', rex))
  const path = `/projects/{project}/animals/${animal}/photos`
  return send('POST', path, await picture.jpeg({ quality: 90 }).toBuffer(), { 'Content-Type': 'image/jpeg' })
}

function createProjectOf({ send }: FreeShop): Promise<Received> {
  const slug = `p${randomBytes(8).toString('hex')}`
  return send('POST', '/projects', { slug, name: slug })
}
