// What is wrong with a page, or with a part of it, as a machine can see it. Every test
// that uses one of these shows once that it finds out a page which is wrong.

import type { Page } from 'playwright-core'

/** Words that mean a value is missing, or that nobody filled in. A stranger may write them; we may not. */
const unfilled = /\bundefined\b|\bnull\b|\bNaN\b|\[object|\{\w+\}|Invalid Date/

export type PageCheck = { name: string; text: string; causes: string[]; tooWide: string[] }

/** Each entry of the catalogue: what it says, which causes it names, and what stands out of the window. */
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

/** Everything that is folded away is part of it too. */
export const unfold = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const fold of document.querySelectorAll('details')) fold.open = true
  })
