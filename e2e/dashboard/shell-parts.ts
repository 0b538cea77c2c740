// What stands around the content of a page, such as its navigation, is the same on many pages. The sweep looks at each
// such part once: a part that differs by as little as the page that is marked as the current one is another part.

import type { Page } from 'playwright-core'

/** Selects the parts that an earlier page had. */
export const SEEN = '[data-seen]'

/** Marks the parts that are in `seen`, and adds the others. Returns how many it marked. */
export async function markSeenParts(page: Page, seen: Set<string>): Promise<number> {
  const parts = await page.evaluateHandle(partsAroundMain)
  const texts = await parts.evaluate((all) => all.map(({ text }) => text))
  const known = texts.map((text) => seen.has(text))
  for (const text of texts) seen.add(text)
  await parts.evaluate(
    (all, isSeen) => all.forEach(({ element }, index) => element.toggleAttribute('data-seen', isSeen[index])),
    known,
  )
  return known.filter(Boolean).length
}

/** Everything beside `main` and what contains it, with its HTML without the ids that React gives out. */
function partsAroundMain(): { element: Element; text: string }[] {
  const parts: Element[] = []
  for (
    let inner = document.querySelector('main') as Element | null;
    inner?.parentElement;
    inner = inner.parentElement
  ) {
    if (inner === document.body) break
    parts.push(...[...inner.parentElement.children].filter((part) => part !== inner))
  }
  return parts.map((element) => {
    const copy = element.cloneNode(true) as Element
    for (const part of [copy, ...copy.querySelectorAll('*')]) {
      for (const name of ['id', 'for', 'aria-describedby', 'aria-labelledby', 'aria-controls', 'aria-owns'])
        if (part.hasAttribute(name)) part.setAttribute(name, '')
    }
    return { element, text: copy.outerHTML }
  })
}
