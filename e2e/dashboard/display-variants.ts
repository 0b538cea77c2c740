// Display variants of a page: light and dark mode, on desktop and phone. With SHOTS=<folder>,
// a screenshot of each variant is stored.

import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import * as texts from '../../dashboard/src/texts/texts.ts'
import { barriersOn } from '../sites-environment.ts'
import { desk, overflowOf, phone } from './browser-environment.ts'

type Form = readonly [colorScheme: 'light' | 'dark', size: typeof desk]

const everyForm: readonly Form[] = [
  ['light', desk],
  ['light', phone],
  ['dark', desk],
  ['dark', phone],
]
/** For further states of a page that was already checked in all variants. */
export const twoForms: readonly Form[] = [
  ['light', desk],
  ['dark', phone],
]

/** Only with SHOTS=<folder>: for people to look at. */
export async function storeShot(page: Page, name: string, ...[colorScheme, { width }]: Form): Promise<void> {
  const shots = process.env['SHOTS']
  if (shots) await page.screenshot({ path: `${shots}/${name}-${colorScheme}-${width}.png`, fullPage: true })
}

export async function worksInEveryVariant(page: Page, name: string, forms = everyForm): Promise<void> {
  // Even behind a dialog.
  const main = page.getByRole('main', { includeHidden: true })
  // Of several the first, until there is none.
  await main.getByText(texts.common.loading).first().waitFor({ state: 'detached' })
  for (const [colorScheme, size] of forms) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(size)
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
    await storeShot(page, name, colorScheme, size)
    expect(await barriersOn(page)).toEqual([])
    expect(await overflowOf(page)).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(desk)
}
