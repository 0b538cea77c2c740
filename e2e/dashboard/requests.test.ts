// The requests in the dashboard: a board of those that are open, moved by the menu, by dragging and by the keyboard
// alone; undone in the notice and with Ctrl+Z; the page of one request; what has ended; the question who took an animal;
// and the settings.

import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as texts from '../../dashboard/src/texts/texts.ts'
import { invitationSecret } from '../../testbed/harness/session.ts'
import { barriersOn, contrastsOn, findingsOn } from '../accessibility.ts'
import { storeShot } from './display-variants.ts'
import { ANY, alertOf, like, press, saying } from './text-patterns.ts'
import { desk, overflowOf, startDashboard, type BrowserOwner, type Dashboard } from './browser-environment.ts'
import { askFor, requestOf, type Asked } from './visitor-requests.ts'

const { orders: words, stages, common, profiles } = texts
const patient = { timeout: 30_000 }

let dashboard: Dashboard
let owner: BrowserOwner
let viewer: BrowserOwner

beforeAll(async () => {
  dashboard = await startDashboard()
  owner = await dashboard.makeOwner({ name: 'Willow Street' })
  await owner.ask('PATCH', `/projects/${owner.slug}`, { kind: 'shelter' })
  viewer = await dashboard.makeOwner()
  const invited = await owner.ask('POST', `/projects/${owner.slug}/invitations`, {
    email: viewer.email,
    role: 'viewer',
  })
  await viewer.ask('POST', '/invitations/accept', { secret: invitationSecret(invited) })
})
afterAll(() => dashboard?.close())

const board = (of: { slug: string } = owner) => `/projects/${of.slug}/requests`
const pageOf = ({ order }: Asked, of: { slug: string } = owner) => `${board(of)}/${order}`
const asks = (animal: string | bigint, name: string, more: { message?: string; confirmedAt?: Date } = {}) =>
  askFor(dashboard.database, owner, animal, { name, contact: `${name.toLowerCase()}@visitor.example`, ...more })
const move = (order: bigint, fact: string, visit?: object) =>
  owner.ask('POST', `/projects/${owner.slug}/orders/${order}/move`, { fact, ...(visit && { visit }) })
const statusOf = async ({ animal }: Asked) =>
  (await owner.ask('GET', `/projects/${owner.slug}/animals/${animal}`))['status']

const column = (page: Page, name: string): Locator => page.getByRole('region', { name: like(`${name} ${ANY}`) })
const cardOf = (within: Page | Locator, visitor: string): Locator => {
  const page = 'page' in within ? within.page() : within
  return within.getByRole('listitem').filter({ has: page.getByRole('heading', { name: visitor }) })
}
const menuOf = (page: Page, animal: string, visitor: string) =>
  page.getByRole('button', { name: words.menu(animal, visitor) })
const dialog = (page: Page) => page.getByRole('dialog')
const undoInNotice = (page: Page) => page.getByRole('alert').getByRole('button', { name: common.undo })

async function choose(page: Page, [animal, visitor]: readonly [string, string], action: string): Promise<void> {
  await menuOf(page, animal, visitor).click()
  await page.getByRole('menuitem', { name: action }).click()
}

describe('the board', () => {
  test('shows a new request automatically, and a request in the column that it was moved to', async () => {
    const { page, complaints, context } = await dashboard.open(board(), { as: owner })
    await page.getByRole('heading', { name: words.empty.open }).waitFor()
    const ben = await asks('Juno', 'Ben', { message: 'Saturday?\nWe have a garden.' })
    const announced = page.getByRole('status').filter({ hasText: words.arrived('Ben', 'Juno') })
    await announced.waitFor(patient)
    await cardOf(column(page, stages.new), 'Ben').getByText(words.fresh, { exact: true }).waitFor()
    await cardOf(page, 'Ben').getByText(words.unconfirmed, { exact: true }).waitFor()
    const ana = await asks(ben.animal, 'Ana')
    await cardOf(page, 'Ana').getByText(words.inLine(2, 2)).waitFor(patient)
    expect(await statusOf(ben)).toBe('available')

    await choose(page, ['Juno', 'Ben'], words.moves.contacted)
    await cardOf(column(page, stages.talking), 'Ben').waitFor()
    await choose(page, ['Juno', 'Ben'], words.moves.approved)
    await cardOf(column(page, stages.approved), 'Ben').getByText(words.hold.short).waitFor()
    // The notice about an earlier move is gone: its button would take back this one.
    await expect.poll(() => undoInNotice(page).count(), { timeout: 5000 }).toBe(1)
    expect(await statusOf(ben)).toBe('pending')
    // In the notice.
    await alertOf(page, words.moved.approved('Ben', 'Juno')).getByRole('button', { name: common.undo }).click()
    await cardOf(column(page, stages.talking), 'Ben').waitFor()
    expect(await statusOf(ben)).toBe('available')

    await choose(page, ['Juno', 'Ben'], words.moves.handed_over.shelter)
    await page.getByRole('heading', { name: words.empty.open }).waitFor()
    expect([await statusOf(ben), (await requestOf(owner, ana.order)).stage]).toEqual(['sold', 'closed'])
    // By a key: the other request is open again, too.
    await page.keyboard.press('Control+z')
    await cardOf(column(page, stages.talking), 'Ben').waitFor()
    await cardOf(column(page, stages.new), 'Ana').waitFor()
    expect(await statusOf(ben)).toBe('available')
    await move(ben.order, 'declined')
    await move(ana.order, 'declined')
    await page.getByRole('heading', { name: words.empty.open }).waitFor(patient)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('moves a request that is dragged to another column, where its moves lead', async () => {
    const eve = await asks('Clover', 'Eve')
    const { page, complaints, context } = await dashboard.open(board(), { as: owner })
    await cardOf(page, 'Eve').dragTo(column(page, stages.talking))
    await cardOf(column(page, stages.talking), 'Eve').waitFor()
    // Not back: no move leads there.
    await cardOf(page, 'Eve').dragTo(column(page, stages.new))
    await cardOf(page, 'Eve').dragTo(column(page, stages.visit))
    await dialog(page).getByLabel(words.visit.at).fill('2030-11-23T11:00')
    await dialog(page).getByLabel(words.visit.place).fill('At the gate')
    await press(dialog(page), words.visit.action)
    await cardOf(column(page, stages.visit), 'Eve').getByText('23 Nov').waitFor()
    expect(await requestOf(owner, eve.order)).toMatchObject({
      stage: 'visit',
      visit: { at: '2030-11-23T11:00:00Z', place: 'At the gate' },
    })
    expect(complaints).toEqual([])
    await move(eve.order, 'declined')
    await context.close()
  })

  test('is used by the keyboard alone, which stays with the request that was moved', async () => {
    await asks('Luna', 'Kim')
    const { page, context } = await dashboard.open(board(), { as: owner })
    await menuOf(page, 'Luna', 'Kim').focus()
    await page.keyboard.press('Enter')
    const entry = page.getByRole('menuitem', { name: words.moves.contacted })
    await entry.waitFor()
    for (let step = 0; step < 9; step += 1) {
      if (await entry.evaluate((element) => element === document.activeElement)) break
      await page.keyboard.press('ArrowDown')
    }
    await page.keyboard.press('Enter')
    const moved = cardOf(column(page, stages.talking), 'Kim')
    await moved.waitFor()
    await expect.poll(() => moved.evaluate((element) => element.contains(document.activeElement)), patient).toBe(true)
    await page.keyboard.press('Control+z')
    await cardOf(column(page, stages.new), 'Kim').waitFor()
    await context.close()
  })

  test('announces counts at most once in 5 seconds', async () => {
    const { page, context } = await dashboard.open(board(), { as: owner })
    const region = page.getByRole('status').filter({ hasText: words.countOf(stages.new, '') })
    await region.waitFor()
    await region.evaluate((element) => {
      const times: number[] = []
      Object.assign(window, { announcedAt: times })
      new MutationObserver(() => times.push(performance.now())).observe(element, {
        characterData: true,
        childList: true,
        subtree: true,
      })
    })
    for (const name of ['Ida', 'Ole', 'Pia', 'Uwe']) await asks('Pip', name)
    await region.filter({ hasText: words.arrived('Uwe', 'Pip') }).waitFor(patient)
    const times = await page.evaluate(() => (window as unknown as { announcedAt: number[] }).announcedAt)
    expect(times.length).toBeGreaterThan(0)
    expect(times.filter((at, index) => index > 0 && at - (times[index - 1] ?? 0) < 4900)).toEqual([])
    await context.close()
  })

  test('shows that a colleague was faster, and the result', async () => {
    const mo = await asks('Otis', 'Mo')
    const { page, complaints, context } = await dashboard.open(board(), { as: owner })
    await menuOf(page, 'Otis', 'Mo').click()
    const entry = page.getByRole('menuitem', { name: words.moves.contacted })
    await entry.waitFor()
    // The page does not know it yet.
    await page.route('**/orders?*', (route) => route.abort())
    await move(mo.order, 'declined')
    await entry.click()
    await page.unroute('**/orders?*')
    await alertOf(page, words.late).waitFor()
    await cardOf(page, 'Mo').waitFor({ state: 'detached', ...patient })
    expect((await requestOf(owner, mo.order)).stage).toBe('declined')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('is visible to a viewer, who cannot change anything', async () => {
    const noa = await asks('Squeak', 'Noa')
    const { page, complaints, context } = await dashboard.open(board(), { as: viewer })
    await cardOf(page, 'Noa').waitFor()
    await page.getByText(words.viewer).waitFor()
    expect(await page.getByRole('button', { name: like(words.menu(ANY, ANY)) }).count()).toBe(0)
    expect(await cardOf(page, 'Noa').getAttribute('draggable')).toBe('false')
    await page.goto(`${dashboard.origin}${pageOf(noa)}`)
    await page.getByText(words.viewer).waitFor()
    const changing = like(
      ...Object.values(words.moves).flatMap((action) =>
        typeof action === 'string' ? [action] : Object.values(action),
      ),
    )
    expect(await page.getByRole('button', { name: changing }).count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('loads a long column page by page', async () => {
    const shop = await dashboard.makeOwner()
    const visitor = { name: 'Ben', contact: 'ben@visitor.example' }
    for (const name of ['One', 'Two', 'Three']) {
      const { animal } = await askFor(dashboard.database, shop, name, visitor)
      for (let more = 1; more < 20; more += 1) await askFor(dashboard.database, shop, animal, visitor)
    }
    const { page, complaints, context } = await dashboard.open(board(shop), { as: shop })
    const items = column(page, stages.new).getByRole('listitem')
    await items.nth(49).waitFor()
    expect(await items.count()).toBe(50)
    await press(column(page, stages.new), common.more)
    await items.nth(59).waitFor()
    expect(await column(page, stages.new).getByRole('button', { name: common.more }).count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('the page of a request', () => {
  test('shows the visitor and the queue, and arranges, holds, notes, completes, undoes and reopens', async () => {
    const first = await asks('Ada', 'Tom')
    const second = await askFor(dashboard.database, owner, first.animal, {
      name: 'Sam and Ines',
      contact: '+44 20 7946 0958',
      phone: '555 12/34',
      message: 'Is she good with cats?',
      confirmedAt: new Date(),
      answers: [{ question: 'Do you have a garden?', answer: 'Yes, with a fence.' }],
    })
    const site = await owner.ask('GET', `/projects/${owner.slug}/site`)
    const { logo: _, ...settings } = site
    const contact = { email: '', phone: '', address: '12 Willow Street, Fieldwick' }
    await owner.ask('PUT', `/projects/${owner.slug}/site`, { ...settings, contact })
    const { page, complaints, context } = await dashboard.open(board(), { as: owner })
    await page.getByRole('link', { name: 'Sam and Ines' }).click()
    await page.waitForURL(`**${pageOf(second)}`)
    await page.getByRole('heading', { level: 1, name: words.pageTitle('Sam and Ines', 'Ada') }).waitFor()
    await page.getByText(words.place(2, 2, 'Ada')).waitFor()
    await page.getByText('Yes, with a fence.').waitFor()
    expect(await page.getByRole('link', { name: '+44 20' }).getAttribute('href')).toBe('tel:+442079460958')
    expect(await page.getByRole('link', { name: '555 12/34' }).getAttribute('href')).toBe('tel:5551234')
    await storeShot(page, 'requests-phone', 'light', desk)
    await page
      .getByRole('region', { name: words.queue.title('Ada') })
      .getByRole('link', { name: 'Tom' })
      .waitFor()

    await page.getByLabel(words.notes.label).fill('Called twice.\nSounds good.')
    await press(page, words.notes.add)
    await page.getByText('Called twice.').waitFor()

    await press(page, words.moves.visit_set)
    await press(dialog(page), words.visit.action)
    await dialog(page).getByText(words.visit.needsTime).waitFor()
    await dialog(page).getByLabel(words.visit.at).fill('2020-11-23T11:00')
    await press(dialog(page), words.visit.action)
    await dialog(page).getByText(words.visit.isPast).waitFor()
    expect(await dialog(page).getByLabel(words.visit.place).inputValue()).toBe('12 Willow Street, Fieldwick')
    await dialog(page).getByLabel(words.visit.at).fill('2030-11-23T11:00')
    await press(dialog(page), words.visit.action)
    const visit = page.getByRole('region', { name: words.visit.title, exact: true })
    await visit.getByText('23 November 2030').waitFor()

    await press(page, words.hold.action('Ada'))
    await dialog(page).getByLabel(words.hold.days).fill('31')
    await press(dialog(page), words.hold.action('Ada'))
    await dialog(page).getByText(words.hold.needsDays).waitFor()
    await dialog(page).getByLabel(words.hold.days).fill('14')
    await press(dialog(page), words.hold.action('Ada'))
    await press(page, words.hold.releaseOf('Ada'))
    await page.getByText(words.hold.isNot('Ada')).waitFor()

    await press(page, words.moves.handed_over.shelter)
    await page.getByRole('heading', { level: 1 }).locator('..').getByText(stages.completed.shelter).waitFor()
    expect([await statusOf(first), (await requestOf(owner, first.order)).stage]).toEqual(['sold', 'closed'])
    const next = page.getByRole('region', { name: words.next })
    await saying(next, words.undoFor(60).replace('60', ANY)).waitFor()
    await press(next, words.undo)
    await page.getByText(words.place(2, 2, 'Ada')).waitFor()
    // One question, and it can be undone.
    await press(page, words.moves.declined)
    await dialog(page).getByRole('radio', { name: words.decline.reasons.not_a_match }).check()
    await press(dialog(page), words.decline.action)
    await next.getByText(words.decline.because(words.decline.reasons.not_a_match)).waitFor()
    await press(page, words.moves.reopened)
    await expect.poll(async () => (await requestOf(owner, second.order)).stage, patient).toBe('visit')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('of a request that does not exist says so', async () => {
    const { page, context } = await dashboard.open(`${board()}/987654`, { as: owner })
    await page.getByRole('heading', { name: common.notThere }).waitFor()
    await page.goto(`${dashboard.origin}${board()}/one`)
    await page.getByRole('heading', { name: common.notThere }).waitFor()
    await context.close()
  })

  test.each(['', '?show=closed', '/987654'])('is found at its former address: /orders%s', async (rest) => {
    const { page, context } = await dashboard.open(`/projects/${owner.slug}/orders${rest}`, { as: owner })
    await page.waitForURL(`${dashboard.origin}${board()}${rest}`)
    await context.close()
  })
})

test('Requests that have ended are listed with their stage, and can be reopened', async () => {
  const max = await asks('Marlow', 'Max')
  await move(max.order, 'declined')
  const { page, complaints, context } = await dashboard.open(`${board()}?show=closed`, { as: owner })
  await cardOf(page, 'Max').getByText(stages.declined, { exact: true }).waitFor()
  await choose(page, ['Marlow', 'Max'], words.moves.reopened)
  await cardOf(page, 'Max').waitFor({ state: 'detached' })
  expect((await requestOf(owner, max.order)).stage).toBe('new')
  expect(complaints).toEqual([])
  await context.close()
})

describe('marking an animal as adopted by hand', () => {
  const animalPage = ({ animal }: Asked) => `/projects/${owner.slug}/animals/${animal}`
  const mark = (page: Page) =>
    page.getByRole('radio', { name: texts.animals.statuses.shelter.sold }).click({ force: true })

  test('asks who took it, completes that request, and can be undone', async () => {
    const lea = await asks('Rosie', 'Lea')
    const jon = await asks(lea.animal, 'Jon')
    const { page, complaints, context } = await dashboard.open(animalPage(lea), { as: owner })
    await mark(page)
    await dialog(page)
      .getByRole('heading', { name: profiles.taker.title.shelter('Rosie') })
      .waitFor()
    expect(await statusOf(lea)).toBe('available')
    await dialog(page).getByRole('radio', { name: 'Jon' }).check()
    await press(dialog(page), profiles.taker.action.shelter)
    await undoInNotice(page).waitFor()
    const both = async () => [(await requestOf(owner, lea.order)).stage, (await requestOf(owner, jon.order)).stage]
    expect([await statusOf(lea), ...(await both())]).toEqual(['sold', 'closed', 'completed'])
    await undoInNotice(page).click()
    await alertOf(page, profiles.taker.undone).waitFor()
    expect([await statusOf(lea), ...(await both())]).toEqual(['available', 'new', 'new'])

    await page.reload()
    await mark(page)
    await dialog(page).getByRole('radio', { name: profiles.taker.other }).check()
    await press(dialog(page), profiles.taker.action.shelter)
    await alertOf(page, profiles.wasMarked('Rosie', texts.animals.statuses.shelter.sold)).waitFor()
    expect([await statusOf(lea), ...(await both())]).toEqual(['sold', 'closed', 'closed'])
    expect(complaints).toEqual([])
    await context.close()
  })
})

test('The settings say when a request holds its animal, and for how long', async () => {
  const { settings } = words
  const shop = await dashboard.makeOwner()
  const { page, complaints, context } = await dashboard.open(`/projects/${shop.slug}/settings/requests`, { as: shop })
  const rule = (name: keyof typeof settings.rules) => page.getByRole('radio', { name: settings.rules[name].label })
  await expect.poll(() => rule('on_approval').isChecked(), patient).toBe(true)
  await rule('on_first_request').check()
  await alertOf(page, settings.saved).first().waitFor()
  await page.getByLabel(settings.days).fill('0')
  await press(page, common.save)
  await page.getByText(settings.needsDays).waitFor()
  await page.getByLabel(settings.days).fill('10')
  await press(page, common.save)
  await page.getByRole('checkbox', { name: settings.showsCount }).check()
  const stored = () => shop.ask('GET', `/projects/${shop.slug}/request-settings`)
  await expect.poll(stored, patient).toEqual({ holdRule: 'on_first_request', holdDays: 10, showsRequestCount: true })
  const { order } = await askFor(dashboard.database, shop, 'Rex', { name: 'Ben', contact: 'ben@visitor.example' })
  expect(await requestOf(shop, order)).toMatchObject({ stage: 'new', isHolding: true })
  expect(complaints).toEqual([])
  await context.close()
})

describe('every screen of requests', () => {
  const narrow = { width: 320, height: 640 }
  const long = 'Averylongnameofsomething'
  let checked: BrowserOwner
  let asked: Asked

  beforeAll(async () => {
    checked = await dashboard.makeOwner({ plan: 'pro' })
    const at = (order: bigint) => `/projects/${checked.slug}/orders/${order}`
    const place = (animal: string | bigint, name: string, message = '') =>
      askFor(dashboard.database, checked, animal, { name, contact: `${long}@${long}.example`, message })
    asked = await place(`Animal ${long.repeat(9)}`, long.repeat(4), `${long.repeat(30)}\n\nWe have a garden.`)
    await place(asked.animal, 'Ana Lopez')
    const visit = { at: '2030-11-23T11:00:00Z', place: long.repeat(3) }
    await checked.ask('POST', `${at(asked.order)}/move`, { fact: 'visit_set', visit })
    await checked.ask('POST', `${at(asked.order)}/hold`, {})
    await checked.ask('POST', `${at(asked.order)}/notes`, { text: long.repeat(20) })
    const declined = await place('Rex', 'Ben')
    const decline = { reason: 'not_a_match', text: long.repeat(9) }
    await checked.ask('POST', `${at(declined.order)}/move`, { fact: 'declined', decline })
    await place('Biscuit', 'Kim', 'May I?')
  })

  test.each([
    ['light', narrow],
    ['dark', narrow],
  ] as const)('has no accessibility violation and fits the window, in %s mode at %j', async (scheme, size) => {
    const { page, complaints, context } = await dashboard.open(board(checked), { as: checked, scheme, size })
    const checkPage = async (name: string) => {
      await storeShot(page, `requests-${name}`, scheme, size)
      expect(await (scheme === 'light' ? findingsOn : contrastsOn)(page)).toEqual([])
      expect(await overflowOf(page)).toEqual([])
    }
    await cardOf(page, 'Ana Lopez').waitFor()
    await checkPage('board')
    await menuOf(page, 'Biscuit', 'Kim').click()
    await page.getByRole('menuitem', { name: words.moves.visit_set }).waitFor()
    await checkPage('menu')
    await page.getByRole('menuitem', { name: words.moves.visit_set }).click()
    await dialog(page).getByLabel(words.visit.at).waitFor()
    await checkPage('visit')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await choose(page, ['Biscuit', 'Kim'], words.moves.declined)
    await dialog(page).getByRole('radio', { name: words.decline.reasons.other }).waitFor()
    await checkPage('decline')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: words.views.closed, exact: true }).click()
    await cardOf(page, 'Ben').waitFor()
    await checkPage('closed')
    await page.goto(`${dashboard.origin}${pageOf(asked, checked)}`)
    await page.getByRole('region', { name: like(words.queue.title(ANY)) }).waitFor()
    await page.getByText(like(long.repeat(20))).waitFor()
    await checkPage('page')
    await page.goto(`${dashboard.origin}/projects/${checked.slug}/settings/requests`)
    await page.getByLabel(words.settings.days).waitFor()
    await checkPage('settings')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('is reported if a card has a link without a name (negative control)', async () => {
    const { page, context } = await dashboard.open(board(checked), { as: checked })
    await cardOf(page, 'Ana Lopez').waitFor()
    await page.evaluate(() => document.querySelector('.order-link')?.replaceChildren())
    expect((await barriersOn(page)).some((barrier) => barrier.startsWith('link-name: '))).toBe(true)
    await context.close()
  })
})
