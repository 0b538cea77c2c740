// How a name is validated: a wildcard by a TXT record in its zone, since that is the only type that
// authorities accept for it; every other name by a file on its servers.

import type { ChallengeType } from '../foundation/acme/port.ts'

const WILDCARD = '*.'

export const challengeTypeOf = (hostname: string): ChallengeType =>
  hostname.startsWith(WILDCARD) ? 'dns-01' : 'http-01'

/** The name of the TXT record for a wildcard. */
export const challengeRecordOf = (hostname: string): string => `_acme-challenge.${hostname.slice(WILDCARD.length)}`
