// What the platform's own names need beyond the context.

import type { Config } from './config.ts'
import type { ProgramContext } from './context.ts'
import { hostnameOf } from './domains.ts'
import { registrableOf } from '../domains/naming/names.ts'
import type { PlatformNamesDeps } from '../platform-names/advance.io.ts'
import type { PlatformSettings } from '../platform-names/desired.ts'
import { defaultOrigins, type DefaultOriginOf } from '../platform-names/site-address.io.ts'

export const platformSettingsOf = ({
  platformNames: { tls, services },
  platformHost,
  formerPlatformHosts,
}: Pick<Config, 'platformNames' | 'platformHost' | 'formerPlatformHosts'>): PlatformSettings => ({
  tls,
  host: hostnameOf(platformHost),
  formerHosts: formerPlatformHosts,
  services,
})

export const defaultOriginsOf = ({
  platformNames: { tls },
  platformHost,
  siteScheme,
}: Pick<Config, 'platformNames' | 'platformHost' | 'siteScheme'>): DefaultOriginOf =>
  defaultOrigins({ tls, platformHost, scheme: siteScheme })

/** Undefined if no certificates are ordered here. */
export function platformNameDepsOf(context: ProgramContext): PlatformNamesDeps | undefined {
  const { config, keys, onError } = context
  if (!keys) return undefined
  return {
    ...context,
    keys,
    settings: platformSettingsOf(config),
    authorities: config.domains.authorities.map(({ domain }) => domain),
    registeredOf: (hostname) => registrableOf(hostname.replace(/^\*\./, '')) ?? hostname,
    onTrouble: (sentence) => onError(new Error(sentence)),
  }
}
