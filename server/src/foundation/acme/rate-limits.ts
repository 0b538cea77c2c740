// Which of the authority's limits was met. All of them arrive as `rateLimited`, but one
// of them is about a name, one about its registered domain and one about us, and people
// have to be told different things. Let's Encrypt says which in the sentence and in the
// address behind it; the sentence comes first because details are kept short.

import type { AcmeProblem } from './port.ts'

export type RateLimit = 'failures' | 'duplicate' | 'domain' | 'account' | 'registrations' | 'paused' | 'load'

/** Null if it is no limit; `account` if it is one that we do not know. */
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

/** The main place of the authority was content, another was not (Let's Encrypt's words). */
export const isSecondaryValidation = ({ detail }: Pick<AcmeProblem, 'detail'>): boolean =>
  /^During secondary (domain )?validation: /.test(detail)
