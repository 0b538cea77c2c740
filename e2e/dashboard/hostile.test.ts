// Injection tests. Text from visitors, colleagues and nameservers is shown exactly as stored,
// on every page that shows it: none of it becomes markup, none of it is executed, and the
// content security policy of the page has nothing to block.

import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CatalogueEntry } from '../../dashboard/src/catalogue/entries.ts'
import * as texts from '../../dashboard/src/texts/texts.ts'
import * as pets from '../../server/src/animals/pet-queries.ts'
import { strangersDomain } from '../../testbed/catalogue/extremes.ts'
import { invitationSecret } from '../../testbed/harness/session.ts'
import { startCatalogue } from './catalogue-environment.ts'
import { startSeededProject, type SeededProject } from './seeded-project.ts'
import { hostileStrings } from './hostile-strings.ts'
import type { Opened } from './browser-environment.ts'

const { account, animals, common, keys, orders: inbox, site } = texts

let seeded: SeededProject
let visit: Opened
beforeAll(async () => {
  seeded = await startSeededProject()
  visit = await seeded.dashboard.open('/projects', { as: seeded.owner })
})
afterAll(async () => {
  process.stdout.write(`hostile: shown as stored, with 0 foreign elements: ${JSON.stringify(counts)}\n`)
  await seeded?.dashboard.close()
})
/** Number of strings shown, by kind. */
const counts: Record<string, number> = {}

const patient = { timeout: 60_000 }
const at = (path = '') => `/projects/${seeded.owner.slug}${path}`
const some = (count: number, from = 0) => hostileStrings.slice(from, from + count)

/** Elements and links that no page of the dashboard has, and that these strings would create if they were interpreted. */
const foreign = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const selector =
      'img:not([src^="/assets/"], [src^="/platform/v1/projects/"]), object, embed, math, marquee, video, audio, base, template, svg script, body link, body style, body meta, ' +
      'body script:not([src^="/assets/"]):not([type="application/json"]):not([type="module"]), iframe:not([sandbox=""]), ' +
      '[onerror], [onload], [onclick], [ontoggle], [onfocus], [srcdoc], [action]'
    const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href]')]
    return [
      ...[...document.querySelectorAll(selector)].map((element) => element.outerHTML.slice(0, 120)),
      ...links
        .filter(({ protocol }) => !['http:', 'https:', 'mailto:', 'tel:'].includes(protocol))
        .map(({ href }) => href),
      ...links.filter(({ hostname }) => hostname.includes('evil')).map(({ href }) => href),
    ]
  })

async function goTo(path: string): Promise<Page> {
  const { page } = visit
  await page.goto(`${seeded.dashboard.origin}${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

/** Each of `wanted` is the whole text of an element, as stored, and nothing else was created from them. */
async function isShown(places: Locator, wanted: readonly string[]): Promise<void> {
  const page = places.page()
  const shown = () =>
    places.evaluateAll((elements) =>
      elements.map((element) => (element instanceof HTMLInputElement ? element.value : element.textContent)),
    )
  await expect.poll(async () => missing(wanted, await shown()), patient).toEqual([])
  expect(await foreign(page)).toEqual([])
  expect(visit.complaints).toEqual([])
}

const missing = (wanted: readonly string[], shown: readonly (string | null)[]) => {
  const there = new Set(shown)
  return wanted.filter((text) => !there.has(text))
}

test('There are five hundred hostile strings', () => {
  expect(new Set(hostileStrings).size).toBe(500)
})

test('Hostile names of animals are shown as stored', async () => {
  const rows = hostileStrings.map((name) => ({
    project: seeded.project,
    pet: { name, categoryId: 1n, status: 'available' as const },
  }))
  await pets.insert(seeded.dashboard.database.run, rows)
  const page = await goTo(at('/animals'))
  const grid = page.getByRole('grid')
  await grid.waitFor()
  const seen = new Set<string>()
  await expect
    .poll(
      async () => {
        for (const name of await page.locator('.animal-name').allTextContents()) seen.add(name)
        await page.evaluate(() => window.scrollBy(0, window.innerHeight * 0.8))
        counts['names of animals'] = hostileStrings.filter((name) => seen.has(name)).length
        return hostileStrings.length - counts['names of animals']
      },
      { timeout: 60_000, interval: 30 },
    )
    .toBe(0)
  expect(await foreign(page)).toEqual([])
  expect(visit.complaints).toEqual([])
})

test('Hostile names of categories are shown as stored, in the filter and in the dialog', async () => {
  const names = some(100)
  for (const name of names) await seeded.owner.ask('POST', at('/categories'), { name })
  const page = await goTo(at('/animals'))
  await isShown(page.getByRole('combobox', { name: animals.category }).getByRole('option'), names)
  await page.getByRole('button', { name: animals.categories, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: animals.categoriesDialog.title })
  await dialog.getByRole('listitem').first().waitFor()
  expect(missing(names, await textsOn(page))).toEqual([])
  counts['categories'] = names.length
  expect([await foreign(page), visit.complaints]).toEqual([[], []])
})

test('Hostile requests of visitors are shown as stored, in every field', async () => {
  const page = await goTo(at('/requests'))
  const written: string[] = []
  for (let index = 0; index < 60; index += 1) {
    const [name = '', contact = ''] = [hostileStrings[index], hostileStrings[499 - index]]
    const message = some(8, index * 8).join('\n')
    written.push(message)
    const { id } = await seeded.owner.ask('POST', at('/animals'), { name, categoryId: 1 })
    await seeded.order(BigInt(Number(id)), { name, contact, message })
  }
  await page.reload()
  const more = page.getByRole('button', { name: common.more })
  const shown = page.getByRole('group', { name: inbox.boardLabel }).getByRole('listitem')
  const countShown = async () => {
    // The button may be gone by the time it is clicked.
    if (await more.isVisible()) await more.click({ timeout: 500 }).catch(() => {})
    return shown.count()
  }
  await expect.poll(countShown, patient).toBeGreaterThanOrEqual(written.length)
  await isShown(shown.locator('.order-begin'), written)
  await isShown(shown.locator('.order-link bdi'), some(60))
  counts['words of visitors'] = written.length * 8 + 60
  await goTo(at(''))
  expect(await foreign(page)).toEqual([])
})

test('Hostile labels of keys, notes of invitations and names of projects and people are shown as stored', async () => {
  const labels = some(100)
  for (const label of labels) await seeded.owner.ask('POST', at('/keys'), { label })
  const page = await goTo(at('/settings/keys'))
  await isShown(page.getByRole('list', { name: keys.listLabel }).getByRole('heading', { level: 2 }), labels)
  counts['labels of keys'] = labels.length
  // A new account invites ten people in a day, three of them elsewhere in this test.
  const notes = some(7, 100)
  const invited = { email: 'jonas@shop.example', role: 'viewer' }
  for (const note of notes) await seeded.owner.ask('POST', at('/invitations'), { ...invited, note })
  await goTo(at('/settings/members'))
  await expect.poll(async () => missing(notes, await textsOn(page)), patient).toEqual([])
  const secret = invitationSecret(await seeded.owner.ask('POST', at('/invitations'), invited))
  for (const name of some(6).concat(some(6, 130))) {
    await seeded.owner.ask('PATCH', '/account', { name })
    await seeded.owner.ask('PATCH', at(), { name })
    for (const path of [at('/settings/members'), at('')]) {
      await goTo(path)
      await expect.poll(async () => missing([name], await textsOn(page)), patient).toEqual([])
      expect(await foreign(page)).toEqual([])
    }
    await goTo(`/invitations#${secret}`)
    const lead = account.invitation.lead(name, name)
    await expect.poll(async () => missing([lead], await textsOn(page)), patient).toEqual([])
    expect(await foreign(page)).toEqual([])
  }
  counts['notes, and names of the project and a person'] = notes.length + 2 * 12
  await goTo(at('/activity'))
  expect(await foreign(page)).toEqual([])
  expect(visit.complaints).toEqual([])
})

/** Every text node of the page. */
const textsOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    while (walker.nextNode()) found.push(walker.currentNode.textContent ?? '')
    return found
  })

test('Hostile texts of the site are shown as stored, in the form, in the preview and between versions', async () => {
  const { version: _, hiddenCategories: __, ...settings } = await seeded.owner.ask('GET', at('/site'))
  const kept = ['title', 'tagline', 'about', 'themeColor', 'language', 'contact'].map((key) => [key, settings[key]])
  for (const from of [0, 40]) {
    const [title = '', tagline = '', , , address = ''] = some(5, from)
    const about = some(36, from + 5).join('\n\n')
    const contact = { email: '', phone: '', address }
    const { version } = await seeded.owner.ask('GET', at('/site'))
    const words = { title: title.slice(0, 80).trim(), tagline, about, contact }
    await seeded.owner.ask('PUT', at('/site'), { ...Object.fromEntries(kept), ...words, hiddenCategories: [], version })
    const page = await goTo(at('/site'))
    const field = page.getByRole('textbox', { name: site.fields.about, exact: true })
    await expect.poll(() => field.inputValue(), patient).toBe(about)
    await page.frameLocator('iframe').getByRole('heading', { level: 1 }).first().waitFor()
    const [preview] = page.frames().slice(-1)
    const inside = await preview?.evaluate(
      () => document.querySelectorAll('script, iframe, object, embed, [onerror], [onload]').length,
    )
    expect(inside).toBe(0)
    expect(await foreign(page)).toEqual([])
    await goTo(at('/site/history'))
    expect(await foreign(page)).toEqual([])
    counts['words of the site'] = from + 41
  }
  expect(visit.complaints).toEqual([])
})

test('Hostile DNS answers and record values are shown as stored, wherever a domain shows them', async () => {
  const catalogue = await startCatalogue()
  try {
    for (const from of [0, 250]) {
      const entries: CatalogueEntry[] = some(250, from).map((text, index) => ({
        name: String(index),
        domain: strangersDomain(Date.now(), text),
      }))
      const { page, complaints, context } = await catalogue.show('Strangers', entries)
      const shown = await page.evaluate(() =>
        [...document.querySelectorAll('[data-entry]')].map((entry) => ({
          answer: entry.querySelector('.evidence td:nth-child(3)')?.textContent,
          value: entry.querySelector('.record-fields td:nth-child(3) code')?.textContent,
        })),
      )
      expect(shown).toEqual(some(250, from).map((text) => ({ answer: text, value: text })))
      expect(await foreign(page)).toEqual([])
      expect(complaints).toEqual([])
      counts['answers and values of records'] = from + shown.length
      await context.close()
    }
  } finally {
    await catalogue.close()
  }
})

test('A page that interprets text as markup is reported (negative control)', async () => {
  const page = await visit.context.newPage()
  await page.goto('about:blank')
  await page.evaluate((strings) => {
    for (const text of strings) document.body.insertAdjacentHTML('beforeend', `<p>${text}</p>`)
  }, some(30))
  expect((await foreign(page)).length).toBeGreaterThan(10)
  expect(visit.complaints.some((complaint) => complaint.startsWith('dialog: 1'))).toBe(true)
  await page.close()
})
