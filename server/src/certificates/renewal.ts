// The renewal time of a certificate. The authority suggests a window (RFC 9773), and each
// hostname takes its own moment in it, so that a million renewals do not come at once. Without
// a suggestion, and at the latest, a certificate is renewed when a third of its lifetime is
// left, or half if it is a short one.
//
// None of this ever ends a certificate: a valid one is served, whatever an authority does or
// does not suggest about its successor.

import { hash } from 'node:crypto'
import { DAY, HOUR, type Instant } from '../foundation/time.ts'

export type CertificateLifetime = { hostname: string; serial: string; notBefore: Instant; notAfter: Instant }
export type SuggestedWindow = { start: Instant; end: Instant }

const SHORT_LIFE = 10 * DAY
const LEFT = 1 / 3
const LEFT_OF_SHORT = 1 / 2
/** Renewed earlier than necessary by up to this part of its lifetime, each hostname by its own share. */
const SPREAD = 1 / 12

/** A moment in the window that is constant for this certificate, and never later than the fallback. */
export function renewAt(life: CertificateLifetime, suggested: SuggestedWindow | null): Instant {
  const latest = backstop(life)
  if (suggested === null || suggested.end < suggested.start) return latest
  const moment = suggested.start + shareOf(`${life.hostname} ${life.serial}`) * (suggested.end - suggested.start)
  return Math.min(latest, Math.max(Math.round(moment), earliest(life)))
}

/** Without this bound, an authority that suggests the renewal of a new certificate would cause renewals without end. */
const earliest = ({ notBefore, notAfter }: CertificateLifetime): Instant =>
  notBefore + Math.min(DAY, (notAfter - notBefore) / 10)

function backstop({ hostname, serial, notBefore, notAfter }: CertificateLifetime): Instant {
  const whole = notAfter - notBefore
  const left = whole < SHORT_LIFE ? LEFT_OF_SHORT : LEFT
  return Math.round(notAfter - whole * (left + shareOf(`${hostname} ${serial}`) * SPREAD))
}

const ASK_MIN = 6 * HOUR
const ASK_MAX = 12 * HOUR

/** When the suggestion is fetched again: twice a day at least, and never sooner than the authority requests. */
export function nextRenewalInfoAt(
  { hostname }: Pick<CertificateLifetime, 'hostname'>,
  retryAfterMs: number | null,
  now: Instant,
): Instant {
  const own = ASK_MIN + shareOf(`${hostname} ${Math.floor(now / DAY)}`) * (ASK_MAX - ASK_MIN)
  const requested = Math.min(Math.max(retryAfterMs ?? own, HOUR), DAY)
  return Math.round(now + (retryAfterMs === null ? own : requested))
}

/** From 0 to 1, constant for a text, and evenly distributed over many texts. */
export const shareOf = (text: string): number => Number.parseInt(hash('sha256', text, 'hex').slice(0, 12), 16) / 2 ** 48
