// Public-suffix rules decide which names can be owned on the public internet. They use the
// public suffix list with its private section (a.github.io belongs to one owner, github.io is
// a suffix) and the names that are reserved for other uses. The list comes with the package,
// and is as old as that version.

import type { DomainKind } from '@petstore-platform/contract/platform/domain-shapes'
import { getDomain, getPublicSuffix, parse } from 'tldts'
import { isWithin } from '../../foundation/dns/hostname.ts'

/** Reserved for documentation, so they have no owner, but they exist in DNS like any other name. */
export const documentDomains = ['example.com', 'example.net', 'example.org'] as const

/**
 * Reserved by RFC 6761, 6762, 7686, 8375, 9476 and by ICANN (internal), or never used for hosts
 * (arpa). These cannot be owned, regardless of the list.
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

/** The registrable domain; null if the name is a suffix itself. */
export function registrableOf(hostname: string): string | null {
  if (!reserved.some((name) => isWithin(hostname, name))) return getDomain(hostname, withPrivate)
  const labels = hostname.split('.')
  return labels.length < 2 ? null : labels.slice(-2).join('.')
}

/** An apex is the registrable domain itself; a subdomain is any name below it. */
export const kindOf = (hostname: string): DomainKind => (registrableOf(hostname) === hostname ? 'apex' : 'subdomain')

/**
 * The other name that visitors type: `www` of a registrable domain, or the domain that this is
 * `www` of; otherwise null.
 */
export function siblingOf(hostname: string): string | null {
  if (kindOf(hostname) === 'apex') return `www.${hostname}`.length > 253 ? null : `www.${hostname}`
  const parent = hostname.startsWith('www.') ? hostname.slice('www.'.length) : ''
  return parent !== '' && kindOf(parent) === 'apex' ? parent : null
}

/** A suffix, or a name below which every name is a suffix (`*.kawasaki.jp`). */
function isShared(hostname: string): boolean {
  const child = `nobody-has-this-name.${hostname}`
  return getDomain(hostname, withPrivate) === null || getPublicSuffix(child, withPrivate) === child
}
