// Creates and verifies the token of a site's form: a client may send the form only if it
// was shown that form, on that site, not long ago. The token is a MAC over project,
// animal (or the form itself) and hour, keyed with the project's secret; it names no visitor, so a page with
// it can be cached for many. There is no cookie.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { HOUR, type Instant } from '../../foundation/time.ts'
import type { ProjectId } from '../../projects/scope.io.ts'

/** The form of a site which a token is valid for: that of an animal, or that with which the site is reported. */
type SiteForm = { secret: Uint8Array; project: ProjectId; of: bigint | 'report' }

/** A token is valid for at least this long, and for less than an hour more. */
export const TOKEN_HOURS = 2

export const tokenAt = (form: SiteForm, now: Instant): string => codeOf(form, Math.floor(now / HOUR))

export function isTokenGood(form: SiteForm, token: string, now: Instant): boolean {
  const hour = Math.floor(now / HOUR)
  const given = Buffer.from(token)
  // Always compares all of them, in constant time.
  const good = Array.from({ length: TOKEN_HOURS + 1 }, (_, age) => Buffer.from(codeOf(form, hour - age))).filter(
    (code) => code.length === given.length && timingSafeEqual(code, given),
  )
  return good.length > 0
}

const codeOf = ({ secret, project, of }: SiteForm, hour: number): string =>
  createHmac('sha256', secret).update(`reserve\n${project}\n${of}\n${hour}`).digest('base64url')

export type SentFrom = { origin: string | undefined; fetchSite: string | undefined; host: string }

/**
 * The same for a form of a page whose address is a secret. Such a page sends no referrer, so a browser sends
 * `Origin: null` with its forms; another site that could make it do so would have to know the secret.
 */
export const isForeignToSecretPage = (from: SentFrom): boolean =>
  isForeign(from.origin === 'null' ? { ...from, origin: undefined } : from)

/**
 * True if a page of another site made the browser send this. Other sites of ours are `same-site`, and as
 * foreign as any. A client that sends neither header is not a current browser, and carries no visitor's
 * credentials that could be misused.
 */
export function isForeign({ origin, fetchSite, host }: SentFrom): boolean {
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none') return true
  if (origin === undefined) return false
  return !/^https?:\/\//.test(origin) || origin.replace(/^https?:\/\//, '').toLowerCase() !== host.toLowerCase()
}
