// Keyboard accessibility of a page. A script in the page records which elements receive focus
// and whether the focus is visible; Tab is pressed as often as there are focusable elements,
// and elements that were never reached are reported.

import type { Locator, Page } from 'playwright-core'
import { findingsOn } from '../accessibility.ts'
import { SEEN } from './shell-parts.ts'

export type Walk = {
  /** Number of elements that received focus. */
  reached: number
  missed: string[]
  /** Elements whose focus was not visible. */
  unseen: string[]
  /** Elements with a click handler that the keyboard cannot reach. */
  mouseOnly: string[]
}

type Watch = {
  elements: () => HTMLElement[]
  visited: WeakSet<Element>
  unseen: Set<string>
  nameOf: (element: Element) => string
}
declare global {
  interface Window {
    watchedFocus?: Watch
  }
}

/** From the start of the page; from that of `main`, and only there, if an earlier page had everything around it. */
export async function walkByKeyboard(page: Page): Promise<Walk> {
  const isAllSeen = await page.evaluate(isEverythingSeen, SEEN)
  const seen = isAllSeen ? SEEN : 'no-part'
  let left = await page.evaluate(watchFocus, seen)
  const all = left
  // Further rounds, because elements may have appeared in the meantime.
  for (let round = 0; round < 3 && left > 0; round += 1) {
    if (isAllSeen) await page.evaluate(() => document.querySelector('main')?.focus())
    for (let step = 0; step < all + 4; step += 1) await page.keyboard.press('Tab')
    left = await page.evaluate(() => {
      const watch = window.watchedFocus
      return watch ? watch.elements().filter((element) => !watch.visited.has(element)).length : 0
    })
  }
  return page.evaluate(result, seen)
}

/** Of what can have the focus around `main`; false if there is nothing. */
function isEverythingSeen(seen: string): boolean {
  const around = [...document.querySelectorAll('a[href], button, input, [tabindex]')].filter(
    (element) => element.closest('main') === null,
  )
  return around.length > 0 && around.every((element) => element.closest(seen) !== null)
}

function watchFocus(seen: string): number {
  // A frame itself is not focusable: its contents are.
  const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]'
  const nameOf = (element: Element) => {
    const name = element.getAttribute('aria-label') ?? (element.textContent?.trim() || element.getAttribute('name'))
    return `${element.tagName.toLowerCase()} ${(name ?? '').slice(0, 50)}`
  }
  const isFocusable = (element: HTMLElement) =>
    element.tabIndex >= 0 &&
    element.closest(seen) === null &&
    !element.matches(':disabled, [inert] *, [aria-hidden="true"] *') &&
    element.checkVisibility({ visibilityProperty: true }) &&
    element.getBoundingClientRect().width > 0 &&
    // Tab reaches one radio button of a group; the arrow keys reach the others.
    !(element instanceof HTMLInputElement && element.type === 'radio' && !isFirstOfGroup(element))
  const isFirstOfGroup = (radio: HTMLInputElement) => {
    const group = [
      ...document.querySelectorAll<HTMLInputElement>(`input[type=radio][name="${CSS.escape(radio.name)}"]`),
    ]
    return (group.find(({ checked }) => checked) ?? group[0]) === radio
  }
  const styleOf = (element: Element) =>
    [element, element.parentElement, element.nextElementSibling].map((part) => {
      if (!part) return ''
      const style = getComputedStyle(part)
      const outline = style.outlineStyle === 'none' ? '' : `${style.outlineWidth} ${style.outlineColor}`
      return [outline, style.boxShadow, style.borderColor, style.backgroundColor, style.clipPath].join('|')
    })
  const elements = () => [...document.querySelectorAll<HTMLElement>(focusable)].filter(isFocusable)
  const before = new WeakMap(elements().map((element) => [element, styleOf(element).join()] as const))
  const watch = { elements, visited: new WeakSet<Element>(), unseen: new Set<string>(), nameOf }
  const focused = document.activeElement
  if (focused instanceof HTMLElement && focused !== document.body) focused.blur()
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    watch.visited.add(target)
    // Finish transitions, so that the focus style is complete.
    for (const part of [target, target.parentElement, target.nextElementSibling]) {
      if (!part) continue
      getComputedStyle(part).getPropertyValue('border-color')
      for (const animation of part.getAnimations()) animation.finish()
    }
    const unfocused = before.get(target)
    if (unfocused !== undefined && unfocused === styleOf(target).join()) watch.unseen.add(nameOf(target))
  })
  window.watchedFocus = watch
  return elements().length
}

function result(seen: string): Walk {
  const watch = window.watchedFocus
  if (!watch) throw new Error('nobody watched')
  const { elements, visited, unseen, nameOf } = watch
  const isReachable = (element: Element) =>
    element.closest('a[href], button, input, select, textarea, summary, label, [tabindex="0"]') !== null
  const action = (element: Element) => {
    const keys = Object.keys(element)
    // The root where React listens for events of all elements.
    if (keys.some((name) => /^(__reactContainer\$|_reactListening)/.test(name))) return false
    const key = keys.find((name) => name.startsWith('__reactProps$'))
    const props = key === undefined ? {} : (element as unknown as Record<string, Record<string, unknown>>)[key]
    return (element as HTMLElement).onclick !== null || typeof props?.['onClick'] === 'function'
  }
  const now = elements()
  return {
    reached: now.filter((element) => visited.has(element)).length,
    missed: now.filter((element) => !visited.has(element)).map(nameOf),
    unseen: [...unseen],
    mouseOnly: [...document.querySelectorAll('body *')]
      .filter((element) => element.closest(seen) === null && action(element) && !isReachable(element))
      .map(nameOf),
  }
}

/** Opens the menu or dialog by keyboard. A dialog must keep focus inside, and Escape must close it and return focus. Returns what is wrong. */
export async function faultsOfOpening(page: Page, button: string | RegExp, role: 'menu' | 'dialog'): Promise<string[]> {
  const opener = page.getByRole('button', { name: button }).first()
  const faults: string[] = []
  await opener.focus()
  await page.keyboard.press('Enter')
  const opened = page.getByRole(role).first()
  await opened.waitFor()
  const isInside = () => opened.evaluate((element) => element.contains(document.activeElement))
  await hasKeyboard(page, role)
  // What is behind it was checked before.
  faults.push(...(await findingsOn(page, '#root')).map((finding) => `${String(button)}: ${finding}`))
  if (role === 'dialog') {
    for (let step = 0; step < 12; step += 1) {
      await page.keyboard.press('Tab')
      if (!(await isInside())) faults.push(`${String(button)}: focus left the dialog`)
    }
  }
  await page.keyboard.press('Escape')
  faults.push(...(await faultsOfReturning(opener, opened, String(button))))
  if (role === 'menu') return faults

  // While dialogs fade in and out, Escape can be pressed before the dialog has focus.
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await opener.focus()
  const isLeft = await page.evaluateHandle(leaveAtOnce)
  await page.keyboard.press('Enter')
  await isLeft.evaluate(({ left }) => left)
  faults.push(...(await faultsOfReturning(opener, opened, `${String(button)}, left at once`)))
  return faults
}

/** Waits until the menu or dialog has focus, which is a moment after it appears. */
export const hasKeyboard = (page: Page, role: 'menu' | 'dialog') =>
  page.waitForFunction((name) => document.querySelector(`[role=${name}]`)?.contains(document.activeElement), role)

async function faultsOfReturning(opener: Locator, opened: Locator, name: string): Promise<string[]> {
  const faults: string[] = []
  await opened
    .waitFor({ state: 'detached', timeout: 30_000 })
    .catch(() => faults.push(`${name}: Escape does not close`))
  await opener
    .page()
    .waitForFunction((element) => element === document.activeElement, await opener.elementHandle(), { timeout: 30_000 })
    .catch(() => faults.push(`${name}: focus does not return`))
  return faults
}

/** Presses Escape as soon as a dialog is in the page, before anything else can happen. */
function leaveAtOnce(): { left: Promise<void> } {
  const { promise: left, resolve } = Promise.withResolvers<void>()
  const watch = new MutationObserver(() => {
    if (!document.querySelector('[role=dialog]')) return
    watch.disconnect()
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    resolve()
  })
  watch.observe(document.body, { childList: true, subtree: true })
  return { left }
}
