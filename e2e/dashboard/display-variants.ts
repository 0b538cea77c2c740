// Display variants of a page: light and dark mode, on desktop and phone. With SHOTS=<folder>,
// a screenshot of each variant is stored, and with MEDIA=1 those of media-shots.ts.

import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import * as texts from '../../dashboard/src/texts/texts.ts'
import { storeMediaShots } from '../media-shots.ts'
import { barriersOn, findingsIn } from '../accessibility.ts'
import { desk, overflowOf, phone } from './browser-environment.ts'

type Form = readonly [colorScheme: 'light' | 'dark', size: typeof desk]

const everyForm: readonly Form[] = [
  ['light', desk],
  ['light', phone],
  ['dark', desk],
  ['dark', phone],
]
/** Both modes and both sizes: for the states of a page, which sweep.test.ts checks in all variants. */
export const twoForms: readonly Form[] = [
  ['light', desk],
  ['dark', phone],
]

/** Only with SHOTS=<folder>: for people to look at. */
export async function storeShot(page: Page, name: string, ...[colorScheme, { width }]: Form): Promise<void> {
  const shots = process.env['SHOTS']
  if (shots) await page.screenshot({ path: `${shots}/${name}-${colorScheme}-${width}.png`, fullPage: true })
}

/**
 * Everything that axe finds in the variants of a page, and what is wider than the window; empty if nothing. Between
 * light and dark, only colours differ. `prepare` runs before each variant, as for something that closes after a while;
 * `without` selects what axe leaves out.
 */
export async function faultsInEveryVariant(
  page: Page,
  name: string,
  { prepare = async () => {}, without }: { prepare?: () => Promise<unknown>; without?: string } = {},
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const [colorScheme, size] of everyForm) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(size)
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
    await prepare()
    await storeShot(page, name, colorScheme, size)
    const tooWide = await overflowOf(page)
    if (tooWide.length > 0) found[`${colorScheme} ${size.width} too wide`] = tooWide
    const findings = await findingsIn(colorScheme, page, without)
    if (findings.length > 0) found[`${colorScheme} ${size.width} axe`] = findings
  }
  await page.setViewportSize(desk)
  await storeMediaShots(page, name)
  return found
}

export async function worksInEveryVariant(page: Page, name: string, forms = twoForms): Promise<void> {
  // Even behind a dialog.
  const main = page.getByRole('main', { includeHidden: true })
  // Of several the first, until there is none.
  await main.getByText(texts.common.loading).first().waitFor({ state: 'detached' })
  for (const [colorScheme, size] of forms) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(size)
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
    await storeShot(page, name, colorScheme, size)
    expect(await uncoveredBarriersOn(page, size)).toEqual([])
    expect(await overflowOf(page)).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(desk)
}

/** The bar of a phone covers what is below it until a person scrolls: in a window as high as the page, nothing. */
async function uncoveredBarriersOn(page: Page, { width }: typeof desk): Promise<string[]> {
  const found = await barriersOn(page)
  if (found.length === 0) return found
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height })
  return barriersOn(page)
}
