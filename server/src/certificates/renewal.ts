// When a certificate is renewed. The authority knows best (RFC 9773): it suggests a
// window, and each name takes a moment in it that is its own, so that a million names
// do not come at once. With no suggestion, and at the latest, it is renewed when a third
// of its life is left, or half if it is a short one.
//
// None of this ever ends a certificate: what is valid is served, whatever an authority
// says or does not say about its successor.

import { hash } from 'node:crypto'
import { DAY, HOUR, type Instant } from '../foundation/time.ts'

export type CertificateLifetime = { hostname: string; serial: string; notBefore: Instant; notAfter: Instant }
export type SuggestedWindow = { start: Instant; end: Instant }

const SHORT_LIFE = 10 * DAY
const LEFT = 1 / 3
const LEFT_OF_SHORT = 1 / 2
/** Renewed earlier than it must be by up to this part of its life, each name by its own. */
const SPREAD = 1 / 12

/** A moment in the window that is always the same for this certificate, and never later than the backstop. */
export function renewAt(life: CertificateLifetime, suggested: SuggestedWindow | null): Instant {
  const latest = backstop(life)
  if (suggested === null || suggested.end < suggested.start) return latest
  const moment = suggested.start + shareOf(`${life.hostname} ${life.serial}`) * (suggested.end - suggested.start)
  return Math.min(latest, Math.max(Math.round(moment), earliest(life)))
}

/** An authority that suggests a renewal of what it has just made would be asked for ever. */
const earliest = ({ notBefore, notAfter }: CertificateLifetime): Instant =>
  notBefore + Math.min(DAY, (notAfter - notBefore) / 10)

function backstop({ hostname, serial, notBefore, notAfter }: CertificateLifetime): Instant {
  const whole = notAfter - notBefore
  const left = whole < SHORT_LIFE ? LEFT_OF_SHORT : LEFT
  return Math.round(notAfter - whole * (left + shareOf(`${hostname} ${serial}`) * SPREAD))
}

const ASK_MIN = 6 * HOUR
const ASK_MAX = 12 * HOUR

/** When the authority is asked again for its suggestion: twice a day at least, and never sooner than it wishes. */
export function nextRenewalInfoAt(
  { hostname }: Pick<CertificateLifetime, 'hostname'>,
  retryAfterMs: number | null,
  now: Instant,
): Instant {
  const own = ASK_MIN + shareOf(`${hostname} ${Math.floor(now / DAY)}`) * (ASK_MAX - ASK_MIN)
  const wished = Math.min(Math.max(retryAfterMs ?? own, HOUR), DAY)
  return Math.round(now + (retryAfterMs === null ? own : wished))
}

/** From 0 to 1, always the same for a text, and even over many texts. */
export const shareOf = (text: string): number => Number.parseInt(hash('sha256', text, 'hex').slice(0, 12), 16) / 2 ** 48
