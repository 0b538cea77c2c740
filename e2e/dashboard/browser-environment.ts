// The dashboard in a real browser on a real service: with its own database, background work,
// published sites, and signed-in users. Every page is monitored: each violation of its content
// security policy, each error and each dialog is recorded as a complaint.

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { PlanName } from '@petstore-platform/contract/platform/projects'
import { platformClient } from '../../devserver/demo.ts'
import { freePort } from '../../devserver/free-port.ts'
import { parseConfig } from '../../server/src/program/config.ts'
import { startEdge } from '../../server/src/program/edge.ts'
import { openDatabase, type Database } from '../../server/src/foundation/postgres/postgres.io.ts'
import { setPlan } from '../../server/src/plans/plans.io.ts'
import * as directory from '../../server/src/projects/directory.io.ts'
import { inDirectoryOf, inProjectOf } from '../../server/src/projects/scope.io.ts'
import { startService } from '../../server/src/program/serve.ts'
import { startWork } from '../../server/src/program/work.ts'
import { cloneDatabase } from '../../testbed/harness/database.ts'
import { inviteTo } from '../../testbed/harness/session.ts'
import { buildDashboard } from '../../tools/build-dashboard.ts'
import { startBrowser } from '../../testbed/harness/browser.ts'
import { settled } from '../accessibility.ts'

export type BrowserOwner = {
  email: string
  password: string
  name: string
  slug: string
  /** Calls the management API as this user, to prepare data for a test. */
  ask: ReturnType<typeof platformClient>
}

export type Opened = {
  page: Page
  context: BrowserContext
  /** Policy violations, errors and dialogs; a test ends with `expect(complaints).toEqual([])`. */
  complaints: string[]
}

export type Dashboard = {
  origin: string
  database: Database
  browser: Browser
  siteUrlOf(slug: string): string
  /** Creates an account with a project, through the API. */
  makeOwner(options?: { slug?: string; name?: string; plan?: PlanName }): Promise<BrowserOwner>
  setPlan(slug: string, plan: PlanName): Promise<void>
  /** Runs the program as the operator of the installation; returns its output. */
  operator(...words: readonly string[]): Promise<string>
  open(path: string, options?: OpenOptions): Promise<Opened>
  /** Stops the service and starts it again on the same port, as for a new version. */
  restart(whileDown?: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

export type OpenOptions = {
  as?: BrowserOwner
  /** Of the device. */
  timezoneId?: string
  /** Blocks server-sent events, like a proxy that buffers them. */
  hasNoEvents?: boolean
  scheme?: 'light' | 'dark'
  size?: { width: number; height: number }
  /** Runs transitions, as on most devices. They take a fifth of the processor time of a test, which rarely is about them. */
  isMoving?: boolean
}

/** CPU slowdown factor of the pages, as on an old phone; it reveals race conditions. */
const SLOWNESS = Number(process.env['SLOWNESS'] ?? 1)

export const phone = { width: 390, height: 844 }
export const desk = { width: 1280, height: 900 }

const MAIN = join(import.meta.dirname, '../../server/src/main.ts')
const run = promisify(execFile)

export async function startDashboard(env: Readonly<Record<string, string>> = {}): Promise<Dashboard> {
  const assets = join(import.meta.dirname, '../../server/public/dashboard')
  await buildDashboard(assets)
  const { appUrl } = await cloneDatabase()
  const [port, sitePort] = [await freePort(), await freePort()]
  const origin = `http://localhost:${port}`
  const platformHost = `petstore.localhost:${sitePort}`
  const settings = {
    ENVIRONMENT: 'staging',
    DATABASE_URL: appUrl,
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_URL: `${origin}/v1`,
    STAGING_URL: `${origin}/v1`,
    DASHBOARD_ORIGIN: origin,
    PLATFORM_HOST: platformHost,
    EDGE_PORT: String(sitePort),
    RATE_LIMIT_PER_ACCOUNT: '1000000',
    RATE_LIMIT_PER_VISITOR: '1000000',
    RATE_LIMIT_SIGN_INS_PER_ADDRESS: '1000000',
    RATE_LIMIT_SIGN_INS_PER_ACCOUNT: '1000000',
    REQUESTS_PER_ADDRESS: '1000000',
    REQUESTS_PER_NETWORK: '1000000',
    LOG_LEVEL: 'silent',
    ...env,
  }
  const config = parseConfig(settings)
  const start = () => startService(config, { admission: { least: 1024 } })
  let service = await start()
  const work = await startWork(config, { onError: () => {}, pauseMs: 50 })
  const edge = await startEdge(config)
  const database = openDatabase({ url: appUrl, poolMax: 2, onError: () => {} })
  const browser = await startBrowser()

  const plan = async (slug: string, name: PlanName) => {
    const project = await inDirectoryOf(database)((db) => directory.findSlug(db, slug))
    if (project === undefined) throw new Error(`no project ${slug}`)
    await setPlan({ inProject: inProjectOf(database) }, project, name, 'operator')
  }
  return {
    origin,
    database,
    browser,
    siteUrlOf: (slug) => `http://${slug}.${platformHost}`,
    setPlan: plan,
    operator: async (...words) => (await run(process.execPath, [MAIN, ...words], { env: settings })).stdout.trim(),
    async makeOwner({ slug = `shop-${randomBytes(4).toString('hex')}`, name = 'Happy Paws', plan: wanted } = {}) {
      const person = { email: `${randomBytes(6).toString('hex')}@shop.example`, password: 'a good long password' }
      const ask = platformClient(`${origin}/platform/v1`, { Origin: origin })
      const { email, password } = person
      await ask('POST', '/accounts', { secret: await inviteTo(database, email), password, name: 'Mia' })
      await ask('POST', '/projects', { slug, name })
      if (wanted) await plan(slug, wanted)
      return { ...person, name: 'Mia', slug, ask }
    },
    open: (path, options) => open(browser, origin, path, options),
    async restart(whileDown) {
      await service.stop()
      try {
        await whileDown?.()
      } finally {
        service = await start()
      }
    },
    async close() {
      await browser.close()
      await edge.stop()
      await work.stop()
      await service.stop()
      await database.close()
    },
  }
}

/** Also for other environments, such as one with a whole test internet. */
export async function open(
  browser: Browser,
  origin: string,
  path: string,
  { as, hasNoEvents = false, scheme = 'light', size = desk, timezoneId = 'UTC', isMoving = false }: OpenOptions = {},
): Promise<Opened> {
  const context = await browser.newContext({
    colorScheme: scheme,
    viewport: size,
    locale: 'en-GB',
    timezoneId,
    reducedMotion: isMoving ? 'no-preference' : 'reduce',
  })
  const complaints: string[] = []
  if (as) await signIn(context, origin, as)
  // Also monitor pages that open in a new window.
  context.on('page', (opened) => watch(opened, complaints))
  if (SLOWNESS > 1) context.on('page', (opened) => void slowDown(opened))
  if (hasNoEvents) await context.route('**/watch?*', (route) => route.abort())
  const page = await context.newPage()
  await page.goto(`${origin}${path}`)
  return { page, context, complaints }
}

async function signIn(context: BrowserContext, origin: string, { email, password }: BrowserOwner): Promise<void> {
  const response = await context.request.post(`${origin}/platform/v1/session`, {
    headers: { Origin: origin },
    data: { email, password },
  })
  if (!response.ok()) throw new Error(`signing in: ${response.status()} ${await response.text()}`)
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWNESS })
}

function watch(page: Page, complaints: string[]): void {
  page.on('console', (message) => {
    // The browser also logs rejected requests; the page handles those.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
}

/** Elements that are wider than the window, so that people would have to scroll sideways. */
export async function overflowOf(page: Page): Promise<string[]> {
  // Elements that measure themselves adapt to the window some frames later.
  for (let attempt = 1; ; attempt += 1) {
    await settled(page)
    const found = await tooWide(page)
    if (found.length === 0 || attempt === 10) return found
  }
}

const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth
    return [...document.querySelectorAll('body *')]
      .filter((element) => {
        const { right, width: own } = element.getBoundingClientRect()
        const scrolls = element.closest('[data-scrolls]')
        return own > 0 && right > width + 1 && !scrolls && getComputedStyle(element).position !== 'fixed'
      })
      .map((element) => `${element.tagName.toLowerCase()}.${element.className}: ${element.textContent?.slice(0, 60)}`)
      .slice(0, 5)
  })
