// Focus management: the focus moves to what the person requested, and is never lost when
// its element is removed.

/** As the `ref` of an element that appears because the person requested it. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus()

/** Only if no element has the focus: a person who has moved on in the meantime is not called back. */
export function takeLostFocus(element: Element | null | undefined): void {
  if (document.activeElement === document.body && element instanceof HTMLElement) element.focus({ preventScroll: true })
}
