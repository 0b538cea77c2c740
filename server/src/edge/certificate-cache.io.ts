// `createCertificates` provides the certificates of an edge: from memory, then from encrypted files
// on its disk, then from the control plane. Guarantees:
// - only for names that are in the table at this moment, and only of their generation;
// - never an expired one; after a renewal the previous one continues to be served, while it is
//   valid, until the new one has arrived;
// - one request at a time per name, however many handshakes wait for it; a name whose certificate
//   could not be fetched is not requested again for some seconds, unless its route changes;
// - the certificate of a new route is fetched at once, in the background, a few at a time, and
//   retried until it has arrived. No removal waits for it.

import type { Route, CertificateResponse } from '../fleet/protocol.ts'
import { wildcardOf, isWildcardName } from '../fleet/table-name.ts'
import { checkLeaf } from '../foundation/acme/leaf.io.ts'
import type { Context } from '../foundation/context.ts'
import { RecentKeys } from '../foundation/load/bounded-map.ts'
import { createSharedCalls } from '../foundation/load/shared-calls.ts'
import type { CertificateFiles, CertificateName, KeptCertificate } from './certificate-files.io.ts'
import { createCertificateMemory, type CertificateMemory } from './certificate-memory.ts'
import type { ControlClient } from './control-client.io.ts'
import { certifiedOf, type Certified, type HostTable } from './host-table.ts'
import type { PlatformBundles } from './platform-bundle.io.ts'
import { openPrefetch } from './prefetch.ts'

export type Certificates = {
  /**
   * Synchronous if the certificate is cached. Settles within the deadline; undefined if there is
   * none to serve.
   */
  find(hostname: string, deadlineMs: number): Buffer | undefined | Promise<Buffer | undefined>
  /** The table has applied a route, or was emptied. */
  changed(route: Route): void
  reset(): void
  /** The control plane has responded: failed fetches are worth another attempt. */
  retry(): void
  /** Fetches what is missing on disk, and removes files that are no longer needed. */
  sweep(): Promise<void>
  stop(): Promise<void>
}

const CACHED_MAX = 20_000
/** For how long a handshake for a name is refused at once after one was. */
const REFUSED_MS = 5000
const REFUSED_MAX = 10_000
/** Timeouts for the control plane: during a handshake, and longer in the background. */
const DEMAND_MS = 1500
const BACKGROUND_MS = 5000

export function createCertificates(
  context: Pick<Context, 'now' | 'monotonic' | 'onError'>,
  sources: {
    table: Pick<HostTable, 'find' | 'routes'>
    control: Pick<ControlClient, 'certificate'>
    files: CertificateFiles
    /** For default addresses, if this edge is configured with a certificate for them. */
    platform?: Pick<PlatformBundles, 'find'> | undefined
  },
  heldMax = CACHED_MAX,
): Certificates {
  const { now, monotonic, onError } = context
  const { table, files, platform } = sources
  const memory = createCertificateMemory(now, heldMax)
  const refused = new RecentKeys({ holdMs: REFUSED_MS, countMax: REFUSED_MAX, now: monotonic })
  const demands = createSharedCalls()
  const stopping = new AbortController()
  const routeOf = routesIn(table)

  /** Work that only shutdown waits for. */
  const background = new Set<Promise<void>>()
  const behind = (work: Promise<void>) => {
    const done = work.catch(onError).finally(() => background.delete(done))
    background.add(done)
  }
  const control = createCertificateFetch(context, { ...sources, memory }, behind)
  const isCurrent = ({ hostname, generation }: CertificateName) => table.find(hostname)?.generation === generation
  const prefetch = openPrefetch(context, async (hostname) => {
    const route = certifiedOf(table.find(hostname))
    if (!route || (memory.find(route)?.serial ?? (await nameOnDisk(files, route))) === route.serial) return true
    return (await control.fetch(route, BACKGROUND_MS))?.serial === route.serial
  })
  /** During a handshake: the disk first, then the control plane. */
  const demanded = (route: Certified) =>
    demands
      .joined(callOf(route), async () => {
        const kept = await files.read(route.hostname, route.generation)
        if (!kept || kept.notAfter <= now()) return control.fetch(route, DEMAND_MS)
        // One that arrived in the meantime is newer.
        if (isCurrent(kept) && !memory.find(route)) memory.put(kept)
        return memory.find(route)
      })
      .catch((error: Error) => {
        onError(error)
        return undefined
      })
  const wait = async (route: Certified, deadlineMs: number): Promise<Buffer | undefined> => {
    const certificate = await within(demanded(route), deadlineMs)
    if (certificate && isCurrent(certificate)) return show(certificate, route)
    refused.add(route.hostname)
    return undefined
  }
  const show = (certificate: KeptCertificate, route: Certified): Buffer => {
    if (certificate.serial !== route.serial) prefetch.remind(route.hostname)
    return certificate.bundle
  }
  return {
    find(hostname, deadlineMs) {
      const route = hostname.startsWith('*') ? undefined : routeOf(hostname)
      if (!route) return platform?.find(hostname)
      const certificate = memory.find(route)
      if (!certificate) return refused.has(route.hostname) ? undefined : wait(route, deadlineMs)
      memory.put(certificate)
      return show(certificate, route)
    },
    changed(route) {
      refused.delete(route.hostname)
      if (certifiedOf(route)) return prefetch.want(route.hostname)
      memory.drop(route.hostname)
      behind(files.remove(route.hostname))
    },
    reset() {
      refused.clear()
      prefetch.forget()
    },
    retry: () => prefetch.retry(),
    async sweep() {
      for (const { hostname } of table.routes()) prefetch.want(hostname)
      await files.clean(isCurrent, stopping.signal)
    },
    async stop() {
      stopping.abort()
      await prefetch.stop()
      await Promise.all([demands.settled(), control.settled()])
      await Promise.all(background)
    },
  }
}

/** Finds the route of the name itself, otherwise of all default addresses below the same host. */
const routesIn = (table: Pick<HostTable, 'find'>) => (hostname: string) =>
  certifiedOf(table.find(hostname) ?? table.find(wildcardOf(hostname.slice(hostname.indexOf('.') + 1))))

async function nameOnDisk(files: CertificateFiles, { hostname, generation }: CertificateName) {
  const name = await files.named(hostname)
  return name?.hostname === hostname && name.generation === generation ? name.serial : undefined
}

function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), ms)
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer))
}

// `createCertificateFetch` fetches certificates from the control plane for an edge, once for all
// callers that wait for the same one. A certificate is checked as if it came from an untrusted
// source, and accepted only if its name is still in the table under the same generation; then it
// is remembered, and written to the disk in the background.

type CertificateFetch = {
  /** Undefined if the control plane has none, or if it may no longer be served. */
  fetch(route: Certified, deadlineMs: number): Promise<KeptCertificate | undefined>
  settled(): Promise<unknown>
}

/** `behind` takes over work that the caller does not wait for. */
function createCertificateFetch(
  { now }: Pick<Context, 'now'>,
  {
    table,
    control,
    memory,
    files,
  }: {
    table: Pick<HostTable, 'find'>
    control: Pick<ControlClient, 'certificate'>
    memory: CertificateMemory
    files: Pick<CertificateFiles, 'write' | 'remove'>
  },
  behind: (work: Promise<void>) => void,
): CertificateFetch {
  const calls = createSharedCalls()

  const write = async (certificate: KeptCertificate) => {
    const { hostname, generation } = certificate
    await files.write(certificate)
    // Removed from the table while it was written: then the file is removed after all.
    if (table.find(hostname)?.generation !== generation) await files.remove(hostname)
  }
  const take = (certificate: KeptCertificate): KeptCertificate | undefined => {
    const route = certifiedOf(table.find(certificate.hostname))
    // Removed or of another generation by now: it may not be served.
    if (route?.generation !== certificate.generation) return undefined
    const before = memory.find(route)
    if (before && certificate.serial !== route.serial) return before
    memory.put(certificate)
    behind(write(certificate))
    return certificate
  }
  return {
    fetch: (route, deadlineMs) =>
      calls.joined(callOf(route), async () => {
        // It may have arrived while the disk was read.
        const here = memory.find(route)
        if (here?.serial === route.serial) return here
        const response = await control.certificate(route.hostname, route.generation, deadlineMs)
        return response ? take(checked(response, now())) : undefined
      }),
    settled: () => calls.settled(),
  }
}

/** Callers share work for one generation of a name only. */
const callOf = ({ hostname, generation }: Certified) => `${hostname} ${generation}`

function checked({ hostname, generation, serial, chain, key }: CertificateResponse, at: number): KeptCertificate {
  // That of all default addresses may be the operator's own.
  const isForeign = isWildcardName(hostname)
  const verdict = checkLeaf({ chainPem: chain, hostname, keyPem: key, now: at, replacesNotAfter: null, isForeign })
  if (!verdict.ok) throw new Error(`The control plane's certificate for ${hostname} is not fit: ${verdict.reason}`)
  if (verdict.leaf.serial !== serial)
    throw new Error(`The control plane's certificate for ${hostname} has another serial.`)
  const { chainPem, notAfter } = verdict.leaf
  return { hostname, generation, serial, notAfter, bundle: Buffer.from(`${chainPem}${key.trimEnd()}\n`) }
}
