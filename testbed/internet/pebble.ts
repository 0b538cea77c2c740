// A real certificate authority for tests: Let's Encrypt's pebble, as an ordinary user, on
// loopback, with a TLS certificate created at the start. It loses all data when it ends and has
// a new root at every start, which is itself a drill: after `restart` no earlier account, order
// or authorization exists.
//
// Its nuisances (rejected nonces, slow validation, authorizations that are already valid) are
// optional; faults that it cannot produce come from the fault proxy in front of it.

import { readFileSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { freePort } from '../../devserver/free-port.ts'
import { makeDirectory, putFile, run, startDaemon, until, type Daemon } from './processes.ts'

export type PebbleOptions = {
  /** The resolver it uses, `address:port`. */
  dnsServer: string
  /** The port of the websites that it validates. */
  httpPort: number
  /** Half of the nonces rejected, up to a second before a validation, half of the authorizations already valid. */
  nuisances?: boolean
  /** In place of the value from `nuisances`. */
  nonceRejectPercent?: number
  authorizationReusePercent?: number
  /** Up to this many seconds before each validation; 0 for none. */
  sleepSeconds?: number
  /** Validity of its certificates. */
  validitySeconds?: number
  /** Number of intermediates in a chain, besides the leaf. */
  chainLength?: number
}

export type Pebble = {
  directoryUrl: string
  host: string
  /** The root of its certificates, until it is restarted. */
  rootPem(): Promise<string>
  /** The issuer of its certificates, signed by the root. */
  issuerPem(): Promise<string>
  /** The certificate to trust for connections to it. */
  tlsRootPem: string
  /** The key of that certificate, for a proxy in its place. */
  tlsKeyPem: string
  processId(): number
  stop(): Promise<void>
  /** At the same address, without any data. */
  restart(): Promise<void>
  close(): Promise<void>
}

export async function startPebble(options: PebbleOptions): Promise<Pebble> {
  const directory = makeDirectory()
  const remove = (): void => rmSync(directory, { recursive: true, force: true })
  try {
    const tls = await makeTlsCertificate(directory)
    for (let attempt = 1; ; attempt++) {
      const [port, managementPort] = [await freePort(), await freePort()]
      try {
        return await begin({ directory, port, managementPort, tls, remove }, options)
      } catch (error) {
        // Another process may have taken a port in the meantime.
        if (attempt === 3) throw error
      }
    }
  } catch (error) {
    remove()
    throw error
  }
}

type Tls = { key: string; cert: string; keyFile: string; certFile: string }
type PebbleFiles = { directory: string; port: number; managementPort: number; tls: Tls; remove: () => void }

async function begin(files: PebbleFiles, options: PebbleOptions): Promise<Pebble> {
  const configuration = join(files.directory, 'pebble.json')
  putFile(configuration, JSON.stringify({ pebble: settings(files, options) }))
  const host = `127.0.0.1:${files.port}`
  const directoryUrl = `https://${host}/dir`
  const start = async (): Promise<Daemon> => {
    const command = ['pebble', '-config', configuration, '-dnsserver', options.dnsServer]
    const daemon = startDaemon('env', [...nuisancesOf(options), ...command])
    try {
      await until('An answer of pebble', async () => {
        if (daemon.isGone()) throw new Error(`pebble ended by itself (apt-get install pebble): ${daemon.said()}`)
        return (await read(directoryUrl, files.tls.cert)) !== null
      })
    } catch (error) {
      await daemon.stop()
      throw error
    }
    return daemon
  }
  let daemon = await start()
  return {
    directoryUrl,
    host,
    rootPem: () => authorityPem(files, 'roots'),
    issuerPem: () => authorityPem(files, 'intermediates'),
    tlsRootPem: files.tls.cert,
    tlsKeyPem: files.tls.key,
    processId: () => daemon.pid,
    stop: () => daemon.stop(),
    async restart() {
      await daemon.stop()
      daemon = await start()
    },
    async close() {
      await daemon.stop()
      files.remove()
    },
  }
}

async function authorityPem({ managementPort, tls }: PebbleFiles, which: 'roots' | 'intermediates'): Promise<string> {
  const pem = await read(`https://127.0.0.1:${managementPort}/${which}/0`, tls.cert)
  if (pem === null) throw new Error(`pebble does not tell its ${which}.`)
  return pem
}

const settings = ({ port, managementPort, tls }: PebbleFiles, options: PebbleOptions) => ({
  listenAddress: `127.0.0.1:${port}`,
  managementListenAddress: `127.0.0.1:${managementPort}`,
  certificate: tls.certFile,
  privateKey: tls.keyFile,
  httpPort: options.httpPort,
  // Never used: we use HTTP-01 only.
  tlsPort: options.httpPort,
  ...(options.validitySeconds === undefined ? {} : { certificateValidityPeriod: options.validitySeconds }),
})

function nuisancesOf(options: PebbleOptions): readonly string[] {
  const usual = options.nuisances === true ? 50 : 0
  const sleep = options.sleepSeconds ?? (options.nuisances === true ? 1 : 0)
  return [
    `PEBBLE_WFE_NONCEREJECT=${options.nonceRejectPercent ?? usual}`,
    `PEBBLE_AUTHZREUSE=${options.authorizationReusePercent ?? usual}`,
    ...(sleep === 0 ? ['PEBBLE_VA_NOSLEEP=1'] : [`PEBBLE_VA_SLEEPTIME=${sleep}`]),
    ...(options.chainLength === undefined ? [] : [`PEBBLE_CHAIN_LENGTH=${options.chainLength}`]),
  ]
}

async function makeTlsCertificate(directory: string): Promise<Tls> {
  const [keyFile, certFile] = [join(directory, 'tls-key.pem'), join(directory, 'tls-cert.pem')]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const names = ['-subj', '/CN=authority.test', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  await run('openssl', ['req', '-x509', ...kind, ...names, '-keyout', keyFile, '-out', certFile])
  return { keyFile, certFile, key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') }
}

/** Null if there is no response, or not a successful one. */
function read(url: string, ca: string): Promise<string | null> {
  return new Promise((resolve) => {
    const pending = request(url, { ca, agent: false, timeout: 1_000 }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (text += part))
      response.on('end', () => resolve(response.statusCode === 200 ? text : null))
      response.on('error', () => resolve(null))
    })
    pending.on('timeout', () => pending.destroy())
    pending.on('error', () => resolve(null))
    pending.end()
  })
}
