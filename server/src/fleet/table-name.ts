// A name in the host table: a hostname; the wildcard of all default addresses, `*.<platform host>`; or, for a slug whose
// sites are closed, a name that no hostname can be.

import { isHostname } from '../foundation/dns/hostname.ts'

export const isTableName = (value: unknown): value is string => isHostname(value) || isWildcardName(value)

export const isWildcardName = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('*.') && isHostname(value.slice(2))

/** The wildcard for all default addresses; the port of the platform's host does not matter. */
export const wildcardOf = (platformHost: string): string => `*.${platformHost.replace(/:\d+$/, '')}`

/** `invalid` is reserved (RFC 6761). */
export const suspensionOf = (slug: string): string => `${slug}.suspended.invalid`

/** True if the wildcard stands for this hostname: exactly one label in place of the asterisk. */
export const isBelow = (hostname: string, wildcard: string): boolean =>
  hostname.indexOf('.') > 0 && hostname.slice(hostname.indexOf('.')) === wildcard.slice(1)
