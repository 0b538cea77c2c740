// The dashboard in a real browser on a real service: a database of its own, background
// work, published sites, and people who are signed in. Every page is watched: whatever
// its policy refuses, whatever it throws and whatever dialog opens is a complaint.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { PlanName } from '@petstore/contract/platform/projects'
import { platformClient } from '../../devserver/demo.ts'
import { freePort } from '../../devserver/free-port.ts'
import { parseConfig } from '../../server/src/config.ts'
import { startEdge } from '../../server/src/edge.ts'
import { openDatabase, type Database } from '../../server/src/foundation/postgres/postgres.io.ts'
import { setPlan } from '../../server/src/plans/plans.io.ts'
import * as directory from '../../server/src/projects/directory.io.ts'
import { inDirectoryOf, inProjectOf } from '../../server/src/projects/scope.io.ts'
import { startService } from '../../server/src/serve.ts'
import { startWork } from '../../server/src/work.ts'
import { cloneDatabase } from '../../testbed/harness/database.ts'
import { buildDashboard } from '../../tools/build-dashboard.ts'
import { startBrowser } from '../browser.ts'
import { settled } from '../sites-environment.ts'

export type BrowserOwner = {
  email: string
  password: string
  name: string
  slug: string
  /** Asks the interface as this person, where a test needs things to be there already. */
  ask: ReturnType<typeof platformClient>
}

export type Opened = {
  page: Page
  context: BrowserContext
  /** What must not have happened; a test ends with `expect(complaints).toEqual([])`. */
  complaints: string[]
}

export type Dashboard = {
  origin: string
  database: Database
  browser: Browser
  siteUrlOf(slug: string): string
  /** Somebody with a project, through the interface. */
  makeOwner(options?: { slug?: string; name?: string; plan?: PlanName }): Promise<BrowserOwner>
  setPlan(slug: string, plan: PlanName): Promise<void>
  open(path: string, options?: OpenOptions): Promise<Opened>
  /** Stops the service and starts it again on the same port, as a new version would be. */
  restart(whileDown?: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

export type OpenOptions = {
  as?: BrowserOwner
  /** Nothing that the server tells by itself comes through, as behind a proxy that holds it back. */
  isDeaf?: boolean
  scheme?: 'light' | 'dark'
  size?: { width: number; height: number }
}

/** How many times slower the pages compute, as on an old phone: what works by luck shows. */
const SLOWNESS = Number(process.env['SLOWNESS'] ?? 1)

export const phone = { width: 360, height: 780 }
export const desk = { width: 1280, height: 900 }

export async function startDashboard(env: Readonly<Record<string, string>> = {}): Promise<Dashboard> {
  const assets = join(import.meta.dirname, '../../server/public/dashboard')
  await buildDashboard(assets)
  const { appUrl } = await cloneDatabase()
  const [port, sitePort] = [await freePort(), await freePort()]
  const origin = `http://localhost:${port}`
  const platformHost = `petstore.localhost:${sitePort}`
  const config = parseConfig({
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
    LOG_LEVEL: 'silent',
    ...env,
  })
  const start = () => startService(config)
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
    async makeOwner({ slug = `shop-${randomBytes(4).toString('hex')}`, name = 'Happy Paws', plan: wanted } = {}) {
      const person = { email: `${randomBytes(6).toString('hex')}@shop.example`, password: 'a good long password' }
      const ask = platformClient(`${origin}/platform/v1`, { Origin: origin })
      await ask('POST', '/accounts', { ...person, name: 'Mia' })
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

/** Also for other stages, such as one with a whole test internet behind it. */
export async function open(
  browser: Browser,
  origin: string,
  path: string,
  { as, isDeaf = false, scheme = 'light', size = desk }: OpenOptions = {},
): Promise<Opened> {
  const context = await browser.newContext({ colorScheme: scheme, viewport: size, locale: 'en-GB', timezoneId: 'UTC' })
  const complaints: string[] = []
  if (as) {
    const answer = await context.request.post(`${origin}/platform/v1/session`, {
      headers: { Origin: origin },
      data: { email: as.email, password: as.password },
    })
    if (!answer.ok()) throw new Error(`signing in: ${answer.status()} ${await answer.text()}`)
  }
  // Also what a page opens in a window of its own.
  context.on('page', (opened) => watch(opened, complaints))
  if (SLOWNESS > 1) context.on('page', (opened) => void slowDown(opened))
  if (isDeaf) await context.route('**/events', (route) => route.abort())
  const page = await context.newPage()
  await page.goto(`${origin}${path}`)
  return { page, context, complaints }
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWNESS })
}

function watch(page: Page, complaints: string[]): void {
  page.on('console', (message) => {
    // That a request was refused is told by the browser too; the page decides what that means.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
}

/** Whether anything is wider than the window: people would have to scroll sideways. */
export async function overflowOf(page: Page): Promise<string[]> {
  // What measures itself follows the window some frames later.
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
