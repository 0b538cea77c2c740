// The tabs of a browser share one event stream. Over HTTP/1.1 a browser has six connections to a server: with a stream
// per tab, the seventh tab would not load.

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { platformClient } from '../../../devserver/demo.ts'
import { freePort } from '../../../devserver/free-port.ts'
import { openDatabase } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { buildDashboard } from '../../../tools/build-dashboard.ts'
import { startBrowser } from '../../harness/browser.ts'
import { inviteTo } from '../../harness/session.ts'
import { PASSWORD } from '../clients.ts'
import { NotShown } from '../../experiments/claims.ts'
import { must, type SafetyLine, type SafetyRun } from '../line.ts'
import { startProcesses } from '../processes.ts'

/** A change that is not shown by then is not shown at all; what takes less is a figure. */
const PATIENCE_MS = 20_000
const tiers = {
  small: { tabs: 7, loadedMs: 60_000, shownMs: PATIENCE_MS, leadsMs: PATIENCE_MS, settledMs: PATIENCE_MS },
  large: { tabs: 12, loadedMs: 60_000, shownMs: 2_000, leadsMs: 3_000, settledMs: 3_000 },
}
const SLUG = 'willow'
const EMAIL = 'mia@happy-paws.example'

export const safetyLine: SafetyLine = {
  title: 'The tabs of a browser share one event stream',
  sizes: { small: '7 tabs', large: '12 tabs, with limits of time' },
  guards: [{ name: 'shared-stream', instead: 'a stream per tab', isQuick: false }],
  run,
}

async function run({ tier, without, createDatabase, report }: SafetyRun): Promise<void> {
  const { tabs: count, loadedMs, shownMs, leadsMs, settledMs } = tiers[tier]
  await buildDashboard(join(import.meta.dirname, '../../../server/public/dashboard'))
  await using closing = new AsyncDisposableStack()
  const { appUrl } = await createDatabase()
  const { origin, ask } = await startShop(appUrl, closing)
  const streams = countStreams()
  closing.defer(streams.stop)
  const browser = await startBrowser()
  closing.defer(() => browser.close())
  const context = await browser.newContext()
  await signIn(context, origin)
  // As in a browser that has no Web Locks.
  if (without === 'shared-stream') await context.addInitScript('delete Navigator.prototype.locks')

  const leads = new Set<Page>()
  context.on('request', (request) => void (isStream(request.url()) && leads.add(request.frame().page())))
  const open = async (_: unknown, n: number) => {
    const page = await context.newPage()
    const loaded = async () => {
      await page.goto(`${origin}/projects/${SLUG}/settings/members`, { timeout: loadedMs })
      await page.getByRole('heading', { level: 1 }).waitFor({ timeout: loadedMs })
    }
    await loaded().catch(() => notShown(`Tab ${n + 1} did not load within ${loadedMs} ms.`))
    return page
  }
  const pages = await Promise.all(Array.from({ length: count }, open))
  await streams.reached(1, loadedMs)

  /** How long the last of the tabs takes to show the new name of the project. */
  const change = async (shown: readonly Page[], name: string) => {
    const changedAt = performance.now()
    await ask('PATCH', `/projects/${SLUG}`, { name })
    const show = async (page: Page) => {
      const waiting = page.getByText(name).first().waitFor({ timeout: PATIENCE_MS })
      await waiting.catch(() =>
        notShown(`Tab ${pages.indexOf(page) + 1} did not show a change within ${PATIENCE_MS} ms.`),
      )
    }
    await Promise.all(shown.map(show))
    return Math.round(performance.now() - changedAt)
  }
  const firstMs = await change(pages, 'Willow by the river')
  await streams.remaining(1, settledMs)
  report({ tabs: count, 'streams at the server': 1, 'shown, ms': firstMs })

  const [leader] = [...leads].slice(-1)
  must(leader !== undefined, 'No tab opened a stream.')
  const closedAt = performance.now()
  const before = streams.opened()
  await leader.close()
  await streams.reached(before + 1, leadsMs)
  const leadsAfterMs = Math.round(performance.now() - closedAt)
  const others = pages.filter((page) => page !== leader)
  const secondMs = await change(others, 'Willow on the hill')
  report({ 'new leader, ms': leadsAfterMs, 'shown then, ms': secondMs })
  await streams.remaining(1, settledMs)
  for (const ms of [firstMs, secondMs]) must(ms <= shownMs, `The last tab showed a change after ${ms} ms.`)
}

const notShown = (found: string): never => {
  throw new NotShown(found)
}

const isStream = (url: string) => url.includes('/platform/v1/watch?')

async function startShop(appUrl: string, closing: AsyncDisposableStack) {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const env = {
    ENVIRONMENT: 'staging',
    DATABASE_URL: appUrl,
    PORT: String(port),
    BASE_URL: `${origin}/v1`,
    STAGING_URL: `${origin}/v1`,
    DASHBOARD_ORIGIN: origin,
    RATE_LIMIT_PER_ACCOUNT: '1000000',
    RATE_LIMIT_PER_VISITOR: '1000000',
  }
  const processes = await startProcesses({ count: 1, tier: 'small', env, seam: undefined })
  closing.defer(processes.stop)
  const database = openDatabase({ url: appUrl, poolMax: 1, onError: () => {} })
  closing.defer(() => database.close())
  const ask = platformClient(`${origin}/platform/v1`, { Origin: origin })
  await ask('POST', '/accounts', { secret: await inviteTo(database, EMAIL), password: PASSWORD, name: 'Mia' })
  await ask('POST', '/projects', { slug: SLUG, name: 'Willow Street' })
  return { origin, ask }
}

async function signIn(context: BrowserContext, origin: string): Promise<void> {
  const data = { email: EMAIL, password: PASSWORD }
  const response = await context.request.post(`${origin}/platform/v1/session`, { headers: { Origin: origin }, data })
  if (!response.ok()) throw new Error(`signing in: ${response.status()} ${await response.text()}`)
}

/** Counts event streams where they arrive: at the HTTP server of this process. */
function countStreams() {
  let [opened, open] = [0, 0]
  const changes = new EventEmitter()
  const started = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    if (!isStream(request.url ?? '')) return
    opened += 1
    open += 1
    response.on('close', () => {
      open -= 1
      changes.emit('change')
    })
    changes.emit('change')
  }
  subscribe('http.server.request.start', started)
  const until = async (isSo: () => boolean, withinMs: number, otherwise: () => string) => {
    const signal = AbortSignal.timeout(withinMs)
    while (!isSo()) await once(changes, 'change', { signal }).catch(() => notShown(otherwise()))
  }
  return {
    opened: () => opened,
    /** So many have been opened. */
    reached: (wanted: number, withinMs: number) =>
      until(
        () => opened >= wanted,
        withinMs,
        () => `No stream was opened within ${withinMs} ms.`,
      ),
    /** So many are open, and those of closed tabs are not. */
    remaining: (wanted: number, withinMs: number) =>
      until(
        () => open === wanted,
        withinMs,
        () => `The server has ${open} streams of one browser.`,
      ),
    stop: () => void unsubscribe('http.server.request.start', started),
  }
}
