// `createCertificates` provides the certificates of an edge: from memory, then from encrypted files
// on its disk, then from the control plane. Guarantees:
// - only for names that are in the table at this moment, and only of their generation;
// - never an expired one; after a renewal the previous one continues to be served, while it is
//   valid, until the new one has arrived;
// - one request at a time per name, however many handshakes wait for it; a name whose certificate
//   could not be fetched is not requested again for some seconds, unless its route changes;
// - the certificate of a new route is fetched at once, in the background, a few at a time, and
//   retried until it has arrived. No removal waits for it.

import { X509Certificate } from 'node:crypto'
import { checkLeaf } from '../foundation/acme/leaf.io.ts'
import type { Clock } from '../foundation/time.ts'
import type { CertificateResponse, Route } from '../fleet/protocol.ts'
import type { ControlClient } from './control-client.io.ts'
import type { CertificateFiles, CertificateName, KeptCertificate } from './certificate-files.io.ts'
import { openPrefetch } from './prefetch.ts'
import type { Attached, Table } from './host-table.ts'

export type CertificatesDeps = {
  table: Pick<Table, 'find' | 'routes'>
  control: Pick<ControlClient, 'certificate'>
  files: CertificateFiles
  now: Clock
  monotonic: () => number
  /** For `<label>.<platform host>`, if this edge serves the default addresses over TLS. */
  platform?: { host: string; bundle: string } | undefined
  onError: (error: Error) => void
  heldMax?: number
}

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
const REFUSED_MAX = 10_000
const REFUSED_MS = 5000
/** Timeouts for the control plane: during a handshake, and longer in the background. */
const DEMAND_MS = 1500
const BACKGROUND_MS = 5000

export function createCertificates(deps: CertificatesDeps): Certificates {
  const { table, files, now, monotonic, onError } = deps
  const cached = new Map<string, KeptCertificate>()
  const refused = new Map<string, number>()
  const flights: Flights = new Map()
  const demands: Flights = new Map()
  const stopping = new AbortController()
  const platform = deps.platform && readPlatform(deps.platform)

  /** Work that only shutdown waits for. */
  const background = new Set<Promise<void>>()
  const behind = (work: Promise<void>) => {
    const done = work.catch(onError).finally(() => background.delete(done))
    background.add(done)
  }
  const isValid = (certificate: KeptCertificate) => certificate.notAfter > now()
  const cache = (certificate: KeptCertificate) => {
    cached.delete(certificate.hostname)
    cached.set(certificate.hostname, certificate)
    shrink(cached, deps.heldMax ?? CACHED_MAX)
  }
  /** From memory, if it may be served under this route. */
  const shown = ({ hostname, generation }: Attached): KeptCertificate | undefined => {
    const found = cached.get(hostname)
    return found?.generation === generation && isValid(found) ? found : undefined
  }
  const isRefused = (hostname: string) => monotonic() - (refused.get(hostname) ?? Number.NEGATIVE_INFINITY) < REFUSED_MS

  const isCurrent = ({ hostname, generation }: CertificateName) => table.find(hostname)?.generation === generation
  const keep = async (certificate: KeptCertificate) => {
    await files.write(certificate)
    // Removed from the table while it was written: then the file is removed after all.
    if (!isCurrent(certificate)) await files.remove(certificate.hostname)
  }
  const take = (certificate: KeptCertificate): KeptCertificate | undefined => {
    const route = table.find(certificate.hostname)
    // Removed or of another generation by now: it may not be served.
    if (route?.generation !== certificate.generation) return undefined
    const before = shown(route)
    if (before && certificate.serial !== route.serial) return before
    cache(certificate)
    behind(keep(certificate))
    return certificate
  }
  /** From the control plane, shared by concurrent callers; skipped if it arrived while the disk was read. */
  const fetched = (route: Attached, deadlineMs: number) =>
    shared(flights, route, async () => {
      const here = shown(route)
      if (here?.serial === route.serial) return here
      const certificate = await fetchCertificate(deps, route, deadlineMs)
      return certificate && take(certificate)
    })
  const prefetch = openPrefetch({
    monotonic,
    async have(hostname) {
      const route = table.find(hostname)
      if (!route || (shown(route)?.serial ?? (await nameOnDisk(files, route))) === route.serial) return true
      return (await fetched(route, BACKGROUND_MS))?.serial === route.serial
    },
    onError,
  })
  /** During a handshake: the disk first, then the control plane. */
  const demanded = (route: Attached) =>
    shared(demands, route, async () => {
      const kept = await files.read(route.hostname, route.generation)
      if (!kept || !isValid(kept)) return fetched(route, DEMAND_MS)
      // One that arrived in the meantime is newer.
      if (isCurrent(kept) && !shown(route)) cache(kept)
      return shown(route)
    }).catch((error: Error) => {
      onError(error)
      return undefined
    })
  const wait = async (route: Attached, deadlineMs: number): Promise<Buffer | undefined> => {
    const certificate = await within(demanded(route), deadlineMs)
    if (certificate && isCurrent(certificate)) return show(certificate, route)
    refused.set(route.hostname, monotonic())
    shrink(refused, REFUSED_MAX)
    return undefined
  }
  const show = (certificate: KeptCertificate, route: Attached): Buffer => {
    if (certificate.serial !== route.serial) prefetch.remind(route.hostname)
    return certificate.bundle
  }
  return {
    find(hostname, deadlineMs) {
      const route = table.find(hostname)
      if (!route) return platform?.isFor(hostname) === true && platform.notAfter > now() ? platform.bundle : undefined
      const certificate = shown(route)
      if (!certificate) return isRefused(hostname) ? undefined : wait(route, deadlineMs)
      cache(certificate)
      return show(certificate, route)
    },
    changed(route) {
      refused.delete(route.hostname)
      if (route.kind !== 'gone') return prefetch.want(route.hostname)
      cached.delete(route.hostname)
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
      await Promise.allSettled([...demands.values(), ...flights.values()])
      await Promise.all(background)
    },
  }
}

type Flights = Map<string, Promise<KeptCertificate | undefined>>

function shared(
  flights: Flights,
  { hostname, generation }: Attached,
  work: () => Promise<KeptCertificate | undefined>,
): Promise<KeptCertificate | undefined> {
  const key = `${hostname} ${generation}`
  const underWay = flights.get(key)
  if (underWay) return underWay
  const flight = work().finally(() => flights.delete(key))
  flights.set(key, flight)
  return flight
}

/** Checked as if it came from an untrusted source. */
async function fetchCertificate(
  { control, now }: CertificatesDeps,
  { hostname, generation }: Attached,
  deadlineMs: number,
): Promise<KeptCertificate | undefined> {
  const response = await control.certificate(hostname, generation, deadlineMs)
  return response ? checked(response, now()) : undefined
}

function checked({ hostname, generation, serial, chain, key }: CertificateResponse, at: number): KeptCertificate {
  const verdict = checkLeaf({ chainPem: chain, hostname, keyPem: key, now: at, replacesNotAfter: null })
  if (!verdict.ok) throw new Error(`The control plane's certificate for ${hostname} is not fit: ${verdict.reason}`)
  if (verdict.leaf.serial !== serial)
    throw new Error(`The control plane's certificate for ${hostname} has another serial.`)
  const { chainPem, notAfter } = verdict.leaf
  return { hostname, generation, serial, notAfter, bundle: Buffer.from(`${chainPem}${key.trimEnd()}\n`) }
}

async function nameOnDisk(files: CertificateFiles, { hostname, generation }: CertificateName) {
  const name = await files.named(hostname)
  return name?.hostname === hostname && name.generation === generation ? name.serial : undefined
}

function readPlatform({ host, bundle }: { host: string; bundle: string }) {
  const suffix = `.${host.replace(/:\d+$/, '')}`
  const isFor = (hostname: string) =>
    hostname.endsWith(suffix) && hostname.length > suffix.length && !hostname.slice(0, -suffix.length).includes('.')
  return { isFor, bundle: Buffer.from(bundle), notAfter: Date.parse(new X509Certificate(bundle).validTo) }
}

/** Evicts the oldest entry: a Map keeps insertion order. */
function shrink(map: Map<string, unknown>, sizeMax: number): void {
  if (map.size <= sizeMax) return
  const oldest = map.keys().next()
  if (!oldest.done) map.delete(oldest.value)
}

function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), ms)
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer))
}
