// Judges what certificates depend on: resolvers, the authority, CAA records, and changes to DNS. Pure. Checks 9 (the
// clock of the authority) and 21 to 24.

import { error, judged, warning, type Finding, type Observed } from '../../foundation/finding.ts'
import { judgeClock } from '../../foundation/postgres/judge-server.ts'

export type NamesFacts = Readonly<{
  resolvers: readonly Readonly<{ name: string; address: string; validates: Observed<boolean> }>[]
  /** Empty if no certificates are ordered here. */
  authorities: readonly AuthorityFact[]
  /** The names that get certificates, and whether their CAA records allow one of the authorities. */
  caa: readonly Readonly<{ name: string; problem: Observed<string | undefined> }>[]
  /** Undefined unless a wildcard certificate is ordered: whether a TXT record can be written, seen and removed. */
  dnsUpdate: Readonly<{ name: string; problem: string | undefined }> | undefined
}>

export type AuthorityFact = Readonly<{
  authority: string
  directory: Observed<Readonly<{ clockAheadMs: number | undefined }>>
  /** Undefined if none is registered yet. */
  account: Readonly<{ problem: string | undefined; pausedUntil: string | undefined }> | undefined
  ordersUsed: number
  ordersMax: number
}>

export const judgeNames = ({ resolvers, authorities, caa, dnsUpdate }: NamesFacts): readonly Finding[] => [
  ...judgeResolvers(resolvers),
  ...authorities.flatMap(judgeAuthority),
  ...caa.flatMap(({ name, problem }) => judged(23, `CAA of ${name}`, problem, (why) => judgeCaa(name, why))),
  ...(dnsUpdate?.problem === undefined ? [] : [failedUpdate(dnsUpdate.name, dnsUpdate.problem)]),
]

function judgeResolvers(resolvers: NamesFacts['resolvers']): readonly Finding[] {
  const operators = new Set(resolvers.map(({ name }) => name.toLowerCase()))
  const addresses = new Set(resolvers.map(({ address }) => address))
  const remedy = 'Set DNS_RESOLVERS to at least two validating resolvers of different operators.'
  const unusable = resolvers.flatMap(({ name, validates }): Finding[] => {
    if ('unknown' in validates)
      return [warning(21, `The resolver ${name} did not answer: ${validates.unknown}.`, remedy)]
    return validates.value ? [] : [error(21, `The resolver ${name} does not validate DNSSEC.`, remedy)]
  })
  const areFew = Math.min(operators.size, addresses.size) < 2
  return [...(areFew ? [error(21, 'Only one operator runs the resolvers.', remedy)] : []), ...unusable]
}

/** Dates in HTTP headers are in whole seconds. */
const DATE_PRECISION_MS = 1000
const ORDERS_SHARE_MAX = 0.8

function judgeAuthority({ authority, directory, account, ordersUsed, ordersMax }: AuthorityFact): readonly Finding[] {
  if ('unknown' in directory) {
    const remedy = 'Allow connections to the authority, or correct ACME_DIRECTORIES.'
    return [error(22, `The directory of ${authority} cannot be read: ${directory.unknown}.`, remedy)]
  }
  const { clockAheadMs } = directory.value
  return [
    ...(clockAheadMs === undefined ? [] : judgeClock(authority, clockAheadMs, DATE_PRECISION_MS)),
    ...(account?.problem === undefined
      ? []
      : [
          error(
            22,
            `The account at ${authority} does not work: ${account.problem}.`,
            'Check CERTIFICATE_KEYS; an account that is gone is registered again by the next order.',
          ),
        ]),
    ...(account?.pausedUntil === undefined
      ? []
      : [
          warning(
            22,
            `Orders at ${authority} pause until ${account.pausedUntil}.`,
            'Wait. The authority did not respond, or limits orders.',
          ),
        ]),
    ...(ordersUsed <= ORDERS_SHARE_MAX * ordersMax
      ? []
      : [
          warning(
            22,
            `${ordersUsed} of ${ordersMax} orders of this window are used at ${authority}.`,
            'Wait, or ask the authority for a higher limit and set ACME_ORDERS_PER_3_HOURS.',
          ),
        ]),
  ]
}

const judgeCaa = (name: string, problem: string | undefined): readonly Finding[] =>
  problem === undefined
    ? []
    : [
        error(
          23,
          `CAA records do not allow certificates for ${name}: ${problem}.`,
          'Add a CAA record for the authority, or remove those of others.',
        ),
      ]

const failedUpdate = (name: string, problem: string): Finding =>
  error(
    24,
    `The record ${name} could not be tried: ${problem}.`,
    'Check DNS_UPDATE_SERVER and DNS_UPDATE_KEY, or DNS_UPDATE_HOOK.',
  )
