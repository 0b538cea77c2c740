// Renews the wildcard certificate of a platform again and again while visitors connect to Caddy, which asks
// an edge for the certificate of every handshake. Nothing is restarted.

import { setTimeout as pause } from 'node:timers/promises'
import { connect } from 'node:tls'
import { question } from '../internet/dns-query.ts'
import { startPlatformNames, type PlatformNamesEnvironment } from '../harness/platform-names.ts'

const WILDCARD = '*.petstore.test'
const PATIENCE_MS = 120_000
/** Certificates differ in their last second. */
const APART_MS = 1500
/** A wrong key is reported within this time. */
const REPORTED_MS = 10_000

type RenewalOptions = {
  renewals: number
  handshakes: number
  /** Negative control: Caddy is restarted for each new certificate. */
  restarts?: boolean
}

export type Renewed = {
  /** Distinct serial numbers that visitors saw, in their order. */
  serials: readonly string[]
  handshakes: number
  failed: number
  /** What the background work reported; empty if nothing went wrong. */
  reports: readonly string[]
  renewalMs: readonly number[]
  /** TXT records that are left in the zone. */
  left: number
  /** Milliseconds until a wrong key was reported, and whether the certificate stayed. */
  wrongKey: { reportedMs: number; report: string; isKept: boolean }
}

export async function renewUnderHandshakes(appUrl: string, options: RenewalOptions): Promise<Renewed> {
  const names = await startPlatformNames(appUrl)
  try {
    return await measure(names, options)
  } finally {
    await names.close()
  }
}

async function measure(names: PlatformNamesEnvironment, { renewals, handshakes, restarts = false }: RenewalOptions) {
  const work = await names.work(names.byUpdate)
  const first = await nextSerial(names, undefined)
  const { edges, httpsPort: port, pebble } = names.environment
  const [edge] = edges
  if (!edge) throw new Error('an environment has an edge')
  const target = { host: edge.address, port, ca: await pebble.rootPem() }
  // The edge learns of the certificate from its feed.
  const until = performance.now() + PATIENCE_MS
  while ((await handshake(target)) !== first && performance.now() < until) await pause(10)
  const serials: string[] = []
  const counts = { handshakes: 0, failed: 0, isDone: false }
  const visiting = (async () => {
    while (!counts.isDone || counts.handshakes < handshakes) {
      const serial = await handshake(target)
      counts.handshakes += 1
      if (serial === undefined) counts.failed += 1
      else if (serials.at(-1) !== serial) serials.push(serial)
    }
  })()
  const renewalMs: number[] = []
  let serial = first
  for (let count = 0; count < renewals; count += 1) {
    await pause(APART_MS)
    const began = performance.now()
    await names.renew(WILDCARD)
    serial = await nextSerial(names, serial)
    renewalMs.push(Math.round(performance.now() - began))
    if (restarts) await edge.caddy.restart()
    // Visitors meet each of them.
    const until = performance.now() + (restarts ? 0 : PATIENCE_MS)
    while (serials.at(-1) !== serial && performance.now() < until) await pause(10)
  }
  counts.isDone = true
  await visiting
  await work.stop()
  const left = await recordsLeft(names)
  const { reports } = work
  return {
    serials,
    handshakes: counts.handshakes,
    failed: counts.failed,
    reports,
    renewalMs,
    left,
    wrongKey: await withWrongKey(names, serial),
  }
}

async function nextSerial(names: PlatformNamesEnvironment, before: string | undefined): Promise<string> {
  const until = performance.now() + PATIENCE_MS
  while (performance.now() < until) {
    const serial = (await names.certificate(WILDCARD))?.serial
    if (serial !== undefined && serial !== before) return serial
    await pause(20)
  }
  throw new Error(`no other certificate than ${before ?? 'none'} came`)
}

/** The serial number of a verified certificate; undefined if the handshake failed. */
function handshake(target: { host: string; port: number; ca: string }): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ ...target, servername: 'happy-paws.petstore.test' })
    const end = (serial: string | undefined) => {
      socket.destroy()
      resolve(serial)
    }
    socket.on('secureConnect', () => end(socket.getPeerCertificate().serialNumber.toLowerCase()))
    socket.on('error', () => end(undefined))
  })
}

async function recordsLeft({ environment: { world } }: PlatformNamesEnvironment): Promise<number> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const left = await txtRecords(world)
    if (left === 0 || performance.now() > until) return left
    await pause(100)
  }
}

async function txtRecords(world: PlatformNamesEnvironment['environment']['world']): Promise<number> {
  const at = { address: world.addressOf('platform'), port: world.ports.authoritative, waitMs: 5000 }
  const answer = await question({ ...at, name: '_acme-challenge.petstore.test', type: 'TXT' })
  return answer === null ? 1 : (answer.answers ?? []).length
}

/** With another secret than the nameserver's a renewal fails before an order, and the certificate stays. */
async function withWrongKey(names: PlatformNamesEnvironment, serial: string): Promise<Renewed['wrongKey']> {
  const wrong = `challenge:hmac-sha256:${Buffer.alloc(32, 1).toString('base64')}`
  await names.renew(WILDCARD)
  const began = performance.now()
  const work = await names.work({ ...names.byUpdate, DNS_UPDATE_KEY: wrong })
  while (work.reports.length === 0 && performance.now() - began < PATIENCE_MS) await pause(20)
  const reportedMs = Math.round(performance.now() - began)
  const isKept = (await names.certificate(WILDCARD))?.serial === serial
  await work.stop()
  return { reportedMs, report: work.reports[0] ?? '', isKept }
}

/** No handshake fails, every certificate is seen, no TXT record is left, and a wrong key is reported in time. */
export function renewalFault(measured: Renewed, renewals: number): string | undefined {
  const { serials, handshakes, failed, reports, left, wrongKey } = measured
  if (failed > 0) return `${failed} of ${handshakes} handshakes failed`
  if (serials.length !== renewals + 1) return `visitors saw ${serials.length} certificates, not ${renewals + 1}`
  if (reports.length > 0) return `the background work reported: ${reports[0]}`
  if (left > 0) return `${left} TXT records are left in the zone`
  if (!wrongKey.isKept) return 'the certificate was lost with a wrong key'
  if (!wrongKey.report.includes('BADSIG')) return `a wrong key was reported as "${wrongKey.report}"`
  return wrongKey.reportedMs > REPORTED_MS ? `a wrong key was reported after ${wrongKey.reportedMs} ms` : undefined
}
