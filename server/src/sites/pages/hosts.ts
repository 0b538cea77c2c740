// Resolves the site of a request. The Host header alone decides, once and in any case;
// nothing else that a visitor sends can choose a project.

import { isSlug } from '../../foundation/slug.ts'

/** The one Host of a request; undefined if there is none, or more than one. */
export function hostOf(rawHeaders: readonly string[]): string | undefined {
  let host: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue
    if (host !== undefined) return undefined
    host = rawHeaders[index + 1] ?? ''
  }
  return host
}

/** The slug in `<slug>.<platformHost>`; ports do not matter. Undefined if it is not a site of ours. */
export function slugOf(host: string, platformHost: string): string | undefined {
  const name = nameOf(host)
  const suffix = `.${nameOf(platformHost)}`
  if (!name.endsWith(suffix)) return undefined
  const slug = name.slice(0, -suffix.length)
  return isSlug(slug) ? slug : undefined
}

/** A Host header without its port, spelt as in the host table. Anything that is not a hostname is in no table. */
export function bareHostOf(host: string): string {
  const at = host.lastIndexOf(':')
  return (at === -1 || !/^:\d{0,5}$/.test(host.slice(at)) ? host : host.slice(0, at)).toLowerCase()
}

/** A Host header without its port, in one spelling. */
export const nameOf = (host: string) => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')

/**
 * The path and query of a request target. A target may contain the host as well (RFC 9112, 3.2.2); undefined
 * if that differs from the Host header.
 */
export function targetOf(url: string, host: string): string | undefined {
  if (url.startsWith('/')) return url
  const [whole = '', authority] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? []
  if (authority === undefined || authority.toLowerCase() !== host.toLowerCase()) return undefined
  const rest = url.slice(whole.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}
