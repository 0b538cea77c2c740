// Where the keyboard is: given to what somebody asked for, and never left nowhere when
// what had it is gone.

/** As the `ref` of what appears because somebody asked for it. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus()

/** Only where nothing has it: whoever has moved on meanwhile is not called back. */
export function takeLostFocus(element: Element | null | undefined): void {
  if (document.activeElement === document.body && element instanceof HTMLElement) element.focus({ preventScroll: true })
}
