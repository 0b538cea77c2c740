// Accessibility of what the sweep does not meet: notices, and pages whose requests fail. Each is checked in light and
// dark mode, on desktop and phone, with everything that axe knows.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as texts from '../../dashboard/src/texts/texts.ts'
import { refusals } from '@petstore-platform/contract/errors'
import { findingsOn } from '../accessibility.ts'
import { faultsInEveryVariant } from './display-variants.ts'
import { hasKeyboard } from './keyboard.ts'
import { startSeededProject, WAITING, type SeededProject } from './seeded-project.ts'
import { alertOf, press } from './text-patterns.ts'
import type { Opened } from './browser-environment.ts'

const { account, animals, common, domains } = texts

let seeded: SeededProject
let visit: Opened
beforeAll(async () => {
  seeded = await startSeededProject()
  visit = await seeded.dashboard.open('/projects', { as: seeded.owner })
})
afterAll(() => seeded?.dashboard.close())

const at = (path = '') => `/projects/${seeded.owner.slug}${path}`

async function goTo(path: string): Promise<Page> {
  const page = await visit.context.newPage()
  await page.goto(`${seeded.dashboard.origin}${path}`)
  return page
}

const { status, message } = refusals.internal_error
/** Of the API, the requests whose path ends like this fail. */
const failing = (page: Page, path: string) =>
  page.route(
    ({ pathname }) => pathname.startsWith('/platform/') && pathname.endsWith(path),
    (route) => route.fulfill({ status, json: { code: 'internal_error', message, status } }),
  )

/** A notice that closes after a while stays while the mouse is on it, in every size of the window. */
const faultsWithNotice = (page: Page, name: string, text: string) =>
  faultsInEveryVariant(page, name, { prepare: () => alertOf(page, text).hover() })

describe('a notice has no finding', () => {
  test('after something that can be undone, and after undoing it has failed', async () => {
    const page = await goTo(at('/animals'))
    await page.getByRole('row', { name: 'Bella' }).getByRole('checkbox').click()
    await press(page.getByRole('group', { name: animals.bulk.mark }), animals.statuses.shop.pending)
    await press(page.getByRole('dialog'), animals.bulk.action)
    const done = animals.bulk.done(1, animals.statuses.shop.pending)
    await alertOf(page, done).getByRole('button', { name: common.undo }).waitFor()
    expect(await faultsWithNotice(page, 'toast-undo', done)).toEqual({})
    await failing(page, '/animals/statuses')
    await alertOf(page, done).getByRole('button', { name: common.undo }).click()
    await alertOf(page, common.notDone).waitFor()
    expect(await faultsWithNotice(page, 'toast-undo-failed', message)).toEqual({})
    await page.close()
  })

  test('on the page of a domain, where the menu could not do it', async () => {
    const page = await goTo(at(`/settings/domains/${WAITING}`))
    await failing(page, '/primary')
    await press(page, domains.page.menu(WAITING))
    await page.getByRole('menuitem', { name: domains.page.makePrimary }).click()
    expect(await faultsWithNotice(page, 'toast-domain-failed', common.notDone)).toEqual({})
    await page.close()
  })

  test('on the account page, which is saved and then not', async () => {
    const page = await goTo('/account')
    const part = page.getByRole('region', { name: account.name.title, exact: true })
    await part.getByRole('textbox').fill('Mia M')
    await press(part, common.save)
    expect(await faultsWithNotice(page, 'toast-saved', account.name.saved)).toEqual({})
    await failing(page, '/account')
    await part.getByRole('textbox').fill('Mia')
    await press(part, common.save)
    expect(await faultsWithNotice(page, 'toast-not-saved', message)).toEqual({})
    await page.close()
  })
})

describe('a page has no finding', () => {
  test.each([
    ['home', '', '/overview'],
    ['animals', '/animals', '/animals'],
    ['requests', '/requests', '/orders'],
    ['domains', '/settings/domains', '/domains'],
    ['domain', `/settings/domains/${WAITING}`, `/domains/${WAITING}`],
    ['site', '/site', '/site'],
    ['activity', '/activity', '/audit'],
    ['members', '/settings/members', '/members'],
  ])('whose request fails: %s', async (name, path, request) => {
    const page = await visit.context.newPage()
    await failing(page, request)
    await page.goto(`${seeded.dashboard.origin}${at(path)}`)
    await page.getByRole('alert').getByText(message).first().waitFor()
    expect(await faultsInEveryVariant(page, `failed-${name}`)).toEqual({})
    await page.close()
  })

  test('of a project that cannot be loaded, and of one that is not there', async () => {
    const page = await visit.context.newPage()
    await failing(page, seeded.owner.slug)
    await page.goto(`${seeded.dashboard.origin}${at()}`)
    await page.getByRole('alert').getByText(message).waitFor()
    expect(await faultsInEveryVariant(page, 'failed-project')).toEqual({})
    await page.goto(`${seeded.dashboard.origin}/projects/none-of-this-name`)
    await page.getByRole('heading', { level: 1, name: common.notThere }).waitFor()
    expect(await faultsInEveryVariant(page, 'not-there')).toEqual({})
    await page.close()
  })

  test('without an answer of the server, at first and in between', async () => {
    const page = await goTo(at('/requests'))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.route('**/platform/**', (route) => route.abort())
    await page.getByRole('link', { name: texts.orders.views.closed, exact: true }).click()
    await page.getByText(common.offline).waitFor()
    expect(await faultsInEveryVariant(page, 'offline')).toEqual({})
    await page.reload()
    await page.getByText(common.offline).waitFor()
    expect(await faultsInEveryVariant(page, 'offline-at-first')).toEqual({})
    await page.close()
  })
})

test('a defective notice, error or menu is reported (negative control)', async () => {
  const { page } = visit
  await press(page, 'Mia')
  await hasKeyboard(page, 'menu')
  await page.evaluate(() => {
    const menu = document.querySelector('[role=menu]')
    menu?.append(Object.assign(document.createElement('div'), { role: 'article', textContent: 'no entry of a menu' }))
    document.body.append(Object.assign(document.createElement('p'), { textContent: 'in no landmark' }))
    const notice = Object.assign(document.createElement('div'), { role: 'alert' })
    notice.append(document.createElement('button'))
    document.body.append(notice)
  })
  const found = (await findingsOn(page)).join('\n')
  for (const rule of ['aria-required-children', 'region', 'button-name']) expect(found).toContain(`${rule}: `)
})
