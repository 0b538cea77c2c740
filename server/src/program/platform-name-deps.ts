// The dependencies of the platform's own names, from the configuration.

import { openKeys } from '../certificates/key-encryption.io.ts'
import type { Config } from './config.ts'
import { hostnameOf } from './domain-deps.ts'
import { registrableOf } from '../domains/naming/names.ts'
import { newId } from '../foundation/ids.io.ts'
import type { Database } from '../foundation/postgres/postgres.io.ts'
import type { Clock } from '../foundation/time.ts'
import type { PlatformNamesDeps } from '../platform-names/advance.io.ts'
import type { PlatformSettings } from '../platform-names/desired.ts'
import { defaultOrigins, type DefaultOriginOf } from '../platform-names/site-address.io.ts'
import { inProjectOf } from '../projects/scope.io.ts'

export const platformSettingsOf = ({
  platformNames: { tls, services },
  platformHost,
}: Pick<Config, 'platformNames' | 'platformHost'>): PlatformSettings => ({
  tls,
  host: hostnameOf(platformHost),
  services,
})

export const defaultOriginsOf = ({
  platformNames: { tls },
  platformHost,
  siteScheme,
}: Pick<Config, 'platformNames' | 'platformHost' | 'siteScheme'>): DefaultOriginOf =>
  defaultOrigins({ tls, platformHost, scheme: siteScheme })

/** Undefined if no certificates are ordered here. */
export function platformNameDepsOf(
  config: Config,
  database: Database,
  { now, onError }: { now: Clock; onError: (error: Error) => void },
): PlatformNamesDeps | undefined {
  const { certificates, domains } = config
  if (!certificates) return undefined
  return {
    database,
    inProject: inProjectOf(database),
    keys: openKeys(certificates.keys),
    now,
    newId,
    settings: platformSettingsOf(config),
    authorities: domains.authorities.map(({ domain }) => domain),
    registeredOf: (hostname) => registrableOf(hostname.replace(/^\*\./, '')) ?? hostname,
    onTrouble: (sentence) => onError(new Error(sentence)),
  }
}
