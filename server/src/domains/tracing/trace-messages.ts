// The messages of a trace for the owner of a shop: what we found, what visitors see, and what
// to do. `areWe` is whether one of our own servers responded: then it is not the owner's server
// that needs a fix.

import type { CertificateFault, ServedCertificate } from './trace-certificate.ts'
import type { FailureReason, Hop } from './hop.ts'

export type FindingCode =
  | 'fine'
  | 'remembered'
  | 'several_hops'
  | 'address_dead'
  | 'loop'
  | 'too_many'
  | 'bad_redirect'
  | 'downgrade'
  | 'plain_http'
  | 'not_attached'
  | 'error_status'
  | `certificate_${CertificateFault}`
  | FailureReason

const hostOf = (url: string): string => new URL(url).hostname
const portOf = (url: string): string => new URL(url).port || (url.startsWith('https:') ? '443' : '80')
export const dayOf = (time: string): string => time.slice(0, 10)
const chain = (hops: readonly Pick<Hop, 'url'>[], end: string): string =>
  [...hops.map(({ url }) => url), end].join(' → ')
const timesText = (count: number): string => (count === 1 ? 'with one redirect' : `with ${count} redirects`)
const whoText = ({ address, server }: Hop): string => `${address ?? 'an unknown server'}${server ? ` (${server})` : ''}`
const isCloudflare = ({ server }: Hop): boolean => server?.toLowerCase() === 'cloudflare'

const PRIVATE_WINDOW = 'open a private window, or another browser'
const DOMAINS = 'Project settings, Domains'

function fine(hops: readonly Hop[], isRemembered: boolean): string {
  const [first, last] = [hops[0], hops.at(-1)]
  const arrival =
    hops.length === 1
      ? `${last?.url} responds directly, over a secure connection`
      : `Visitors to ${first?.url} arrive at ${last?.url} ${timesText(hops.length - 1)}, over a secure connection`
  const until = last?.certificate ? `; its certificate is valid until ${dayOf(last.certificate.validUntil)}` : ''
  // Browser caching has a message of its own, where it applies.
  const memory = `If your browser shows something else, it has cached an older response: ${PRIVATE_WINDOW}.`
  return isRemembered ? `${arrival}${until}.` : `${arrival}${until}. ${memory}`
}

function remembered({ url, status, leadsTo }: Hop, seconds: number | null): string {
  const time =
    seconds === null ? 'and the response sets no limit, so it may be for months' : `here for ${durationText(seconds)}`
  return `Browsers remember a ${status}, ${time}: anyone who has visited ${url} goes to ${leadsTo} without a new request. If your browser goes elsewhere, it has cached an older redirect: ${PRIVATE_WINDOW}.`
}

const units = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

function durationText(seconds: number): string {
  const [size, word] = units.find(([one]) => seconds >= one) ?? [1, 'second']
  const count = Math.round(seconds / size)
  return count === 1 ? `one ${word}` : `${count} ${word}s`
}

function loop(hops: readonly Hop[]): string {
  const back = hops.at(-1)?.leadsTo ?? ''
  const inLoop = hops.slice(hops.findIndex(({ url }) => url === back))
  const advice = inLoop.some(isCloudflare)
    ? 'Cloudflare answers there: set its SSL/TLS mode to Full (strict), because Flexible causes exactly this.'
    : inLoop.length === 1
      ? `It comes from the server at ${whoText(inLoop[0] as Hop)}: turn that redirect off.`
      : 'They work against each other: turn one of them off.'
  const cookie = inLoop.some(({ setsCookie }) => setsCookie)
    ? ' One of them sets a cookie, which we do not send back: if browsers get through, that is why.'
    : ''
  return `The redirects form a loop: ${chain(inLoop, back)}. Browsers report too many redirects. ${advice}${cookie}`
}

const tooMany = (hops: readonly Hop[]): string =>
  `After ${hops.length} responses there is still no page, only another redirect, to ${hops.at(-1)?.leadsTo}. Browsers and certificate authorities give up. Redirect ${hops[0]?.url} directly to the site.`

function badRedirect({ url, status, location }: Hop): string {
  const where = location === null ? 'names no destination' : `names '${location}', which is not a web address`
  return `${url} responds with ${status}, a redirect, but ${where}. Visitors see an empty page or an error. Give the redirect a full address, such as https://www.example.com/.`
}

const downgrade = (url: string, leadsTo: string): string =>
  `${url} is secure but redirects to ${leadsTo}, which is not: others on the network can read and change what visitors see, and browsers warn. Redirect to https:// instead.`

const plainHttp = ({ url }: Hop, areWe: boolean): string =>
  `${url} responds without encryption and does not redirect to https://, so browsers show "Not secure". ${
    areWe
      ? `We redirect visitors to https:// as soon as there is a certificate, usually a couple of minutes after the domain is verified; if it takes longer, ${DOMAINS} says why.`
      : 'Turn on HTTPS on the server that responds there, with a redirect from http://.'
  }`

const notAttached = (hop: Hop, areWe: boolean): string =>
  areWe
    ? `${hostOf(hop.url)} reaches us, but this name is not attached to a project (421). Add it in ${DOMAINS}; if it was removed there, it is no longer served, and its DNS record can be deleted too.`
    : `${whoText(hop)} responds that it is not responsible for ${hostOf(hop.url)} (421). If that is us, this name is not attached to a project: add it in ${DOMAINS}. If not, point its DNS record to the value shown there.`

function errorStatus(hop: Hop): string {
  const status = hop.status ?? 0
  const isBehindCloudflare = isCloudflare(hop) && status >= 520 && status <= 527
  const meaning = isBehindCloudflare ? BEHIND_CLOUDFLARE : (meanings.get(status) ?? otherMeaning(status))
  return `${hop.url} responds with ${status}: ${meaning}. The response came from ${whoText(hop)}.`
}

const BEHIND_CLOUDFLARE =
  'Cloudflare cannot reach the server behind it. Set its SSL/TLS mode to Full (strict), or the DNS record to "DNS only"'
const NO_SUCH_PAGE = 'the server is reachable but has no such page: check the path'
const NOT_LET_IN = 'the server requires a login or permission'
const meanings: ReadonlyMap<number, string> = new Map([
  [401, NOT_LET_IN],
  [403, NOT_LET_IN],
  [404, NO_SUCH_PAGE],
  [410, NO_SUCH_PAGE],
  [429, 'the server is limiting our requests: try again later'],
])
const otherMeaning = (status: number): string =>
  status >= 500 ? 'the server is reachable, but its site does not work' : 'the server does not accept the request'

function severalHops(moves: readonly Hop[], last: Hop, foreign: Hop | undefined): string {
  const from = foreign ? ` The one at ${foreign.url} is not ours: ${whoText(foreign)} responds there.` : ''
  return `Visitors are redirected ${moves.length} times before they arrive: ${chain(moves, last.url)}. It works, but each redirect costs time, and one that browsers have cached wrongly breaks the rest. Redirect ${moves[0]?.url} directly to ${last.url}.${from}`
}

const deadAddress = ({ url, address, silentAddresses }: Hop): string =>
  `${hostOf(url)} has ${silentAddresses.length === 1 ? 'an address that does not respond' : 'addresses that do not respond'}: ${silentAddresses.join(', ')}. ${address} does, but visitors who try the other first wait, or see an error. Delete that ${silentAddresses.some((one) => one.includes(':')) ? 'AAAA' : 'A'} record.`

const WARNS = 'Browsers warn that the connection is not private.'
const onItsWay = `The right one is on its way: wait a few minutes and retry in a fresh browser session. If it does not arrive, choose Re-verify in ${DOMAINS}, which says why.`

type CertificateText = (hop: Hop, certificate: ServedCertificate, areWe: boolean) => string

const certificate: Readonly<Record<CertificateFault, CertificateText>> = {
  wrong_name: (hop, { names }, areWe) =>
    `At ${hop.address} visitors to ${hostOf(hop.url)} get a certificate for ${namesText(names)}. ${WARNS} ${
      areWe
        ? onItsWay
        : `Usually the name points to the wrong server: compare its DNS record with the one in ${DOMAINS}. If this is the right server, its certificate must name ${hostOf(hop.url)} as well.`
    }`,
  expired: (hop, { validUntil }, areWe) =>
    `The certificate of ${hostOf(hop.url)} at ${hop.address} expired on ${dayOf(validUntil)}. ${WARNS} ${
      areWe
        ? `We renew certificates automatically; ${DOMAINS} says what has prevented it, and Re-verify tries again.`
        : 'The operator of that server must renew it, and restart the server if it was already renewed.'
    }`,
  not_yet_valid: (hop, { validFrom }) =>
    `The certificate of ${hostOf(hop.url)} at ${hop.address} is not valid before ${dayOf(validFrom)}. ${WARNS} Wait until then; if that day is past, the clock of this computer is wrong.`,
  self_signed: (hop, _, areWe) =>
    `The certificate of ${hostOf(hop.url)} at ${hop.address} is self-signed, as on a server that has no proper one yet. ${WARNS} ${
      areWe ? onItsWay : 'The operator of that server must install one from a certificate authority.'
    }`,
  incomplete_chain: (hop, { issuer }) =>
    `${hop.address} sends the certificate of ${hostOf(hop.url)} without the certificate of its issuer (${issuer}). Some browsers already have that one and show the page; others, phones most often, warn that the connection is not private. The operator of that server must install the whole chain, often a file named fullchain.`,
  unknown_authority: (hop, { issuer }) =>
    `The certificate of ${hostOf(hop.url)} at ${hop.address} is signed by ${issuer}, which browsers do not know. ${WARNS} Such certificates come from test servers, from companies' own networks and from virus scanners; the public needs one from a public authority.`,
  unusable: (hop, { detail }) =>
    `The certificate of ${hostOf(hop.url)} at ${hop.address} is rejected (${detail ?? 'no reason was given'}). ${WARNS} The operator of that server must install a new one, with its whole chain.`,
}

const NAMES_SHOWN = 3

function namesText(names: readonly string[]): string {
  if (names.length === 0) return 'no name at all'
  const more = names.length - NAMES_SHOWN
  return `${names.slice(0, NAMES_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

type FailureText = (hop: Hop, detail: string, areWe: boolean) => string

const atPort = ({ url, address }: Hop): string =>
  `${address} does not respond to visitors of ${hostOf(url)} on port ${portOf(url)}`

const failure: Readonly<Record<FailureReason, FailureText>> = {
  no_such_name: ({ url }) =>
    `${hostOf(url)} does not exist in DNS. Check the spelling, or create the record shown in ${DOMAINS}.`,
  no_address: ({ url }) => `${hostOf(url)} exists in DNS but has no address. Create the record shown in ${DOMAINS}.`,
  dns_silent: ({ url }, detail) =>
    `DNS gave no answer for ${hostOf(url)} (${detail}). This may be temporary; if it persists, Re-verify in ${DOMAINS} says what is wrong with its DNS.`,
  not_allowed: ({ url, address }) =>
    `${hostOf(url)} leads to ${address}, an address that cannot be reached from the internet, so we did not contact it. Point its DNS record to the value shown in ${DOMAINS}.`,
  other_port: ({ url }) =>
    `The redirect leads to port ${portOf(url)} of ${hostOf(url)}. We contact only ports 80 and 443, so we cannot say what visitors see there. Redirect to an address without a port.`,
  timeout: (hop) =>
    `${atPort(hop)}: no response within five seconds. Often a firewall, or a server that no longer exists.`,
  refused: (hop) => `${atPort(hop)}: nothing listens there. Start the web server, or correct the DNS record.`,
  reset: (hop) => `${atPort(hop)}: it closes the connection. Often a firewall, or a server that is overloaded.`,
  tls: (hop, detail, areWe) =>
    areWe
      ? `There is no certificate for ${hostOf(hop.url)} at ${hop.address} (${detail}), so a secure connection cannot be established. If the domain was just added, the certificate is on its way: wait a few minutes. If the domain was removed, this is expected. Otherwise ${DOMAINS} says why.`
      : `${hop.address} does not establish a secure connection for ${hostOf(hop.url)} (${detail}). It may have no certificate for this name, or not support HTTPS on port ${portOf(hop.url)}: compare the DNS record with the one in ${DOMAINS}.`,
  not_http: (hop) => `${atPort(hop)} with a web page: what it sends is not HTTP. Correct the DNS record or the port.`,
  unreachable: ({ address }, detail) =>
    `This computer has no route to ${address} (${detail}). That says nothing about the site: try again from another network.`,
}

export const texts = {
  fine,
  remembered,
  loop,
  tooMany,
  badRedirect,
  downgrade,
  plainHttp,
  notAttached,
  errorStatus,
  severalHops,
  deadAddress,
  certificate,
  failure,
}
