// What a chain of redirects means, in words for the owner of a shop: what we saw,
// what visitors see, and what to do. `areWe` is whether one of our own servers has
// answered: then it is not the owner's server that must be mended.

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
const way = (hops: readonly Pick<Hop, 'url'>[], end: string): string => [...hops.map(({ url }) => url), end].join(' → ')
const timesText = (count: number): string => (count === 1 ? 'in one hop' : `in ${count} hops`)
const whoText = ({ address, server }: Hop): string => `${address ?? 'nobody'}${server ? ` (${server})` : ''}`
const isCloudflare = ({ server }: Hop): boolean => server?.toLowerCase() === 'cloudflare'

const PRIVATE_WINDOW = 'open a private window, or another browser'
const DOMAINS = 'Project settings, Domains'

function fine(hops: readonly Hop[], isRemembered: boolean): string {
  const [first, last] = [hops[0], hops.at(-1)]
  const arrival =
    hops.length === 1
      ? `${last?.url} answers itself, over a secure connection`
      : `Visitors of ${first?.url} arrive at ${last?.url} ${timesText(hops.length - 1)}, over a secure connection`
  const until = last?.certificate ? `; its certificate is valid until ${dayOf(last.certificate.validUntil)}` : ''
  // What browsers remember is told by itself, where there is something that they do.
  const memory = `If your browser shows something else, it remembers what was here before: ${PRIVATE_WINDOW}.`
  return isRemembered ? `${arrival}${until}.` : `${arrival}${until}. ${memory}`
}

function remembered({ url, status, leadsTo }: Hop, seconds: number | null): string {
  const time =
    seconds === null
      ? 'and nothing here says for how long, so it may be for months'
      : `here for ${durationText(seconds)}`
  return `Browsers remember a ${status}, ${time}: whoever was at ${url} before goes to ${leadsTo} without asking again. If yours goes elsewhere, it remembers an older redirect: ${PRIVATE_WINDOW}.`
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
  const circle = hops.slice(hops.findIndex(({ url }) => url === back))
  const advice = circle.some(isCloudflare)
    ? 'Cloudflare answers there: set its SSL/TLS mode to Full (strict), because Flexible causes exactly this.'
    : circle.length === 1
      ? `It is made by whoever answers at ${whoText(circle[0] as Hop)}: turn that redirect off.`
      : 'Each of them works against the other: turn one of them off.'
  const cookie = circle.some(({ setsCookie }) => setsCookie)
    ? ' One of them sets a cookie, which we do not send back: if browsers get through, that is why.'
    : ''
  return `The redirects go in a circle: ${way(circle, back)}. Visitors are told that there are too many redirects. ${advice}${cookie}`
}

const tooMany = (hops: readonly Hop[]): string =>
  `After ${hops.length} hops there is still no page, only the next redirect, to ${hops.at(-1)?.leadsTo}. Browsers and certificate authorities give up. Let ${hops[0]?.url} lead straight to where the site is.`

function badRedirect({ url, status, location }: Hop): string {
  const where = location === null ? 'does not say where to' : `says '${location}', which is no address on the web`
  return `${url} answers ${status}, a redirect, but ${where}. Visitors see an empty page or an error. Give the redirect a whole address, such as https://www.example.com/.`
}

const downgrade = (url: string, leadsTo: string): string =>
  `${url} is secure and sends visitors to ${leadsTo}, which is not: anybody on the way can read and change what they see, and browsers warn. Let the redirect lead to https:// instead.`

const plainHttp = ({ url }: Hop, areWe: boolean): string =>
  `${url} answers without encryption and does not lead to https://, so browsers say "Not secure". ${
    areWe
      ? `We lead visitors to https:// as soon as there is a certificate, usually a couple of minutes after the domain is verified; if it takes longer, ${DOMAINS} says why.`
      : 'Turn on HTTPS at whoever answers there, with a redirect from http://.'
  }`

const notAttached = (hop: Hop, areWe: boolean): string =>
  areWe
    ? `${hostOf(hop.url)} reaches us, but this name is not attached to a project (421). Add it in ${DOMAINS}; if it was removed there, it is served no more, and its DNS record can go as well.`
    : `${whoText(hop)} answers that it is not responsible for ${hostOf(hop.url)} (421). If that is us, this name is not attached to a project: add it in ${DOMAINS}. If not, point its DNS record at the value that is shown there.`

function errorStatus(hop: Hop): string {
  const status = hop.status ?? 0
  const isBehindCloudflare = isCloudflare(hop) && status >= 520 && status <= 527
  const meaning = isBehindCloudflare ? BEHIND_CLOUDFLARE : (meanings.get(status) ?? otherMeaning(status))
  return `${hop.url} answers ${status}: ${meaning}. It was answered by ${whoText(hop)}.`
}

const BEHIND_CLOUDFLARE =
  'Cloudflare cannot reach the server behind it. Set its SSL/TLS mode to Full (strict), or the DNS record to "DNS only"'
const NO_SUCH_PAGE = 'the server is there, but it has no such page: check the path'
const NOT_LET_IN = 'the server lets nobody in without a password or permission'
const meanings: ReadonlyMap<number, string> = new Map([
  [401, NOT_LET_IN],
  [403, NOT_LET_IN],
  [404, NO_SUCH_PAGE],
  [410, NO_SUCH_PAGE],
  [429, 'the server takes no more requests from here for now: try again later'],
])
const otherMeaning = (status: number): string =>
  status >= 500 ? 'the server is there, but its site does not work' : 'the server does not accept the request'

function severalHops(moves: readonly Hop[], last: Hop, foreign: Hop | undefined): string {
  const from = foreign ? ` The one at ${foreign.url} is not ours: ${whoText(foreign)} answers there.` : ''
  return `Visitors are sent on ${moves.length} times before they arrive: ${way(moves, last.url)}. It works, but each hop costs time, and one that is remembered wrongly breaks the rest. Let ${moves[0]?.url} lead straight to ${last.url}, in one hop.${from}`
}

const deadAddress = ({ url, address, silentAddresses }: Hop): string =>
  `${hostOf(url)} has ${silentAddresses.length === 1 ? 'an address' : 'addresses'} where nobody answers: ${silentAddresses.join(', ')}. ${address} does, but visitors who try the other first wait, or see an error. Delete that ${silentAddresses.some((one) => one.includes(':')) ? 'AAAA' : 'A'} record.`

const WARNS = 'Browsers warn that the connection is not private.'
const onItsWay = `The right one is on its way: wait a few minutes and retry in a fresh browser session. If it does not come, choose Re-verify in ${DOMAINS}, which says why.`

type CertificateText = (hop: Hop, certificate: ServedCertificate, areWe: boolean) => string

const certificate: Readonly<Record<CertificateFault, CertificateText>> = {
  wrong_name: (hop, { names }, areWe) =>
    `At ${hop.address} visitors of ${hostOf(hop.url)} get a certificate for ${namesText(names)}. ${WARNS} ${
      areWe
        ? onItsWay
        : `Usually the name leads to another server than was meant: compare its DNS record with the one in ${DOMAINS}. If this is the right server, its certificate must name ${hostOf(hop.url)} as well.`
    }`,
  expired: (hop, { validUntil }, areWe) =>
    `The certificate of ${hostOf(hop.url)} at ${hop.address} has expired on ${dayOf(validUntil)}. ${WARNS} ${
      areWe
        ? `We renew certificates by ourselves; ${DOMAINS} says what has kept us from it, and Re-verify tries again.`
        : 'Whoever runs that server must renew it, and restart the server if it was renewed already.'
    }`,
  not_yet_valid: (hop, { validFrom }) =>
    `The certificate of ${hostOf(hop.url)} at ${hop.address} is not valid before ${dayOf(validFrom)}. ${WARNS} Wait until then; if that day is past, the clock of this computer is wrong.`,
  self_signed: (hop, _, areWe) =>
    `The certificate of ${hostOf(hop.url)} at ${hop.address} is signed by nobody but itself (self-signed), as servers do that have none yet. ${WARNS} ${
      areWe ? onItsWay : 'Whoever runs that server must install one from a certificate authority.'
    }`,
  incomplete_chain: (hop, { issuer }) =>
    `${hop.address} sends the certificate of ${hostOf(hop.url)} alone, without that of its issuer (${issuer}). Some browsers know that one and show the page, others warn that the connection is not private, phones most often. Whoever runs that server must install the whole chain, often a file named fullchain.`,
  unknown_authority: (hop, { issuer }) =>
    `The certificate of ${hostOf(hop.url)} at ${hop.address} is signed by ${issuer}, which browsers do not know. ${WARNS} Such certificates come from test servers, from companies' own networks and from virus scanners; the public needs one from a public authority.`,
  unusable: (hop, { detail }) =>
    `The certificate of ${hostOf(hop.url)} at ${hop.address} is refused (${detail ?? 'no reason was given'}). ${WARNS} Whoever runs that server must install a new one, with its whole chain.`,
}

const NAMES_SHOWN = 3

function namesText(names: readonly string[]): string {
  if (names.length === 0) return 'no name at all'
  const more = names.length - NAMES_SHOWN
  return `${names.slice(0, NAMES_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

type FailureText = (hop: Hop, detail: string, areWe: boolean) => string

const atPort = ({ url, address }: Hop): string =>
  `${address} does not answer visitors of ${hostOf(url)} on port ${portOf(url)}`

const failure: Readonly<Record<FailureReason, FailureText>> = {
  no_such_name: ({ url }) =>
    `There is no ${hostOf(url)} in DNS. Check how it is spelt, or create the record that is shown in ${DOMAINS}.`,
  no_address: ({ url }) =>
    `${hostOf(url)} is known in DNS, but leads to no address. Create the record that is shown in ${DOMAINS}.`,
  dns_silent: ({ url }, detail) =>
    `Nobody could say where ${hostOf(url)} is (${detail}). That may pass; if it does not, Re-verify in ${DOMAINS} says what is wrong with its DNS.`,
  not_allowed: ({ url, address }) =>
    `${hostOf(url)} leads to ${address}, an address that nobody on the internet can reach, so it was not asked. Point its DNS record at the value that is shown in ${DOMAINS}.`,
  other_port: ({ url }) =>
    `The redirect leads to port ${portOf(url)} of ${hostOf(url)}. We ask only the ports of the web, 80 and 443, so we cannot say what visitors see there. Let the redirect lead to an address without a port.`,
  timeout: (hop) => `${atPort(hop)}: nothing came within five seconds. Often a firewall, or a server that is gone.`,
  refused: (hop) => `${atPort(hop)}: nothing listens there. Start the web server, or correct the DNS record.`,
  reset: (hop) => `${atPort(hop)}: it cuts the connection. Often a firewall, or a server that is overloaded.`,
  tls: (hop, detail, areWe) =>
    areWe
      ? `There is no certificate for ${hostOf(hop.url)} at ${hop.address} (${detail}), so no secure connection comes about. If the domain was just added, it is on its way: wait a few minutes. If it was removed, this is how it stops being served. Else ${DOMAINS} says why.`
      : `${hop.address} makes no secure connection for ${hostOf(hop.url)} (${detail}). It may have no certificate for this name, or not speak HTTPS on port ${portOf(hop.url)}: compare the DNS record with the one in ${DOMAINS}.`,
  not_http: (hop) => `${atPort(hop)} with a web page: what it says is not HTTP. Correct the DNS record or the port.`,
  unreachable: ({ address }, detail) =>
    `There is no way from this computer to ${address} (${detail}). That says nothing about the site: try again elsewhere.`,
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
