// `openPlatformBundle` provides the operator's certificate for the default addresses. If it comes from
// a file, the file is read again when it changes; a bad one is reported, and the previous one stays. It
// is checked before it is served: Caddy would serve whatever it gets.

import { createPrivateKey, X509Certificate } from 'node:crypto'
import { unwatchFile, watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isBelow, wildcardOf } from '../fleet/table-name.ts'
import type { Context } from '../foundation/context.ts'
import type { Instant } from '../foundation/time.ts'

export type PlatformBundles = {
  /** Undefined if the name is no default address, or the certificate has expired. */
  find(hostname: string): Buffer | undefined
  stop(): void
}

/** Polled, because a file that is replaced by renaming, or through a link, is not noticed otherwise. */
const EVERY_MS = 2000

/**
 * `text` is chain and key (PEM), `path` the file it was read from, if any; `platformHost`, the parent of all default
 * addresses, may contain a port.
 */
export function openPlatformBundle(
  { now, onError }: Pick<Context, 'now' | 'onError'>,
  { text, path, platformHost }: { text: string; path: string | undefined; platformHost: string },
  everyMs = EVERY_MS,
): PlatformBundles {
  const host = platformHost.replace(/:\d+$/, '')
  const wildcard = wildcardOf(host)
  let current = readBundle(text, host, now())
  const reload = async () => {
    try {
      current = readBundle(await readFile(path ?? '', 'utf8'), host, now())
    } catch (error) {
      const why = (error as Error).message
      onError(new Error(`The certificate in ${path} was not taken, and the previous one stays: ${why}.`))
    }
  }
  const changed = () => void reload()
  if (path !== undefined) watchFile(path, { interval: everyMs, persistent: false }, changed)
  return {
    find: (hostname) => (isBelow(hostname, wildcard) && current.notAfter > now() ? current.bundle : undefined),
    stop: () => {
      if (path !== undefined) unwatchFile(path, changed)
    },
  }
}

type PlatformBundle = { bundle: Buffer; notAfter: Instant }

/** Chain and key (PEM) for `*.<host>`. Throws the reason in words, without a full stop. */
function readBundle(text: string, host: string, now: Instant): PlatformBundle {
  const leaf = parsed('it contains no certificate', () => new X509Certificate(text))
  const key = parsed('it contains no private key', () => createPrivateKey(text))
  if (!leaf.checkPrivateKey(key)) throw new Error('its private key belongs to another certificate')
  if (leaf.checkHost(`any.${host}`) === undefined) throw new Error(`its certificate is not for *.${host}`)
  const notAfter = Date.parse(leaf.validTo)
  if (!(notAfter > now)) throw new Error(`its certificate has expired (${leaf.validTo})`)
  return { bundle: Buffer.from(text), notAfter }
}

function parsed<T>(reason: string, parse: () => T): T {
  try {
    return parse()
  } catch {
    throw new Error(reason)
  }
}
