// Fetches a file from an https address that a stranger chose. Names are resolved by our own DNS client, no reserved address
// is dialled unless the operator named it, and the connection goes to exactly the address that was judged. Each redirect is
// judged again. No cookie, no credential, and no more time and bytes than allowed.

import { isIP } from 'node:net'
import { rootCertificates } from 'node:tls'
import { mayContact } from '../dns/addresses.ts'
import { findAddresses } from '../dns/find-addresses.io.ts'
import type { Dns } from '../dns/port.ts'
import { HttpFailure, sendHttp, type HttpResponse } from './http-client.io.ts'

export type FetchDeps = {
  dns: Dns
  allowedNetworks: readonly string[]
  /** Roots (PEM) to trust in addition to the public ones. */
  roots: string | undefined
  /** The port for HTTPS in tests; no other one is dialled. */
  port: number
}

export type FetchLimits = { bytesMax: number; milliseconds: number }

type Failure = {
  /** For people. */
  failure: string
  /** A server did not answer in time. */
  isLate?: boolean
}

/** The bytes, or why there are none. */
export type Fetched = { bytes: Buffer } | Failure

const REDIRECTS_MAX = 3

export async function fetchPublic(deps: FetchDeps, address: string, limits: FetchLimits): Promise<Fetched> {
  const until = performance.now() + limits.milliseconds
  let url = address
  for (let hops = 0; hops <= REDIRECTS_MAX; hops += 1) {
    const answer = await fetchOnce(deps, new URL(url), until, limits.bytesMax)
    if ('failure' in answer) return answer
    const { status, headers, body } = answer
    if (status === 200) return { bytes: body }
    const { location } = headers
    if (status < 300 || status > 399 || location === undefined) return { failure: `The server answered ${status}.` }
    if (!URL.canParse(location, url)) return { failure: 'The server redirects to no address.' }
    url = new URL(location, url).href
  }
  return { failure: 'The server redirects too often.' }
}

async function fetchOnce(deps: FetchDeps, url: URL, until: number, bytesMax: number): Promise<HttpResponse | Failure> {
  if (url.protocol !== 'https:' || url.port !== '')
    return { failure: 'Only https addresses without a port are fetched.' }
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '')
  const { addresses, outcomes } =
    isIP(host) > 0 ? { addresses: [host], outcomes: [] } : await findAddresses(deps.dns, host, until)
  const place = addresses.find((one) => mayContact(one, deps.allowedNetworks))
  if (place === undefined) {
    if (addresses.length > 0) return { failure: 'The address is not public.' }
    const isLate = outcomes.some((outcome) => outcome.kind === 'silence' && outcome.why === 'timeout')
    return {
      failure: isLate ? 'The name server of the address takes too long.' : 'The address does not exist.',
      isLate,
    }
  }
  try {
    return await sendHttp({
      options: {
        protocol: 'https:',
        host: place,
        port: deps.port,
        path: `${url.pathname}${url.search}`,
        headers: { Host: url.host, Accept: 'image/*', 'User-Agent': 'Petstore-Import/1', Connection: 'close' },
        agent: false,
        servername: isIP(host) > 0 ? '' : host,
        ...(deps.roots === undefined ? {} : { ca: [...rootCertificates, deps.roots] }),
      },
      signal: AbortSignal.timeout(Math.max(1, Math.round(until - performance.now()))),
      bytesMax,
      needsBody: ({ status }) => status === 200,
    })
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    return { failure: failures[error.why], isLate: error.why === 'late' }
  }
}

const failures: Readonly<Record<HttpFailure['why'], string>> = {
  late: 'The server takes too long.',
  too_large: 'The file is too large.',
  broken: 'The server broke off.',
  network: 'The server cannot be reached securely.',
}
