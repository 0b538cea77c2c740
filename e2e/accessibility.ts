// What axe finds on a page, in its colour schemes. The contrast of text takes three quarters of its time, so of texts
// that look alike, one is checked: contrast-looks.ts.

import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { checkLooks } from './contrast-looks.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; impact: string | null; nodes: { html: string }[] }

/**
 * Waits until all finite animations have ended, so that no intermediate state is checked. Those that follow the scroll
 * position never end.
 */
export const settled = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    await frame()
    await frame()
    const ending = document
      .getAnimations()
      .filter(
        ({ effect, timeline }) => timeline === document.timeline && effect?.getComputedTiming().endTime !== Infinity,
      )
    // The browser may never run the animation of what it does not draw; that is no reason to wait for ever.
    const most = new Promise((resolve) => setTimeout(resolve, 5000))
    await Promise.race([most, Promise.allSettled(ending.map(({ finished }) => finished))])
  })

/** Serious and critical accessibility violations. */
export async function barriersOn(page: Page): Promise<string[]> {
  await prepare(page)
  const isSerious = ({ impact }: Violation) => impact === 'serious' || impact === 'critical'
  return [...(await violationsOn(page)).filter(isSerious).map(sentenceOf), ...(await newContrastsOn(page))]
}

/** Everything that axe finds by WCAG 2.2 AA and by best practice, whatever its impact; `without` selects what is left out. */
export async function findingsOn(page: Page, without?: string): Promise<string[]> {
  await prepare(page)
  return [...(await violationsOn(page, without)).map(sentenceOf), ...(await newContrastsOn(page, without))]
}

/** Of a page that was checked in another colour scheme: only colours differ. */
export async function contrastsOn(page: Page, without?: string): Promise<string[]> {
  await prepare(page)
  return newContrastsOn(page, without)
}

/** Those of a page in one of its colour schemes: in light mode all, in dark mode those of its colours. */
export const barriersIn = (scheme: 'light' | 'dark', page: Page): Promise<string[]> =>
  scheme === 'light' ? barriersOn(page) : contrastsOn(page)

/** The same, with what is less serious; `without` selects what is left out. */
export const findingsIn = (scheme: 'light' | 'dark', page: Page, without?: string): Promise<string[]> =>
  scheme === 'light' ? findingsOn(page, without) : contrastsOn(page, without)

// The size of targets is a criterion of WCAG 2.2, and not among the rules by default.
const rules = { 'target-size': { enabled: true }, 'color-contrast': { enabled: false } }
// What no result here needs: selectors of all elements, style sheets fetched once more, and answers of frames, which
// are pages of their own and have no axe.
const brief = { resultTypes: ['violations'], selectors: false, preload: false, iframes: false }

/** Looks of text whose contrast is high enough, on any page that this worker has checked. */
const sufficient = new Set<string>()

async function newContrastsOn(page: Page, without = 'no-part'): Promise<string[]> {
  const { faults, looks } = await page.evaluate(checkLooks, { sufficient: [...sufficient], without, options: brief })
  for (const look of looks) sufficient.add(look)
  return faults
}

async function violationsOn(page: Page, without?: string): Promise<Violation[]> {
  const context = without === undefined ? '' : `${JSON.stringify({ exclude: [without] })}, `
  const run = `axe.run(${context}${JSON.stringify({ ...brief, rules })})`
  const { violations } = await page.evaluate<{ violations: Violation[] }>(run)
  return violations
}

async function prepare(page: Page): Promise<void> {
  await settled(page)
  // Evaluated by the browser, so the page's content security policy does not apply.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe)
}

const sentenceOf = ({ id, nodes }: Violation) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`
