// Automatic checks of a page or a part of it. Every test that uses one of these has a negative
// control with a defective page.

import type { Locator, Page } from 'playwright-core'

/** Text that indicates a missing value or an unfilled placeholder. Users may write it; the dashboard may not. */
const unfilled = /\bundefined\b|\bnull\b|\bNaN\b|\[object|\{\w+\}|Invalid Date/

export type PageCheck = { name: string; text: string; causes: string[]; tooWide: string[] }

/** Each entry of the catalogue: its text, its causes, and its elements that exceed the window. */
export const entriesOn = (page: Page): Promise<PageCheck[]> =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth
    const isTooWide = (element: Element) => {
      const box = element.getBoundingClientRect()
      return box.width > 0 && (box.right > width + 1 || box.left < -1)
    }
    return [...document.querySelectorAll<HTMLElement>('[data-entry]')].map((entry) => ({
      name: entry.dataset['entry'] ?? '',
      text: entry.innerText,
      causes: [...entry.querySelectorAll<HTMLElement>('[data-cause]')].map(
        (element) => `${element.dataset['cause']}: ${element.innerText}`,
      ),
      tooWide: [...entry.querySelectorAll('*')]
        .filter((element) => isTooWide(element) && getComputedStyle(element).position !== 'absolute')
        .map((element) => `${element.tagName.toLowerCase()}.${element.className}`)
        .slice(0, 3),
    }))
  })

export const isUnfilled = (text: string): boolean => unfilled.test(text)

/** Opens all collapsed sections, which belong to the page too. */
export const unfold = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const fold of document.querySelectorAll('details')) fold.open = true
  })

export async function isBelow(target: Locator, other: Locator): Promise<boolean> {
  const [one, two] = await Promise.all([target.boundingBox(), other.boundingBox()])
  return one !== null && two !== null && one.y >= two.y + two.height
}
