// The same page in every form in which people have it: in light and dark, on a desk and
// on a phone. With SHOTS=<folder> it is also kept as pictures.

import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { texts } from '../../dashboard/src/texts/texts.ts'
import { barriersOn } from '../sites-environment.ts'
import { desk, overflowOf, phone } from './browser-environment.ts'

type Form = readonly [colorScheme: 'light' | 'dark', size: typeof desk]

const everyForm: readonly Form[] = [
  ['light', desk],
  ['light', phone],
  ['dark', desk],
  ['dark', phone],
]
/** For states of a page that was seen in all forms already. */
export const twoForms: readonly Form[] = [
  ['light', desk],
  ['dark', phone],
]

export async function worksInEveryVariant(page: Page, name: string, forms = everyForm): Promise<void> {
  // Also behind a dialog.
  const main = page.getByRole('main', { includeHidden: true })
  await main.getByText(texts.common.loading).waitFor({ state: 'detached' })
  for (const [colorScheme, size] of forms) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(size)
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
    const shots = process.env['SHOTS']
    if (shots) await page.screenshot({ path: `${shots}/${name}-${colorScheme}-${size.width}.png`, fullPage: true })
    expect(await barriersOn(page)).toEqual([])
    expect(await overflowOf(page)).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(desk)
}
