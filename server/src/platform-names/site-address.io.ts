// The default address of a site. With certificates that the platform orders itself, it is an https
// address exactly while there is a certificate for it.

import { findRoute } from '../fleet/directory.io.ts'
import type { Db } from '../foundation/postgres/postgres.io.ts'
import { wildcardOf } from '../fleet/table-name.ts'
import { siteNameOf } from './desired.ts'
import type { PlatformTls } from './settings.ts'

export type SiteAddressSettings = {
  tls: PlatformTls
  /** As visitors write it, with its port if that is not the usual one. */
  platformHost: string
  /** Undefined: as the certificates are. */
  scheme: 'http' | 'https' | undefined
}

/** Scheme, host and port. */
export type DefaultOriginOf = (db: Db, slug: string) => Promise<string>

export function defaultOrigins({ tls, platformHost, scheme }: SiteAddressSettings): DefaultOriginOf {
  const host = platformHost.replace(/:\d+$/, '')
  const isSecure = async (db: Db, slug: string): Promise<boolean> => {
    if (scheme !== undefined) return scheme === 'https'
    if (tls === 'per-host') return (await findRoute(db, siteNameOf({ host }, slug)))?.kind === 'site'
    if (tls === 'wildcard') return (await findRoute(db, wildcardOf(host)))?.kind === 'wildcard'
    return tls === 'file'
  }
  return async (db, slug) => `${(await isSecure(db, slug)) ? 'https' : 'http'}://${slug}.${platformHost}`
}
