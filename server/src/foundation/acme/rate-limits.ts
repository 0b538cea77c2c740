// `rateLimitOf` identifies which of the authority's rate limits was reached. All of them arrive as
// `rateLimited`, but one concerns a name, one its registered domain and one our account, and owners
// need different advice. Let's Encrypt names the limit in the detail text and in the link that
// follows it; the text is matched first because details are truncated.

import type { AcmeProblem } from './port.ts'

export type RateLimit = 'failures' | 'duplicate' | 'domain' | 'account' | 'registrations' | 'paused' | 'load'

/** Null if it is not a rate limit; `account` if it is an unknown one. */
export function rateLimitOf({ type, status, detail }: AcmeProblem): RateLimit | null {
  if (type !== 'rateLimited') return null
  const known = sentences.find(([sentence]) => sentence.test(detail))
  if (known !== undefined) return known[1]
  return status === 503 ? 'load' : 'account'
}

const sentences: readonly (readonly [RegExp, RateLimit])[] = [
  [/failed authorizations|#authorization-failures/i, 'failures'],
  [/exact set of (identifiers|domains)|#new-certificates-per-exact-set/i, 'duplicate'],
  [/certificates .*already issued for|#new-certificates-per-registered-domain/i, 'domain'],
  [/temporarily prevented from requesting|paused/i, 'paused'],
  [/new registrations|#new-registrations/i, 'registrations'],
  [/new orders|#new-orders/i, 'account'],
  [/service busy|overloaded|load shed/i, 'load'],
]

/** The authority's primary validation succeeded, another perspective failed (Let's Encrypt's words). */
export const isSecondaryValidation = ({ detail }: Pick<AcmeProblem, 'detail'>): boolean =>
  /^During secondary (domain )?validation: /.test(detail)
