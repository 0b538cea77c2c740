// Renews the wildcard certificate of a platform again and again while visitors connect. The server of
// the handshakes does what an edge does: for every handshake it takes the certificate that the host
// table names at this moment. Nothing is restarted.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, createSecureContext, createServer, type SecureContext, type Server } from 'node:tls'
import { question } from '../../internet/dns-query.ts'
import { startPlatformNames, type PlatformNamesEnvironment } from '../../harness/platform-names.ts'

const WILDCARD = '*.petstore.test'
const PATIENCE_MS = 120_000
/** Certificates differ in their last second. */
const APART_MS = 1500

export type RenewalOptions = {
  renewals: number
  handshakes: number
  /** Negative control: the server is restarted for each new certificate. */
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
  let server = await startServer(names)
  const { port } = server.address() as AddressInfo
  const ca = await names.environment.pebble.rootPem()
  const serials: string[] = []
  const counts = { handshakes: 0, failed: 0, isDone: false }
  const visiting = (async () => {
    while (!counts.isDone || counts.handshakes < handshakes) {
      const serial = await handshake(port, ca)
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
    if (restarts) server = await restarted(server, names, port)
    // Visitors meet each of them.
    const until = performance.now() + (restarts ? 0 : PATIENCE_MS)
    while (serials.at(-1) !== serial && performance.now() < until) await pause(10)
  }
  counts.isDone = true
  await visiting
  await work.stop()
  server.close()
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

function startServer(names: PlatformNamesEnvironment, port = 0): Promise<Server> {
  const answer = async (done: (error: Error | null, context?: SecureContext) => void) => {
    const found = await names.certificate(WILDCARD).catch(() => undefined)
    if (found) done(null, createSecureContext({ cert: found.chain, key: found.key }))
    else done(new Error('there is no certificate'))
  }
  const server = createServer({
    SNICallback: (_, done) => void answer(done),
  })
  server.on('tlsClientError', () => {})
  server.on('secureConnection', (socket) => void socket.on('error', () => {}).end())
  return new Promise((resolve) => void server.listen(port, '127.0.0.1', () => resolve(server)))
}

async function restarted(server: Server, names: PlatformNamesEnvironment, port: number): Promise<Server> {
  server.close()
  await once(server, 'close')
  await pause(200)
  return startServer(names, port)
}

/** The serial number of a verified certificate; undefined if the handshake failed. */
function handshake(port: number, ca: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, servername: 'happy-paws.petstore.test', ca })
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
