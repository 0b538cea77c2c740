// Whether a page can be used without a mouse. A watcher in the page writes down where focus
// comes to and whether that can be seen; the Tab key is pressed as often as there are
// places to come to, and what was never reached is named.

import type { Locator, Page } from 'playwright-core'

export type Walk = {
  /** Places that focus came to. */
  reached: number
  missed: string[]
  /** Focus was there, and looked as if it were not. */
  unseen: string[]
  /** Does something when clicked, and cannot be reached with keys. */
  mouseOnly: string[]
}

type Watch = {
  places: () => HTMLElement[]
  visited: WeakSet<Element>
  unseen: Set<string>
  nameOf: (element: Element) => string
}
declare global {
  interface Window {
    watchedFocus?: Watch
  }
}

export async function walkByKeyboard(page: Page): Promise<Walk> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  let left = await page.evaluate(watchFocus)
  const all = left
  // A second round: what opened on the way is part of it too.
  for (let round = 0; round < 3 && left > 0; round += 1) {
    for (let step = 0; step < all + 4; step += 1) await page.keyboard.press('Tab')
    left = await page.evaluate(() => {
      const watch = window.watchedFocus
      return watch ? watch.places().filter((place) => !watch.visited.has(place)).length : 0
    })
  }
  return page.evaluate(result)
}

function watchFocus(): number {
  // A frame is no place by itself: what can be done in it is.
  const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]'
  const nameOf = (element: Element) => {
    const name = element.getAttribute('aria-label') ?? (element.textContent?.trim() || element.getAttribute('name'))
    return `${element.tagName.toLowerCase()} ${(name ?? '').slice(0, 50)}`
  }
  const isPlace = (element: HTMLElement) =>
    element.tabIndex >= 0 &&
    !element.matches(':disabled, [inert] *, [aria-hidden="true"] *') &&
    element.checkVisibility({ visibilityProperty: true }) &&
    element.getBoundingClientRect().width > 0 &&
    // Of radio buttons the Tab key knows one; arrows lead to the others.
    !(element instanceof HTMLInputElement && element.type === 'radio' && !isFirstOfGroup(element))
  const isFirstOfGroup = (radio: HTMLInputElement) => {
    const group = [
      ...document.querySelectorAll<HTMLInputElement>(`input[type=radio][name="${CSS.escape(radio.name)}"]`),
    ]
    return (group.find(({ checked }) => checked) ?? group[0]) === radio
  }
  const lookOf = (element: Element) =>
    [element, element.parentElement, element.nextElementSibling].map((part) => {
      if (!part) return ''
      const style = getComputedStyle(part)
      const outline = style.outlineStyle === 'none' ? '' : `${style.outlineWidth} ${style.outlineColor}`
      return [outline, style.boxShadow, style.borderColor, style.backgroundColor, style.clipPath].join('|')
    })
  const places = () => [...document.querySelectorAll<HTMLElement>(focusable)].filter(isPlace)
  const before = new WeakMap(places().map((place) => [place, lookOf(place).join()] as const))
  const watch = { places, visited: new WeakSet<Element>(), unseen: new Set<string>(), nameOf }
  const focused = document.activeElement
  if (focused instanceof HTMLElement && focused !== document.body) focused.blur()
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    watch.visited.add(target)
    // What fades in is seen as soon as it is there.
    for (const part of [target, target.parentElement, target.nextElementSibling]) {
      if (!part) continue
      getComputedStyle(part).getPropertyValue('border-color')
      for (const animation of part.getAnimations()) animation.finish()
    }
    const look = before.get(target)
    if (look !== undefined && look === lookOf(target).join()) watch.unseen.add(nameOf(target))
  })
  window.watchedFocus = watch
  return places().length
}

function result(): Walk {
  const watch = window.watchedFocus
  if (!watch) throw new Error('nobody watched')
  const { places, visited, unseen, nameOf } = watch
  const isReachable = (element: Element) =>
    element.closest('a[href], button, input, select, textarea, summary, label, [tabindex="0"]') !== null
  const does = (element: Element) => {
    const keys = Object.keys(element)
    // Where React listens for all that is inside.
    if (keys.some((name) => /^(__reactContainer\$|_reactListening)/.test(name))) return false
    const key = keys.find((name) => name.startsWith('__reactProps$'))
    const props = key === undefined ? {} : (element as unknown as Record<string, Record<string, unknown>>)[key]
    return (element as HTMLElement).onclick !== null || typeof props?.['onClick'] === 'function'
  }
  const now = places()
  return {
    reached: now.filter((place) => visited.has(place)).length,
    missed: now.filter((place) => !visited.has(place)).map(nameOf),
    unseen: [...unseen],
    mouseOnly: [...document.querySelectorAll('body *')]
      .filter((element) => does(element) && !isReachable(element))
      .map(nameOf),
  }
}

/** Presses the button with keys; what opens keeps focus inside, and Escape closes it and leads back. Else what is wrong. */
export async function faultsOfOpening(page: Page, button: string | RegExp, role: 'menu' | 'dialog'): Promise<string[]> {
  const opener = page.getByRole('button', { name: button }).first()
  const faults: string[] = []
  await opener.focus()
  await page.keyboard.press('Enter')
  const opened = page.getByRole(role).first()
  await opened.waitFor()
  const isInside = () => opened.evaluate((element) => element.contains(document.activeElement))
  await hasKeyboard(page, role)
  if (role === 'dialog') {
    for (let step = 0; step < 12; step += 1) {
      await page.keyboard.press('Tab')
      if (!(await isInside())) faults.push(`${String(button)}: focus left the dialog`)
    }
  }
  await page.keyboard.press('Escape')
  faults.push(...(await faultsOfReturning(opener, opened, String(button))))
  if (role === 'menu') return faults

  // While dialogs fade in and out, Escape can come before the dialog has taken the keyboard.
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await opener.focus()
  const isLeft = await page.evaluateHandle(leaveAtOnce)
  await page.keyboard.press('Enter')
  await isLeft.evaluate(({ left }) => left)
  faults.push(...(await faultsOfReturning(opener, opened, `${String(button)}, left at once`)))
  return faults
}

/** When what has opened has taken the keyboard, which is a moment after it is there. */
export const hasKeyboard = (page: Page, role: 'menu' | 'dialog') =>
  page.waitForFunction((name) => document.querySelector(`[role=${name}]`)?.contains(document.activeElement), role)

async function faultsOfReturning(opener: Locator, opened: Locator, name: string): Promise<string[]> {
  const faults: string[] = []
  await opened.waitFor({ state: 'detached', timeout: 5000 }).catch(() => faults.push(`${name}: Escape does not close`))
  await opener
    .page()
    .waitForFunction((element) => element === document.activeElement, await opener.elementHandle(), { timeout: 5000 })
    .catch(() => faults.push(`${name}: focus does not return`))
  return faults
}

/** Presses Escape as soon as a dialog is in the page, before anything else can happen there. */
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
