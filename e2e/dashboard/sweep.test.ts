// Accessibility sweep over every page of the dashboard, in a project with data on each of them:
// - nothing is wider than the window;
// - there is no accessibility violation;
// - each page has one heading and a title;
// - everything can be reached and left by keyboard alone.
// The list of pages is compared with the router: a new page must be added here.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as texts from '../../dashboard/src/texts/texts.ts'
import { barriersOn, findingsOn } from '../accessibility.ts'
import { cumulativeShift, onSlowLine, withColdCache } from '../site-loading.ts'
import { startSeededProject, STORE, WAITING, type SeededProject } from './seeded-project.ts'
import { faultsOfOpening, hasKeyboard, walkByKeyboard } from './keyboard.ts'
import { ANY, like, pattern } from './text-patterns.ts'
import { faultsInEveryVariant } from './display-variants.ts'
import { markSeenParts, SEEN } from './shell-parts.ts'
import { desk, overflowOf, phone, type Opened } from './browser-environment.ts'

const { account, animals, common, domains, imports, keys, orders, photos, profiles, projects, site } = texts

let seeded: SeededProject
/** One browser context signed in as the owner, and one without a session. */
let visits: Record<'owner' | 'visitor', Opened>
beforeAll(async () => {
  seeded = await startSeededProject()
  visits = {
    owner: await seeded.dashboard.open('/projects', { as: seeded.owner }),
    visitor: await seeded.dashboard.open('/sign-in'),
  }
})
afterAll(() => seeded?.dashboard.close())

/** What stood around the content of an earlier page: it is looked at once. */
const seen = new Set<string>()

/** A menu or dialog of a page, and the button that opens it. */
type Opening = readonly [button: string | RegExp, role: 'menu' | 'dialog']
type Screen = { opens?: readonly Opening[]; isOpen?: boolean }

const screens: Readonly<Record<string, Screen>> = {
  // Of a person who is not signed in.
  '': { isOpen: true },
  'sign-in': { isOpen: true },
  'sign-in-link': { isOpen: true },
  'sign-up': { isOpen: true },
  recovery: { isOpen: true },
  secure: { isOpen: true },
  'confirm-email': { isOpen: true },
  'undo-email': { isOpen: true },
  invitations: {},
  'unsubscribe/$token': { isOpen: true },
  'dns/$secret': { isOpen: true },
  account: {
    opens: [
      ['Mia', 'menu'],
      [account.codes.replace, 'dialog'],
      [account.tokens.revokeOf('My laptop'), 'dialog'],
    ],
  },
  projects: {},
  'projects/$project': {
    opens: [
      [common.opensMenu(STORE), 'menu'],
      [common.search.label, 'dialog'],
      [common.shareSite.action, 'dialog'],
    ],
  },
  'projects/$project/animals': {
    opens: [
      [animals.add, 'dialog'],
      [animals.categories, 'dialog'],
    ],
  },
  'projects/$project/animals/import': {},
  'projects/$project/animals/import/$import/columns': { opens: [[imports.startOver, 'dialog']] },
  'projects/$project/animals/import/$import/values': {},
  'projects/$project/animals/import/$import/review': {},
  'projects/$project/animals/import/$import/done': { opens: [[imports.undo, 'dialog']] },
  'projects/$project/animals/$animal': {
    opens: [
      [profiles.menu('Bella'), 'menu'],
      [photos.menu(1), 'menu'],
      [photos.at(1, 3), 'dialog'],
    ],
  },
  'projects/$project/requests': { opens: [[orders.menu('Bella', 'Ben Miller'), 'menu']] },
  'projects/$project/requests/$order': {
    opens: [
      [orders.moves.visit_set, 'dialog'],
      [orders.hold.action('Bella'), 'dialog'],
    ],
  },
  'projects/$project/site': {},
  'projects/$project/site/history': { opens: [[site.showAgainOf(1), 'dialog']] },
  'projects/$project/activity': {},
  'projects/$project/more': {},
  'projects/$project/settings': { opens: [[projects.deletion.action, 'dialog']] },
  'projects/$project/settings/members': { opens: [[projects.members.removeOf('Mia'), 'dialog']] },
  'projects/$project/settings/notifications': {},
  'projects/$project/settings/requests': {},
  'projects/$project/settings/plan': {},
  'projects/$project/settings/domains': {},
  'projects/$project/settings/domains/redirects': {},
  'projects/$project/settings/domains/$hostname': { opens: [[domains.page.menu(WAITING), 'menu']] },
  'projects/$project/settings/keys': {
    opens: [
      [like(keys.replaceOf('Stock system', ANY)), 'dialog'],
      [like(keys.revokeOf('Stock system', ANY)), 'dialog'],
    ],
  },
}

/** The paths of the router, joined from each route and its parents. */
function routesIn(source: string): string[] {
  const found = source.matchAll(
    /const (\w+) = createRoute\(\{\s*getParentRoute: \(\) => (\w+),\s*path: '([^']*)'([^]*?)\n?\}\)\n/g,
  )
  const routes = new Map(
    [...found].map(([, name = '', parent = '', path = '', rest = '']) => [name, { parent, path, rest }]),
  )
  const addressOf = (name: string): string => {
    const route = routes.get(name)
    return route ? [addressOf(route.parent), route.path].filter((part) => part !== '' && part !== '/').join('/') : ''
  }
  // Routes without a component redirect, or are layouts.
  return [...routes].filter(([, { rest }]) => rest.includes('component: page(')).map(([name]) => addressOf(name))
}

const addressOf = (route: string): string => {
  const { invitation, records } = seeded.secrets
  const path = route
    .replace('$project', seeded.owner.slug)
    .replace('$animal', String(seeded.animal))
    .replace('$order', String(seeded.request))
    .replace('$import/done', `${seeded.imports.done}/done`)
    .replace('$import', seeded.imports.reviewed)
    .replace('$hostname', WAITING)
    .replace('$secret', records)
    // It names what it turns off; whether it is ours, the server checks when the button is pressed.
    .replace('$token', `1.acc_${'0'.repeat(24)}.requests.code`)
  return route === 'invitations' ? `/${path}#${invitation}` : `/${path}`
}

async function openScreen(
  route: string,
  prepare?: (page: Page) => Promise<void>,
): Promise<Pick<Opened, 'page' | 'complaints'>> {
  const { context, complaints } = visits[screens[route]?.isOpen ? 'visitor' : 'owner']
  complaints.length = 0
  const page = await context.newPage()
  await prepare?.(page)
  await page.goto(`${seeded.dashboard.origin}${addressOf(route)}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await settled(page)
  return { page, complaints }
}

const settled = (page: Page) =>
  page.waitForFunction(
    (loading) => !document.querySelector('.mantine-Loader-root') && !document.body.innerText.includes(loading),
    common.loading,
  )

/** The narrowest window that has to do, and a window of 1280 pixels at four times the size. */
const narrow = { width: 320, height: 640 }

/** Cumulative layout shift while a page loads, as a share of the window. */
const SHIFT_MAX = 0.02

test('The list contains every page of the router, and no other', () => {
  const source = readFileSync(join(import.meta.dirname, '../../dashboard/src/router.tsx'), 'utf8')
  expect(routesIn(source).toSorted()).toEqual(Object.keys(screens).toSorted())
  expect(
    routesIn(
      `${source}\nconst late = createRoute({\n  getParentRoute: () => settings,\n  path: 'late',\n  component: page(() => import('./x.tsx'), 'X'),\n})\n`,
    ),
  ).toContain('projects/$project/settings/late')
})

describe.each(Object.entries(screens))('/%s', (route, { opens = [] }) => {
  test('works in light and dark mode, on desktop and phone, and by keyboard', async () => {
    const { page, complaints } = await openScreen(route)
    const found: Record<string, unknown> = {}
    const note = (what: string, faults: readonly string[]) => faults.length > 0 && (found[what] = faults)
    const shift = await cumulativeShift(page)
    if (shift.sum > SHIFT_MAX) found['layout shift'] = shift
    const again = await markSeenParts(page, seen)
    Object.assign(found, await faultsInEveryVariant(page, route.replaceAll(/[$/]+/g, '-'), { without: SEEN }))
    await page.setViewportSize(narrow)
    note('320 too wide', await overflowOf(page))
    await page.setViewportSize(desk)
    if ((await page.getByRole('heading', { level: 1 }).count()) !== 1) found['h1'] = 'not one'
    if (!pattern`^.+ · ${common.product}$`.test(await page.title())) found['title'] = await page.title()
    const { reached, missed, unseen, mouseOnly } = await walkByKeyboard(page)
    if (reached === 0) found['keys'] = 'nothing can be reached'
    note('missed by Tab', missed)
    note('focus unseen', unseen)
    note('mouse only', mouseOnly)
    if (opens.length > 0) {
      await page.reload()
      await page.getByRole('heading', { level: 1 }).waitFor()
      await settled(page)
    }
    for (const [button, role] of opens) note(`opens ${String(button)}`, await faultsOfOpening(page, button, role))
    note('complaints', complaints)
    process.stdout.write(
      `sweep: /${route}: ${again} parts seen before, ${reached} places by Tab, shift ${shift.sum.toFixed(3)} ${JSON.stringify(found)}\n`,
    )
    // Even of a page with faults: each open page holds a connection, and a browser has six.
    await page.close()
    expect(found).toEqual({})
  })
})

test('A defective page is reported (negative control)', async () => {
  const { page } = await openScreen('projects')
  await page.evaluate(() => {
    const main = document.querySelector('main')
    const add = <Element extends HTMLElement>(element: Element, text: string): Element => {
      element.textContent = text
      main?.append(element)
      return element
    }
    Object.assign(add(document.createElement('div'), 'only for a mouse'), { onclick: () => {} })
    add(document.createElement('input'), '').type = 'text'
    add(document.createElement('div'), 'too wide').style.width = '2000px'
    add(document.createElement('p'), 'dark enough').style.color = '#222'
    add(document.createElement('p'), 'too pale').style.color = '#ccc'
    const mixed = add(document.createElement('p'), 'dark enough where it is shown')
    mixed.style.color = '#222'
    mixed.style.opacity = '0.3'
    const quiet = add(document.createElement('button'), 'shows no focus')
    quiet.style.outline = 'none'
    quiet.style.boxShadow = 'none'
    const trap = add(document.createElement('button'), 'keeps focus')
    trap.addEventListener('keydown', (event) => event.preventDefault())
    add(document.createElement('button'), 'is never reached')
    main?.append(Object.assign(document.createElement('h1'), { textContent: 'one more' }))
  })
  const barriers = await barriersOn(page)
  expect(barriers.some((barrier) => barrier.startsWith('label: '))).toBe(true)
  // Each look of a text is checked once: those that differ in one thing are two looks.
  expect(
    barriers
      .filter((barrier) => barrier.startsWith('color-contrast: '))
      .map((barrier) => /<p[^>]*>([^<]*)/.exec(barrier)?.[1]),
  ).toEqual(['too pale', 'dark enough where it is shown'])
  expect(await overflowOf(page)).not.toEqual([])
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(2)
  const { missed, unseen, mouseOnly } = await walkByKeyboard(page)
  expect(mouseOnly).toContain('div only for a mouse')
  expect(unseen).toContain('button shows no focus')
  expect(missed).toContain('button is never reached')
  await page.close()
})

describe('the keyboard focus, while menus and dialogs fade in and out,', () => {
  const openMoving = (route: string) =>
    openScreen(route, (page) => page.emulateMedia({ reducedMotion: 'no-preference' }))
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id)

  test('returns to the menu button when a dialog that the menu opened is closed', async () => {
    const { page } = await openMoving('projects/$project/settings/domains/$hostname')
    for (const entry of [domains.page.share, domains.page.remove]) {
      await page.getByRole('button', { name: domains.page.menu(WAITING) }).press('Enter')
      await page.getByRole('menuitem', { name: entry }).click()
      await hasKeyboard(page, 'dialog')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expect.poll(() => focused(page)).toBe(domains.page.menu(WAITING))
    }
    await page.close()
  })

  test('moves to the content when the button that opened a dialog is gone, also some time later', async () => {
    const { page } = await openMoving('projects/$project/site/history')
    const opener = page.getByRole('button', { name: site.showAgainOf(1), exact: true })
    await opener.press('Enter')
    // The list without the button arrives when the dialog has closed and its button has the focus again.
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    await page.route('**/deployments*', async (route) => {
      if (route.request().method() === 'GET') await closed
      await route.continue()
    })
    await page.getByRole('dialog').getByRole('button', { name: site.showAgain }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true)
    resolve()
    await opener.waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe('content')
    await page.close()
  })
})

describe('the search', () => {
  test('opens by Ctrl-K on any page, and its results by the keyboard alone', async () => {
    const { page, complaints } = await openScreen('projects/$project/activity')
    const field = page.getByRole('combobox', { name: common.search.label })
    const find = async (text: string, option: string) => {
      await page.keyboard.press('Control+k')
      await field.waitFor()
      // Typed without a click: the field has the focus, and keeps it.
      await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
      await page.keyboard.type(text, { delay: 40 })
      await page.getByRole('option', { name: option, selected: true }).waitFor()
    }
    await find('bel', `Bella ${common.search.animal}`)
    expect(await findingsOn(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/animals\/\d+$/)
    await field.waitFor({ state: 'detached' })
    await find('ben', `Ben Miller ${common.search.order('Bella')}`)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/requests\/\d+$/)
    await field.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await field.fill('no such name')
    await page.getByText(common.search.none('no such name')).waitFor()
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await page.close()
  })
})

describe('On a slow line with a cold cache, nothing moves', () => {
  const routes = ['projects/$project', 'projects/$project/animals', 'projects/$project/settings/domains']
  const sizes = [desk, phone]

  test.for(routes.flatMap((route) => sizes.map((size) => [route, size.width, size] as const)))(
    '/%s at %d pixels',
    { timeout: 120_000 },
    async ([route, width, size]) => {
      const { page } = await openScreen(route, async (opened) => {
        await opened.setViewportSize(size)
        await onSlowLine(opened)
        await withColdCache(opened)
      })
      const shift = await cumulativeShift(page)
      await page.close()
      process.stdout.write(`slow line: /${route} at ${width}: shift ${shift.sum.toFixed(3)}\n`)
      expect(shift.sum > SHIFT_MAX ? shift : undefined).toBeUndefined()
    },
  )
})
