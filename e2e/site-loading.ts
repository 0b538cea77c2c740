// How a page of a site loads on a slow line with a cold cache: when its largest part is painted, and how much of it
// moves on the way. Waits for what the browser reports, never for a time.

import type { Page } from 'playwright-core'

/** 1.6 Mbit/s down, 0.75 up, 150 ms: the slow line of Lighthouse. A new context has a cold cache. */
export async function onSlowLine(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 750_000 / 8,
  })
}

/** Where a new context would have to sign in again. */
export async function withColdCache(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
}

/** In milliseconds since the navigation, after all that is visible at first has been loaded. */
export const largestPaint = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Infinity)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        })
      }),
  )

export type Shift = { sum: number; moved: string[] }

/**
 * The sum of all shifts, and what moved, after every picture down to the end of the page has been loaded and drawn. The
 * browser keeps them from the first frame on.
 */
export const cumulativeShift = (page: Page): Promise<Shift> =>
  page.evaluate(async () => {
    type Entry = { value: number; sources: { node: Node | null }[] }
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    for (const image of document.images) image.scrollIntoView({ behavior: 'instant' })
    await Promise.allSettled([...document.images].map((image) => image.decode()))
    await document.fonts.ready
    scrollTo({ top: 0, behavior: 'instant' })
    await frame()
    await frame()
    const observer = new PerformanceObserver(() => {})
    observer.observe({ type: 'layout-shift', buffered: true })
    const entries = observer.takeRecords() as unknown as Entry[]
    observer.disconnect()
    const nameOf = (node: Node | null) => (node instanceof Element ? `${node.tagName} ${node.className}` : 'text')
    return {
      sum: entries.reduce((sum, { value }) => sum + value, 0),
      moved: [...new Set(entries.flatMap(({ sources }) => sources.map(({ node }) => nameOf(node))))],
    }
  })
