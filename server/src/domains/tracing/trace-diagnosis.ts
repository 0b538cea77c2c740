// Diagnoses a chain of redirects for the owner of a shop. Pure: `trace.io.ts` sends the
// requests; this file decides where a redirect leads, when to stop, and what is wrong. The
// first thing that stops a visitor is the verdict; other findings follow it. A server that
// could not be reached is reported as such, and is never "wrong".

import { sameAddress } from '../../foundation/dns/addresses.ts'
import { isRedirect } from '../observing/redirect-rules.ts'
import type { FailureReason, Hop, TraceFailure } from './hop.ts'
import type { CertificateFault } from './trace-certificate.ts'
import { texts, dayOf, type FindingCode } from './trace-messages.ts'

export const HOPS_MAX = 10

/** The next URL; null at the end, in a loop, and after ten hops. */
export function nextOf(hops: readonly Hop[]): string | null {
  const to = hops.at(-1)?.leadsTo ?? null
  return to === null || hops.length >= HOPS_MAX || isVisited(hops, to) ? null : to
}

const isVisited = (hops: readonly Hop[], url: string): boolean => hops.some((hop) => hop.url === url)

/** Null if it is not a redirect to an HTTP URL. The fragment never reaches a server, nor do passwords. */
export function leadsToOf(url: string, status: number, location: string | null): string | null {
  if (!isRedirect(status) || location === null || !URL.canParse(location, url)) return null
  const to = new URL(location, url)
  if (!isOnTheWeb(to)) return null
  return plainUrl(to)
}

/** The input as the URL that a browser would request; null if it contains none. */
export function readUrl(typed: string): string | null {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed.trim()) ? typed.trim() : `http://${typed.trim()}`
  const url = URL.canParse(text) ? new URL(text) : null
  return url && isOnTheWeb(url) && url.hostname !== '' ? plainUrl(url) : null
}

const isOnTheWeb = ({ protocol }: URL): boolean => protocol === 'http:' || protocol === 'https:'

function plainUrl(url: URL): string {
  url.hash = ''
  url.username = ''
  url.password = ''
  return url.href
}

/** `must`: the owner has to act. `untold`: undetermined. `advice`: visitors arrive all the same. */
export type Weight = 'must' | 'untold' | 'advice' | 'note'

export type TraceFinding = { code: FindingCode; weight: Weight; text: string }

export type ChainVerdict = { code: FindingCode; text: string }

export type Judged = {
  verdict: ChainVerdict
  also: readonly ChainVerdict[]
  /** 0 visitors arrive, 1 action required, 3 undetermined. */
  exitCode: 0 | 1 | 3
}

const exitCodes: Readonly<Record<Weight, Judged['exitCode']>> = { must: 1, untold: 3, advice: 0, note: 0 }

/** `ours`: the addresses at which this platform answers visitors. */
export function diagnoseChain(hops: readonly Hop[], ours: readonly string[]): Judged {
  const findings = [...obstaclesIn(hops, ours), ...advicesFor(hops, ours)]
  const [first, ...others] = (['must', 'untold', 'advice'] as const)
    .flatMap((weight) => findings.filter((finding) => finding.weight === weight))
    .concat(findings.length > 0 ? [] : fine(hops), remembered(hops))
  if (first === undefined) throw new Error('a chain without hops cannot be judged')
  return { verdict: plain(first), also: others.map(plain), exitCode: exitCodes[first.weight] }
}

const plain = ({ code, text }: TraceFinding): ChainVerdict => ({ code, text })

const fine = (hops: readonly Hop[]): TraceFinding => ({
  code: 'fine',
  weight: 'note',
  text: texts.fine(hops, remembered(hops).length > 0),
})

/** What stops visitors, in the order in which they encounter it; then what they would not notice. */
function obstaclesIn(hops: readonly Hop[], ours: readonly string[]): TraceFinding[] {
  const stops = hops.flatMap((hop) => [
    ...certificateFinding(hop, isOurs(hop, ours)),
    ...failureFinding(hop, isOurs(hop, ours)),
    ...(hop === hops.at(-1) ? endFinding(hops, hop, isOurs(hop, ours)) : []),
  ])
  return [...stops, ...hops.flatMap(downgradeFinding)]
}

const isOurs = ({ address }: Hop, ours: readonly string[]): boolean =>
  address !== null && ours.some((one) => sameAddress(one) === sameAddress(address))

const certificateCodes: Readonly<Record<CertificateFault, FindingCode>> = {
  wrong_name: 'certificate_wrong_name',
  expired: 'certificate_expired',
  not_yet_valid: 'certificate_not_yet_valid',
  self_signed: 'certificate_self_signed',
  incomplete_chain: 'certificate_incomplete_chain',
  unknown_authority: 'certificate_unknown_authority',
  unusable: 'certificate_unusable',
}

/** One finding per certificate, however many faults it has: the first fault tells most. */
function certificateFinding(hop: Hop, areWe: boolean): TraceFinding[] {
  const { certificate } = hop
  const fault = certificate?.faults[0]
  if (!certificate || fault === undefined) return []
  return [{ code: certificateCodes[fault], weight: 'must', text: texts.certificate[fault](hop, certificate, areWe) }]
}

const untold: readonly FailureReason[] = ['dns_silent', 'unreachable', 'other_port']

function failureFinding(hop: Hop, areWe: boolean): TraceFinding[] {
  const { failure } = hop
  if (failure === null) return []
  const weight = untold.includes(failure.why) ? 'untold' : 'must'
  return [{ code: failure.why, weight, text: texts.failure[failure.why](hop, failure.detail, areWe) }]
}

function downgradeFinding({ url, leadsTo }: Hop): TraceFinding[] {
  const isDowngrade = url.startsWith('https:') && leadsTo?.startsWith('http:') === true
  return isDowngrade ? [{ code: 'downgrade', weight: 'must', text: texts.downgrade(url, leadsTo) }] : []
}

/** The end of the chain, and whether visitors wanted to be there. */
function endFinding(hops: readonly Hop[], last: Hop, areWe: boolean): TraceFinding[] {
  const must = (code: FindingCode, text: string): TraceFinding[] => [{ code, weight: 'must', text }]
  const { status, leadsTo, url } = last
  if (status === null) return []
  if (leadsTo !== null) {
    return isVisited(hops, leadsTo) ? must('loop', texts.loop(hops)) : must('too_many', texts.tooMany(hops))
  }
  if (isRedirect(status)) return must('bad_redirect', texts.badRedirect(last))
  if (status === 421) return must('not_attached', texts.notAttached(last, areWe))
  if (status >= 400) return must('error_status', texts.errorStatus(last))
  const isPlain = url.startsWith('http:')
  return isPlain && !hops.some((hop) => downgradeFinding(hop).length > 0)
    ? must('plain_http', texts.plainHttp(last, areWe))
    : []
}

/** The length is reported only for chains that arrive: where one breaks, it does not matter. */
function advicesFor(hops: readonly Hop[], ours: readonly string[]): TraceFinding[] {
  const last = hops.at(-1)
  const dead = hops.filter(({ status, silentAddresses }) => status !== null && silentAddresses.length > 0)
  const findings = dead.map((hop): TraceFinding => ({
    code: 'address_dead',
    weight: 'advice',
    text: texts.deadAddress(hop),
  }))
  if (!last || last.status === null || last.leadsTo !== null) return findings
  const moves = hops.filter(({ url, leadsTo }) => leadsTo !== null && originOf(leadsTo) !== originOf(url))
  if (moves.length < 2) return findings
  const foreign = moves.find((hop) => !isOurs(hop, ours))
  const text = texts.severalHops(moves, last, ours.length > 0 ? foreign : undefined)
  return [{ code: 'several_hops', weight: 'advice', text }, ...findings]
}

const originOf = (url: string): string => new URL(url).origin

/** What a returning browser may do from its cache, without a request. */
function remembered(hops: readonly Hop[]): TraceFinding[] {
  const kept = hops.filter(({ leadsTo }) => leadsTo !== null).filter((hop) => cachingOf(hop) !== 0)
  const [longest] = kept.toSorted((one, other) => (cachingOf(other) ?? Infinity) - (cachingOf(one) ?? Infinity))
  if (!longest) return []
  return [{ code: 'remembered', weight: 'note', text: texts.remembered(longest, cachingOf(longest)) }]
}

/** For how many seconds a browser may cache a redirect (RFC 9111); null if it is permanent and no time is given. */
export function cachingOf({ status, cacheControl }: Pick<Hop, 'status' | 'cacheControl'>): number | null {
  const said = cacheControl?.toLowerCase() ?? ''
  if (/\bno-(store|cache)\b/.test(said)) return 0
  const age = /\bmax-age="?(\d{1,10})/.exec(said)?.[1]
  if (age !== undefined) return Number(age)
  return status === 301 || status === 308 ? null : 0
}

// The report of a trace for a terminal: each hop as it was served, then the diagnosis. For
// programs, the same as one JSON object.

export const chainJson = (url: string, hops: readonly Hop[], { verdict, also }: Judged): string =>
  JSON.stringify({ url, hops, verdict, also })

export function chainText(hops: readonly Hop[], { verdict, also }: Judged): string {
  const meaning = [verdict, ...also].map(({ code, text }) => `${code}: ${text}`)
  return [...hops.map(hopText), ...meaning].join('\n\n')
}

function hopText({ number, url, status, leadsTo, location, cacheControl, certificate, failure, ...hop }: Hop): string {
  const { address, server, ms } = hop
  const facts: [name: string, value: string | null][] = [
    ['redirects to', leadsTo ?? (location === null ? null : `${location} (not a web address)`)],
    ['response from', address && (failure ? null : `${address}${server ? `, ${server}` : ''}`)],
    ['no response', failure && failureText(failure, address)],
    ['cache-control', cacheControl],
    ['certificate', certificate && certificateText(certificate)],
    ['time', `${ms} ms`],
  ]
  const lines = facts.flatMap(([name, value]) => (value === null ? [] : [`   ${name.padEnd(14)} ${value}`]))
  return [`${number}. ${status ?? '---'} ${url}`, ...lines].join('\n')
}

const failureText = ({ why, detail }: TraceFailure, address: string | null): string =>
  `${why.replaceAll('_', ' ')}${address ? ` at ${address}` : ''}${detail === '' ? '' : ` (${detail})`}`

function certificateText({ issuer, validUntil, faults, detail }: NonNullable<Hop['certificate']>): string {
  const refused = faults.map((fault) => fault.replaceAll('_', ' ')).join(', ')
  const why = faults.length === 0 ? 'accepted' : `REJECTED: ${refused}${detail ? ` (${detail})` : ''}`
  return `issued by ${issuer}, valid until ${dayOf(validUntil)}, ${why}`
}
