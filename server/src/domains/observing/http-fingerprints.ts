// HTTP fingerprints identify the sender of a response: a registrar's forwarder, a parking
// page, a login or a browser check, an error page of Cloudflare. They are hints, not proofs:
// each is only used where something is already wrong.

import type { Probe } from './evidence.ts'
import type { Provider } from '../providers/provider.ts'

type Outcome = Probe['outcome']
export type Other = Extract<Outcome, { kind: 'other' }>

export const isOurs = ({ outcome }: Probe) => outcome.kind === 'ours'

/** Requested without a response: not the same as not requested. */
export const isDead = ({ outcome }: Probe) =>
  outcome.kind === 'silence' && outcome.why !== 'not_allowed' && outcome.why !== 'skipped'

/** Whether the probe allows any conclusion about the address. */
export const isConclusive = ({ outcome }: Probe) => outcome.kind !== 'silence' || isDead({ outcome } as Probe)

/** Whether a web forwarder responds: it redirects every request to another site, regardless of the path. */
export function isForwarding({ address, url, outcome }: Probe, provider: Provider | null = null): boolean {
  if (outcome.kind !== 'redirect') return false
  if (provider?.forwarding.includes(address)) return true
  if (!URL.canParse(outcome.location, url)) return false
  return new URL(outcome.location, url).hostname !== new URL(url).hostname && outcome.refused !== 'loop'
}

const parkingWords =
  /domain (name )?(is|may be) (parked|for sale)|parked (free|domain|page)|this domain (is|has been) (registered|parked)|buy this domain|sedoparking|parkingcrew|bodis\.com|hugedomains|future home of something quite cool|domain default page|website coming soon/i

/** Whether the response is a page that shows only that the name is taken. */
export function isParking({ address, outcome }: Probe, provider: Provider | null = null): boolean {
  if (provider?.parking.includes(address)) return outcome.kind !== 'ours'
  if (outcome.kind === 'other')
    return parkingWords.test(outcome.body) || /^(parking|openresty\/parking)/i.test(outcome.server)
  return (
    outcome.kind === 'redirect' &&
    /\/\/([\w-]+\.)*(sedo|sedoparking|bodis|parkingcrew|hugedomains|afternic|dan)\.(com|net)\//i.test(outcome.location)
  )
}

const checkWords =
  /just a moment|attention required|checking your browser|verify (that )?you are (a )?human|captcha|access denied|request blocked|web application firewall|please log ?in|sign in to continue/i

/** Whether a program is rejected where a browser, or a person with a password, would be let through. */
export function isIntercepted(outcome: Outcome): boolean {
  if (outcome.kind !== 'other') return false
  if (outcome.headers['cf-mitigated'] !== undefined || [401, 403, 407].includes(outcome.status)) return true
  return [200, 406, 429, 503].includes(outcome.status) && checkWords.test(outcome.body)
}

/** The number on an error page of Cloudflare, such as 1014. */
export function cloudflareError(outcome: Outcome): number | null {
  if (outcome.kind !== 'other') return null
  const [, code] = /error(?:\s+code)?:?\s*(1\d{3})\b/i.exec(outcome.body) ?? []
  return code === undefined ? null : Number(code)
}

/** Whether Cloudflare reports that it cannot reach the origin server. */
export const isOriginError = (outcome: Outcome): outcome is Other =>
  outcome.kind === 'other' && ((outcome.status >= 520 && outcome.status <= 527) || outcome.status === 530)

/** Whether it redirected from HTTP to HTTPS on the same name. */
export const wentToHttps = ({ hops, outcome }: Probe) =>
  hops.some((hop) => hop.startsWith('https://')) ||
  (outcome.kind === 'redirect' && outcome.location.startsWith('https://') && outcome.refused === 'loop')

/** The result of one address in a few words, for a list. */
export function wordsOf({ address, outcome }: Probe): string {
  if (outcome.kind === 'ours') return `\`${address}\` reaches us`
  if (outcome.kind === 'redirect') return `\`${address}\` redirects to \`${outcome.location}\``
  if (outcome.kind === 'other') return `\`${address}\` answers with another site (status ${outcome.status})`
  return `\`${address}\` ${silenceWords[outcome.why]}`
}

const silenceWords: Readonly<Record<Extract<Outcome, { kind: 'silence' }>['why'], string>> = {
  timeout: 'does not answer',
  refused: 'refuses connections',
  reset: 'cuts the connection',
  tls: 'cannot be reached over HTTPS',
  not_allowed: 'was not asked',
  skipped: 'was not asked',
}

/** The text of a page without its markup: it is more informative than as many characters of the source. */
export const wordsIn = (page: string): string =>
  page
    .replace(/<(script|style)\b[^>]*>.*?<\/\1\s*>/gis, ' ')
    .replace(/<!--.*?-->|<[^>]*>/gs, ' ')
    .replace(/[ \t\r\n]+/g, ' ')
    .trim()
