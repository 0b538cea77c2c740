// Performance of the list of animals with 100,000 of them, as a table and as cards: scrolling through all of them by wheel
// and by keyboard, selecting and searching block the page for no longer than 100 ms.
//
// The browser measures each task of the page's main thread. The wall-clock time (`longtask`)
// includes the time in which other programs had the processor, so it is only printed; the
// limit applies to the CPU time of a task (from a trace). A measurement that exceeds the limit
// in one round is repeated in a second one, and the better of the two counts.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as texts from '../../dashboard/src/texts/texts.ts'
import * as directory from '../../server/src/projects/directory.io.ts'
import { inDirectoryOf, inProjectOf } from '../../server/src/projects/scope.io.ts'
import { counting } from './text-patterns.ts'
import { startDashboard, type Dashboard, type BrowserOwner } from './browser-environment.ts'

const { animals: t } = texts

const ANIMALS = 100_000
/** Rows per insert statement: more would exceed the statement timeout. */
const AT_ONCE = 5000
const BUSY_MAX_MS = 100
const ROUNDS = 2

/** Timeout for a machine under other load. */
const patient = { timeout: 60_000 }

let dashboard: Dashboard
let owner: BrowserOwner

beforeAll(async () => {
  dashboard = await startDashboard()
  owner = await dashboard.makeOwner({ plan: 'enterprise' })
  const { id } = await owner.ask('POST', `/projects/${owner.slug}/categories`, { name: 'Dogs' })
  const project = await inDirectoryOf(dashboard.database)((db) => directory.findSlug(db, owner.slug))
  if (project === undefined) throw new Error('the project is gone')
  const text = `insert into pets (project_id, name, category_id, status)
    select $1::bigint, 'Animal ' || lpad(n::text, 6, '0'), $2::bigint,
      (array['available', 'available', 'pending', 'sold'])[1 + n % 4]
    from generate_series($3::integer + 1, $3::integer + ${AT_ONCE}) as n`
  for (let from = 0; from < ANIMALS; from += AT_ONCE)
    await inProjectOf(dashboard.database)(project, (db) =>
      db<never, [bigint, bigint, number]>({ name: 'fill', text }, project, BigInt(Number(id)), from),
    )
})
afterAll(() => dashboard.close())

/** Records every long task; runs before any script of the page. */
function watch(): void {
  window.longTasks = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })
}
declare global {
  interface Window {
    longTasks: number[]
  }
}

type TraceEvent = { name: string; pid: number; tid: number; tdur?: number; args: { name?: string } }
/** Milliseconds of the longest task: CPU time and wall-clock time; a wall-clock time of 0 means less than 50. */
type Busy = { computed: number; clock: number }

async function busyDuring(page: Page, work: () => Promise<void>): Promise<Busy> {
  await page.evaluate(() => void window.longTasks.splice(0))
  await dashboard.browser.startTracing(page, { categories: ['toplevel'] })
  await work()
  // After two frames, all earlier tasks have been recorded.
  const tasks = await page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))
    return window.longTasks
  })
  const { traceEvents } = JSON.parse(String(await dashboard.browser.stopTracing())) as { traceEvents: TraceEvent[] }
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ tid }) => tid),
  )
  const computed = traceEvents.filter(({ name, tid }) => name.endsWith('RunTask') && mains.has(tid))
  if (computed.length === 0) throw new Error('the trace holds no tasks')
  return {
    computed: Math.max(...computed.map(({ tdur = 0 }) => tdur)) / 1000,
    clock: Math.max(0, ...tasks),
  }
}

const grid = (page: Page) => page.getByRole('grid', { name: t.title })
const nameInSight = (page: Page) => grid(page).locator('.active .animal-name').textContent()
const settled = async (page: Page) => {
  await expect.poll(() => grid(page).locator('.animal-place').count(), patient).toBe(0)
}

async function round(view: 'table' | 'cards'): Promise<Record<string, Busy>> {
  const { page, complaints, context } = await dashboard.open('/sign-in', { as: owner })
  await page.addInitScript(watch)
  await page.goto(`${dashboard.origin}/projects/${owner.slug}/animals`)
  await page.getByRole('button', { name: t.views[view] }).click()
  await expect.poll(() => nameInSight(page), patient).toBe('Animal 100000')
  await expect.poll(() => grid(page).getAttribute('aria-rowcount'), patient).toBe(String(ANIMALS + 1))
  const figures: Record<string, Busy> = {}
  const measured = async (what: string, work: () => Promise<void>) => {
    figures[what] = await busyDuring(page, work)
  }

  await grid(page).focus()
  await measured('loading all of it, while scrolling to its end', async () => {
    await page.keyboard.press('End')
    await settled(page)
    await expect.poll(() => nameInSight(page), patient).toBe('Animal 000001')
  })
  await measured('wheel, from the end to the beginning', async () => {
    await grid(page).hover()
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    for (let step = 0; step <= 60; step += 1) await page.mouse.wheel(0, -height / 60)
    await expect.poll(() => page.evaluate(() => window.scrollY), patient).toBe(0)
  })
  await measured('Home, a hundred pages down, End', async () => {
    await page.keyboard.press('Home')
    for (let step = 0; step < 100; step += 1) await page.keyboard.press('PageDown')
    expect(Number((await nameInSight(page))?.slice(7))).toBeLessThan(ANIMALS - 300)
    await page.keyboard.press('End')
    await expect.poll(() => nameInSight(page), patient).toBe('Animal 000001')
  })
  await measured('selecting all of it, and one of it', async () => {
    await page.keyboard.press('Control+a')
    await page.getByText(counting(ANIMALS, t.bulk.selected)).waitFor()
    await page.keyboard.press('Space')
    await page.getByText(counting(ANIMALS - 1, t.bulk.selected)).waitFor()
    await page.keyboard.press('Escape')
  })
  await measured('searching', async () => {
    await page.getByRole('searchbox', { name: t.search }).pressSequentially('animal 0999')
    await expect.poll(() => grid(page).getByRole('row').count(), patient).toBeLessThan(102)
    await settled(page)
    await grid(page).getByText('Animal 099900').waitFor()
  })
  await measured('opening one of it', async () => {
    await grid(page).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /^Animal \d{6}$/ }).waitFor()
  })
  expect(complaints).toEqual([])
  await context.close()
  return figures
}

test.each(['table', 'cards'] as const)('100,000 animals as %s block the page for at most 100 ms', async (view) => {
  const best = new Map<string, number>()
  const tooLong = () => [...best].filter(([, ms]) => ms > BUSY_MAX_MS)
  for (let at = 0; at === 0 || (at < ROUNDS && tooLong().length > 0); at += 1) {
    for (const [what, { computed, clock }] of Object.entries(await round(view))) {
      const ms = Math.round(computed)
      best.set(what, Math.min(ms, best.get(what) ?? Infinity))
      process.stdout.write(`${view}, ${what}: the longest task computed ${ms} ms (by the clock ${clock} ms)\n`)
    }
  }
  expect(tooLong()).toEqual([])
})
