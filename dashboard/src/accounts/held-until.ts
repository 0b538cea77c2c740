// When a link can be mailed again. While one is valid, the server mails no other, whether or not the address has an
// account; it does not say so, and the page knows only when it requested one. Pure.

const MINUTE_MS = 60_000

/**
 * Undefined if the link that was requested then is no longer valid, so that another is mailed; otherwise the time at
 * which it is certain to have expired, on a whole minute, as it is shown.
 */
export function heldUntil({ requestedAt, minutes }: { requestedAt: number; minutes: number }, now: number) {
  const end = requestedAt + minutes * MINUTE_MS
  return now < end ? Math.ceil(end / MINUTE_MS) * MINUTE_MS : undefined
}
