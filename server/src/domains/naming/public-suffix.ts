// Which names somebody can own on the public internet, by the list of public
// suffixes (with its private section: a.github.io is one owner's, github.io is
// nobody's) and by the names that were set aside for other uses. The list comes
// with the package and is as old as its version.

import type { DomainKind } from '@petstore/contract/platform/domain-shapes'
import { getDomain, getPublicSuffix, parse } from 'tldts'
import { isWithin } from '../../foundation/dns/names.ts'

/** Set aside for documents and no owner's, but in DNS like any other name. */
export const documentDomains = ['example.com', 'example.net', 'example.org'] as const

/**
 * Set aside by RFC 6761, 6762, 7686, 8375, 9476 and by ICANN (internal), or never
 * for hosts (arpa). Nobody can own one, whatever a list says.
 */
const reserved = [...'localhost local internal test example invalid onion arpa alt'.split(' '), ...documentDomains]

const withPrivate = { allowPrivateDomains: true, validateHostname: false }

export type Publicness = 'public' | 'not_public' | 'suffix'

/** `allowed` are reserved suffixes that this installation uses for its own tests. */
export function publicnessOf(hostname: string, allowed: readonly string[]): Publicness {
  const suffix = reserved.find((name) => isWithin(hostname, name))
  if (suffix !== undefined) return allowed.includes(suffix) && hostname.includes('.') ? 'public' : 'not_public'
  if (!parse(`a.${hostname}`, { validateHostname: false }).isIcann) return 'not_public'
  return isShared(hostname) ? 'suffix' : 'public'
}

/** The part that was registered; null if the name is a suffix itself. */
export function registrableOf(hostname: string): string | null {
  if (!reserved.some((name) => isWithin(hostname, name))) return getDomain(hostname, withPrivate)
  const labels = hostname.split('.')
  return labels.length < 2 ? null : labels.slice(-2).join('.')
}

/** The registered domain itself, or a name below it. */
export const kindOf = (hostname: string): DomainKind => (registrableOf(hostname) === hostname ? 'apex' : 'subdomain')

/** The name that visitors also type: `www` of a registered domain, or the domain of which this is `www`; else null. */
export function siblingOf(hostname: string): string | null {
  if (kindOf(hostname) === 'apex') return `www.${hostname}`.length > 253 ? null : `www.${hostname}`
  const parent = hostname.startsWith('www.') ? hostname.slice('www.'.length) : ''
  return parent !== '' && kindOf(parent) === 'apex' ? parent : null
}

/** A suffix, or a name under which every name is one (`*.kawasaki.jp`). */
function isShared(hostname: string): boolean {
  const child = `nobody-has-this-name.${hostname}`
  return getDomain(hostname, withPrivate) === null || getPublicSuffix(child, withPrivate) === child
}
