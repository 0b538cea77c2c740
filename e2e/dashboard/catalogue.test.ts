// The catalogue shows a readable view of everything that the server can return for a domain:
// every status, every state of every axis, every cause of trouble, and every text that the
// corpus of zones has produced. The entries come from the server's own tables, so a cause
// that is added there is tested here automatically.

import type { Page } from 'playwright-core'
import { Domain, DomainRecord, domainStatuses } from '@petstore-platform/contract/platform/domain-shapes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Catalogue, CatalogueEntry, GroupName } from '../../dashboard/src/catalogue/entries.ts'
import { causeCodes } from '../../server/src/domains/causes/causes.ts'
import { catalogueAt } from '../../testbed/catalogue/catalogue.ts'
import { barriersIn, barriersOn } from '../accessibility.ts'
import { startCatalogue, type CatalogueEnvironment } from './catalogue-environment.ts'
import { entriesOn, isUnfilled, unfold, type PageCheck } from './page-checks.ts'
import { desk, overflowOf, phone } from './browser-environment.ts'
import { storeShot } from './display-variants.ts'

const catalogue: Catalogue = catalogueAt(Date.now())
const NARROWEST = { width: 320, height: 640 }
let environment: CatalogueEnvironment

beforeAll(async () => {
  environment = await startCatalogue()
})
afterAll(() => environment.close())

const wordsOf = (schema: unknown): string[] =>
  (schema as { enum: (string | null)[] }).enum.filter((word) => word !== null)
const axes = Domain.properties.axes.properties
/** The values in the contract. */
const known: Readonly<Record<'statuses' | 'axes' | 'causes', readonly string[]>> = {
  statuses: domainStatuses,
  axes: Object.entries(axes).flatMap(([axis, schema]) => wordsOf(schema).map((state) => `${axis} ${state}`)),
  causes: causeCodes,
}

const missingIn = (shown: readonly { name: string }[], wanted: readonly string[]): string[] =>
  wanted.filter((name) => !shown.some((entry) => entry.name === name))

/** The text without the markup for strong text and values. */
const plain = (advice: string): string => advice.replaceAll(/\*\*([^*]+)\*\*|`([^`]+)`/g, '$1$2')
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ')

/** Troubles of an entry whose advice is missing on the page. */
function missingTroubles(entry: CatalogueEntry, check: PageCheck | undefined): string[] {
  const troubles =
    'trouble' in entry
      ? [entry.trouble]
      : [entry.domain.rootCause, ...entry.domain.also].filter((trouble) => trouble !== null)
  return troubles
    .filter(({ code, advice }) => !check?.causes.some((cause) => isShown(cause, code, advice)))
    .map(({ code }) => `${entry.name}: ${code}`)
}

const isShown = (cause: string, code: string, advice: string): boolean =>
  cause.startsWith(`${code}: `) && flat(cause).includes(flat(plain(advice)))

describe('the catalogue', () => {
  test('contains every status, every state of an axis and every cause of the server', () => {
    for (const group of ['statuses', 'axes', 'causes'] as const) {
      expect([group, missingIn(catalogue[group], known[group])]).toEqual([group, []])
      expect(
        missingIn(
          known[group].map((name) => ({ name })),
          catalogue[group].map(({ name }) => name),
        ),
      ).toEqual([])
    }
    for (const { name, ...entry } of catalogue.statuses) expect('domain' in entry && entry.domain.status).toBe(name)
    expect(catalogue.told.length).toBeGreaterThan(190)
    // Negative control: a missing entry is reported.
    expect(missingIn(catalogue.causes.slice(1), known.causes)).toEqual([known.causes[0]])
    process.stdout.write(
      `catalogue: ${domainStatuses.length} statuses, ${known.axes.length} states of axes, ` +
        `${causeCodes.length} of ${catalogue.causes.length} causes, ${catalogue.told.length} texts of the corpus\n`,
    )
  })

  test('shows every text, without a style or a script that violates the content security policy', async () => {
    const all = Object.keys(catalogue) as GroupName[]
    const { page, complaints, context } = await environment.show(
      'Everything',
      all.flatMap((group) => catalogue[group]),
    )
    await unfold(page)
    const checks = new Map((await entriesOn(page)).map((check) => [check.name, check]))
    const entries = all.flatMap((group) => catalogue[group])
    expect(entries.flatMap((entry) => missingTroubles(entry, checks.get(entry.name)))).toEqual([])
    expect([...checks.values()].filter(({ text }) => isUnfilled(text)).map(({ name }) => name)).toEqual([])
    expect(checks.size).toBe(entries.length)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('has a distinct label for each status, each state of an axis, and each state and action of a record', async () => {
    const { page, context } = await environment.show('Words', [
      ...catalogue.statuses,
      ...catalogue.axes,
      ...catalogue.records,
    ])
    const badges = await Promise.all(domainStatuses.map((status) => wordIn(page, status, '.domain-badges .badge')))
    expect(new Set(badges).size).toBe(domainStatuses.length)
    for (const [index, axis] of ['routing', 'ownership', 'certificate'].entries()) {
      const states = known.axes.filter((name) => name.startsWith(`${axis} `))
      const step = `.progress-step:nth-child(${index + 1}) .small`
      const words = await Promise.all(states.map((state) => wordIn(page, state, step)))
      expect([axis, words.filter((word) => word.trim() === '')]).toEqual([axis, []])
      expect([axis, new Set(words).size]).toEqual([axis, states.length])
    }
    const changes = page.locator('[data-entry="every record"] .changes')
    const states = new Set(await changes.locator('.record-state').allInnerTexts())
    const actions = new Set(await changes.locator('.change-says strong').allInnerTexts())
    expect(states.size).toBe(wordsOf(DomainRecord.properties.state).length)
    expect(actions.size).toBe(wordsOf(DomainRecord.properties.action).length)
    await context.close()
  })

  test('fits a phone, in every entry', async () => {
    const all = Object.values(catalogue).flat()
    const { page, complaints, context } = await environment.show('Phone', all, { size: phone })
    await unfold(page)
    const tooWide = (await entriesOn(page)).filter((check) => check.tooWide.length > 0)
    expect(tooWide.map(({ name, tooWide: parts }) => `${name}: ${parts.join(' ')}`)).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })

  test.each(['light', 'dark'] as const)('has no accessibility violation in %s mode', async (scheme) => {
    // One of each kind of cause: to axe, the others differ only in their text.
    const kinds = new Map(catalogue.causes.map((entry) => ['domain' in entry && kindOf(entry.domain), entry]))
    const small = catalogue.extremes.filter(({ name }) => !name.startsWith('m'))
    const batches: Readonly<Record<string, readonly CatalogueEntry[]>> = {
      statuses: catalogue.statuses,
      causes: [...kinds.values()],
      extremes: [...catalogue.records, ...small],
      // These add only text and icons, in the same colours as the others.
      ...(scheme === 'light' && { axes: catalogue.axes }),
    }
    for (const [name, entries] of Object.entries(batches)) {
      const { page, complaints, context } = await environment.show(name, entries, { scheme, size: phone })
      await unfold(page)
      expect([name, await barriersIn(scheme, page), complaints]).toEqual([name, [], []])
      await context.close()
    }
  })
})

describe('the shared parts', () => {
  test('have no accessibility violation and fit, in light and dark mode, on a desk and on the narrowest phone', async () => {
    const { page, complaints, context } = await environment.showParts('Parts')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
      for (const size of [desk, NARROWEST]) {
        await page.setViewportSize(size)
        await storeShot(page, 'parts', colorScheme, size)
        expect([colorScheme, size.width, await overflowOf(page)]).toEqual([colorScheme, size.width, []])
        expect([colorScheme, size.width, await barriersIn(colorScheme, page)]).toEqual([colorScheme, size.width, []])
      }
    }
    await page.getByRole('button', { name: 'Open dialog' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).waitFor()
    expect(await barriersOn(page)).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('a defective entry (negative control)', () => {
  test('is reported: an unfilled placeholder, a missing text, a box that is too wide', async () => {
    const [first, second] = [catalogue.statuses[0], catalogue.causes[0]]
    if (!first || !second || !('domain' in first) || !('domain' in second)) throw new Error('no causes')
    const wrong: CatalogueEntry = {
      name: 'wrong',
      domain: { ...first.domain, provider: { id: 'x', name: 'undefined', dnsPage: null } },
    }
    const { page, context } = await environment.show('Wrong', [wrong, second], { size: phone })
    await unfold(page)
    await page.evaluate((name) => {
      const entry = document.querySelector(`[data-entry="${name}"]`)
      const box = document.createElement('div')
      box.style.width = '500px'
      box.textContent = 'a wide box'
      entry?.append(box)
      entry?.querySelector('[data-cause]')?.remove()
    }, second.name)
    const [check, other] = await entriesOn(page)
    expect(check && isUnfilled(check.text)).toBe(true)
    expect(other?.tooWide).not.toEqual([])
    expect(missingTroubles(second, other)).toEqual([`${second.name}: ${second.name}`])
    await context.close()
  })
})

const wordIn = (page: Page, entry: string, selector: string): Promise<string> =>
  page.locator(`[data-entry="${entry}"] ${selector}`).first().innerText()

const kindOf = ({ status, rootCause, also }: Domain): string =>
  [status, rootCause?.severity, rootCause?.actor, rootCause?.until !== null, also.length].join(' ')
