// Commands of the owner of a store for its domains, as requests to `/platform/v1`, and the
// responses as lines for people. The wording is that of the dashboard. Pure.

import type {
  Domain,
  DomainEvent,
  DomainRemoval,
  DomainSummary,
} from '@petstore-platform/contract/platform/domain-shapes'

export const usage = `npm run world -- owner list                           the domains of the store
npm run world -- owner add <hostname>                 Add domain: shows the record to create
npm run world -- owner show <hostname>                its status, and what blocks it
npm run world -- owner verify <hostname>              Verify, or Re-verify at any later time
npm run world -- owner watch <hostname>               shows every change until it is live
npm run world -- owner primary <hostname>             makes it the primary domain
npm run world -- owner redirect <from> <to> [status]  redirects one domain to another
npm run world -- owner redirect <from> none           removes that redirect
npm run world -- owner remove <hostname>              Remove: visitors are no longer served there
npm run world -- owner history <hostname>             its history`

export type OwnerCommand =
  | { kind: 'list' }
  | { kind: 'add' | 'show' | 'verify' | 'watch' | 'primary' | 'remove' | 'history'; hostname: string }
  /** `to` null ends the redirect. */
  | { kind: 'redirect'; from: string; to: string | null; status: number }
  | { kind: 'mistake'; say: string }

const withHostname = ['add', 'show', 'verify', 'watch', 'primary', 'remove', 'history'] as const

export function parseOwnerCommand([
  verb = 'list',
  hostname,
  to,
  status = '301',
  ...more
]: readonly string[]): OwnerCommand {
  const kind = withHostname.find((word) => word === verb)
  if (verb === 'list' && hostname === undefined) return { kind: 'list' }
  if (kind && hostname !== undefined && to === undefined) return { kind, hostname }
  const isWhole = hostname !== undefined && to !== undefined && /^\d{3}$/.test(status) && more.length === 0
  if (verb === 'redirect' && isWhole) {
    return { kind: 'redirect', from: hostname, to: to === 'none' ? null : to, status: Number(status) }
  }
  return { kind: 'mistake', say: usage }
}

/** The domain as it is shown right after an action. */
export function domainText(domain: Domain): string {
  const { hostname, status, records, rootCause, also, certificate } = domain
  const location = locationText(domain)
  return [
    `${hostname}: ${status}${location === '' ? '' : `, ${location}`}`,
    ...(rootCause ? [`  ${rootCause.code}: ${rootCause.advice}`] : []),
    ...also.map(({ code, advice }) => `  also ${code}: ${advice}`),
    ...records.map(recordText),
    ...(certificate ? [certificateText(certificate)] : []),
    ...(domain.nextCheckAt === null ? [] : [`  next check ${timeOf(domain.nextCheckAt)}`]),
  ].join('\n')
}

const timeOf = (time: string): string => time.slice(11, 19)

const locationText = ({ isPrimary, redirect }: Pick<Domain, 'isPrimary' | 'redirect'>): string =>
  isPrimary ? 'primary' : redirect ? `redirects to ${redirect.to} (${redirect.status})` : ''

const recordText = ({ type, name, value, ttl, state, have }: Domain['records'][number]): string =>
  `  record  ${type}  ${name}  ${value}  TTL ${ttl}: ${state}${have.length === 0 ? '' : `; current: ${have.map(({ line, todo }) => `${line} (${todo})`).join(', ')}`}`

const certificateText = ({ authority, serial, validUntil, renewsAt }: NonNullable<Domain['certificate']>): string =>
  `  certificate of ${authority}, serial ${serial}, valid until ${dayOf(validUntil)}, renewed about ${dayOf(renewsAt)}`

const dayOf = (time: string): string => time.slice(0, 10)

export const listText = (domains: readonly DomainSummary[]): string =>
  domains.length === 0
    ? 'There are no domains yet.'
    : domains
        .map((domain) => [domain.hostname, domain.status, locationText(domain), domain.rootCause?.code ?? ''])
        .map((cells) => cells.filter((cell) => cell !== '').join('  '))
        .join('\n')

export function removalText(hostname: string, { edges }: DomainRemoval): string {
  const confirmed = edges.filter(({ confirmedAt }) => confirmedAt !== null)
  const others = edges.filter(({ confirmedAt }) => confirmedAt === null).map(({ edge }) => edge)
  const rest = others.length === 0 ? '' : ` Not yet: ${others.join(', ')}.`
  return `${hostname} has been removed on ${confirmed.length} of ${edges.length} servers.${rest}`
}

export const historyText = (events: readonly DomainEvent[]): string =>
  events
    .toReversed()
    .map(({ at, kind, code }) => `${timeOf(at)}  ${kind}${code === null ? '' : `  ${code}`}`)
    .join('\n')
