// The self-check fetches the response to a challenge as an authority would, before the
// authority is involved: what fails here would fail there, and there it counts towards a rate
// limit.
//
// - All addresses must respond correctly, because an authority checks from several locations
//   and each may use a different address.
// - IPv6 is tried first; IPv4 only where no IPv6 connection can be established, as
//   authorities do.
// - Redirects are followed only on the same name and address: no other name has our token.
// - Failures of our own servers are never reported as the owner's mistake, and neither is a
//   failure to send the request.

import type { SelfCheck } from '../../certificates/jobs.io.ts'
import { mayContact, sameAddress } from '../../foundation/dns/addresses.ts'
import type { Lookup } from '../../foundation/dns/answer.ts'
import type { Dns } from '../../foundation/dns/port.ts'
import { hasNoError, lookUpUntil } from '../../foundation/dns/lookup.io.ts'
import type { CauseCode } from '../causes/causes.ts'
import { isIntercepted } from './http-fingerprints.ts'
import { fetchAt, urlOf, type Fetched, type FetchDeps } from './probe.io.ts'
import { addressesSeen } from './query-plan.ts'

const CHALLENGE_PATH = '/.well-known/acme-challenge/'

type Checked = Awaited<ReturnType<SelfCheck>>
type Failed = Extract<Checked, { ok: false }>

/** An authority waits for about ten seconds; both address families together take no longer than a worker's lease. */
const FETCH_MS = 6000
const DNS_MS = 3000
const ADDRESSES_MAX = 8
const RESOLVER_COST = 0.1

/** `ownAddresses` are those of our edges. */
export async function selfCheckAt(
  { dns, ownAddresses, ...settings }: FetchDeps & { dns: Dns; ownAddresses: readonly string[] },
  hostname: string,
  token: string,
  keyAuthorization: string,
): Promise<Checked> {
  const looks = await resolve(dns, hostname)
  const addresses = addressesSeen(hostname, looks)
  const reachable = addresses.filter((address) => mayContact(address, settings.allowedNetworks))
  if (reachable.length === 0) return withoutAddress(hostname, looks, addresses)

  const url = urlOf(hostname, `${CHALLENGE_PATH}${token}`, settings)
  const isRight = ({ status, body }: { status: number; body: string }) =>
    status === 200 && body.trim() === keyAuthorization
  const fetchAll = (some: readonly string[]) =>
    Promise.all(
      some
        .slice(0, ADDRESSES_MAX)
        .map((address) => fetchAt({ deadlineMs: FETCH_MS, ...settings }, url, address, isRight)),
    )

  const overIpv6 = await fetchAll(reachable.filter(isIpv6))
  const wrong = overIpv6.find((fetched) => fetched.isConnected && !isRightOne(fetched))
  if (wrong) return failureAt(ownAddresses, hostname, wrong)
  if (overIpv6.length > 0 && overIpv6.every(({ isConnected }) => isConnected)) return { ok: true }
  const overIpv4 = await fetchAll(reachable.filter((address) => !isIpv6(address)))
  const failed = (overIpv4.length > 0 ? overIpv4 : overIpv6).find((fetched) => !isRightOne(fetched))
  return failed ? failureAt(ownAddresses, hostname, failed) : { ok: true }
}

const isIpv6 = (address: string) => address.includes(':')
const isRightOne = ({ outcome }: Fetched) => outcome.kind === 'ours'

/** Uses validating resolvers, as an authority does; their answers are not cached here. */
async function resolve(dns: Dns, name: string): Promise<Lookup[]> {
  const pace = { until: performance.now() + DNS_MS, questionMs: DNS_MS }
  const lookupOptions = { to: 'checked' as const, pace, cost: RESOLVER_COST, isGood: hasNoError }
  const resolvers = dns.shuffled(dns.resolvers)
  const lookups = (['A', 'AAAA'] as const).map((type) => lookUpUntil(dns, resolvers, { name, type }, lookupOptions))
  return (await Promise.all(lookups)).flat()
}

function withoutAddress(hostname: string, looks: readonly Lookup[], reserved: readonly string[]): Failed {
  if (reserved.length > 0) {
    return failed('dns.reserved_ip', `${hostname} points to ${reserved[0]}, which nobody outside can reach.`)
  }
  const answers = looks.flatMap(({ outcome }) => (outcome.kind === 'answer' ? [outcome] : []))
  const refusal = answers.find((answer) => !hasNoError(answer))
  if (refusal) return failed('ca.dns', `Resolvers answer ${refusal.rcode} when asked for the address of ${hostname}.`)
  if (answers.length > 0) return failed('dns.no_record', `${hostname} has no address.`)
  return failed('ca.malformed', `We could not ask for the address of ${hostname}.`)
}

const failed = (code: CauseCode, detail: string): Failed => ({ ok: false, code, detail })

function failureAt(ownAddresses: readonly string[], hostname: string, fetched: Fetched): Failed {
  const { code, words } = failureOf(hostname, fetched)
  const address = sameAddress(fetched.address)
  const isOwn = ownAddresses.some((own) => sameAddress(own) === address)
  return isOwn ? failed('ca.malformed', `Our own server: ${words}`) : failed(code, words)
}

function failureOf(hostname: string, { address, outcome, hops }: Fetched): { code: CauseCode; words: string } {
  if (outcome.kind === 'redirect') {
    const words = `${address} redirects certificate checks of ${hostname} to ${shortened(outcome.location)}.`
    return { code: 'http.bad_redirect', words }
  }
  if (outcome.kind === 'silence') return silences[outcome.why](address, hops.at(-1) ?? '')
  if (isIntercepted(outcome)) {
    const words = `${address} does not let certificate checks of ${hostname} through.`
    return { code: 'http.challenge_intercepted', words }
  }
  const [status, server] = outcome.kind === 'other' ? [outcome.status, outcome.server || 'unknown'] : [0, 'unknown']
  const words = `${address} answers for ${hostname} with status ${status} (server: ${server}), and it is not us.`
  return { code: 'http.not_us', words }
}

/** The requested path is long, different each time, and irrelevant to the owner. */
const shortened = (url: string): string => url.replace(/(\/\.well-known\/)acme-challenge\/[\w-]*/, '$1…')

type Silences = Extract<Fetched['outcome'], { kind: 'silence' }>['why']

const silences: Readonly<Record<Silences, (address: string, url: string) => { code: CauseCode; words: string }>> = {
  timeout: (ip) => ({ code: 'http.timeout', words: `${ip} does not answer on port 80.` }),
  refused: (ip) => ({ code: 'http.refused', words: `${ip} refuses connections on port 80.` }),
  reset: (ip) => ({ code: 'http.reset', words: `${ip} cuts the connection on port 80.` }),
  tls: (ip, url) => ({
    code: 'http.bad_redirect',
    words: `${ip} redirects certificate checks to ${shortened(url)}, where no connection comes about.`,
  }),
  not_allowed: (ip) => ({ code: 'dns.reserved_ip', words: `${ip} is an address that nobody outside can reach.` }),
  // Network failure on our own machine.
  skipped: (ip) => ({ code: 'ca.malformed', words: `We could not ask ${ip}.` }),
}
