// Focus management: the focus moves to what the person requested, and is never lost when
// its element is removed.

/** As the `ref` of an element that appears because the person requested it. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus()

/** Only if no element has the focus: a person who has moved on in the meantime is not called back. */
export function takeLostFocus(element: Element | null | undefined): void {
  if (document.activeElement === document.body && element instanceof HTMLElement) element.focus({ preventScroll: true })
}

/**
 * Gives the focus, if no element has it, to the first of these places that takes it. If that one is removed before the
 * person has moved on, as a button whose list is loaded again, the next ones are tried.
 */
export function returnFocus(places: readonly (Element | null | undefined)[]): void {
  for (const place of places) takeLostFocus(place)
  const holder = document.activeElement
  const next = places.slice(places.indexOf(holder) + 1)
  if (!holder || !places.includes(holder) || next.length === 0) return
  const removals = new MutationObserver(() => {
    if (holder.isConnected) return
    removals.disconnect()
    returnFocus(next)
  })
  removals.observe(document.body, { childList: true, subtree: true })
  // Some browsers report the removal as a loss of focus as well, a moment before it.
  const movedOn = () => queueMicrotask(() => holder.isConnected && removals.disconnect())
  holder.addEventListener('blur', movedOn, { once: true })
}
