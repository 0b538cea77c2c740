// Observes what certificates depend on: resolvers, authorities, CAA records, and changes to DNS.

import { sealedFor, type OpenAcme } from '../../certificates/acme-accounts.io.ts'
import { listAccounts, readUses, type AuthorityAccount } from '../../certificates/allowance-queries.ts'
import { openKeys, type KeyRing } from '../../certificates/key-encryption.io.ts'
import {
  caaDecisions,
  caaVerdict,
  type CaaDecision,
  type CaaLevel,
  type CaaVerdict,
} from '../../domains/judging/caa.ts'
import type { Authority } from '../../domains/observing/evidence.ts'
import type { DnsAnswer, QuestionType } from '../../foundation/dns/answer.ts'
import { namesUpward } from '../../foundation/dns/hostname.ts'
import { goodIn, hasNoError, lookUpUntil } from '../../foundation/dns/lookup.io.ts'
import type { Dns } from '../../foundation/dns/port.ts'
import type { Observed } from '../../foundation/finding.ts'
import { sendHttp } from '../../foundation/http/http-client.io.ts'
import type { Database } from '../../foundation/postgres/postgres.io.ts'
import type { AuthorityFact, NamesFacts } from './judge-names.ts'

const LOOKUP_MS = 5000

/** Following CNAME records, as resolvers do. */
export async function addressesOf(dns: Dns, name: string): Promise<Observed<readonly string[]>> {
  const answers = await Promise.all((['A', 'AAAA'] as const).map((type) => answerOf(dns, name, type)))
  const known = answers.filter((answer) => answer !== null)
  if (known.length === 0) return { unknown: `no resolver answers for ${name}` }
  return { value: known.flatMap(({ records }) => records.flatMap((one) => ('address' in one ? [one.address] : []))) }
}

/** Null if no resolver answered. */
async function answerOf(dns: Dns, name: string, type: QuestionType): Promise<DnsAnswer | null> {
  const pace = { until: performance.now() + LOOKUP_MS, questionMs: LOOKUP_MS }
  return goodIn(await lookUpUntil(dns, dns.resolvers, { name, type }, { to: 'checked', pace, isGood: hasNoError }))
}

export type NamesSubject = Readonly<{
  dns: Dns
  /** Undefined if no certificates are ordered. */
  ordering:
    | Readonly<{
        database: Database
        keys: KeyRing
        directories: ReadonlyMap<string, string>
        testRoots: string | undefined
        openAcme: OpenAcme
        ordersMax: number
      }>
    | undefined
  authorities: readonly Authority[]
  /** That get certificates; `*.` in front of a name for a wildcard. */
  names: readonly string[]
  /** Undefined unless a wildcard certificate is ordered: changes a TXT record, and returns why it could not. */
  changeTxt: ((change: 'add' | 'remove', name: string, value: string) => Promise<string | undefined>) | undefined
}>

const DEADLINE_MS = 5000

export async function observeNames(subject: NamesSubject): Promise<NamesFacts> {
  const { dns, ordering, names } = subject
  const [resolvers, authorities, caa, dnsUpdate] = await Promise.all([
    Promise.all(dns.resolvers.map((resolver) => observeResolver(dns, resolver))),
    ordering ? observeAuthorities(ordering) : [],
    Promise.all(names.map(async (name) => ({ name, problem: await observeCaa(subject, name) }))),
    subject.changeTxt && observeUpdate(subject, subject.changeTxt),
  ])
  return { resolvers, authorities, caa, dnsUpdate }
}

/** The root zone is signed, and every resolver knows it. */
async function observeResolver(dns: Dns, resolver: Dns['resolvers'][number]): Promise<NamesFacts['resolvers'][number]> {
  const { name, address } = resolver
  const options = { deadlineMs: DEADLINE_MS, isRecursive: true, wantsSignatures: true }
  const { outcome } = await dns.ask(resolver, '', 'SOA', options)
  const validates: Observed<boolean> =
    outcome.kind === 'answer' ? { value: outcome.isValidated === true } : { unknown: outcome.why }
  return { name, address, validates }
}

type Ordering = NonNullable<NamesSubject['ordering']>

async function observeAuthorities(ordering: Ordering): Promise<readonly AuthorityFact[]> {
  const { database, directories } = ordering
  const accounts = await listAccounts(database.run, [...directories.keys()])
  const each = [...directories].map(async ([authority, url]): Promise<AuthorityFact> => {
    const account = accounts.find((one) => one.authority === authority)
    const request = { hostname: '', client: '', registered: '', isRenewal: true }
    const used = await readUses(database.run, authority, request, Date.now())
    return {
      authority,
      directory: await observeDirectory(url, ordering.testRoots),
      account: account && (await observeAccount(ordering, account)),
      ordersUsed: used.all,
      ordersMax: ordering.ordersMax,
    }
  })
  return Promise.all(each)
}

async function observeDirectory(url: string, roots: string | undefined): Promise<AuthorityFact['directory']> {
  const { protocol, hostname: host, port, pathname, search } = new URL(url)
  const tls = roots === undefined ? {} : { ca: roots }
  try {
    const { status, headers, body } = await sendHttp({
      options: { protocol, host, port, path: `${pathname}${search}`, agent: false, ...tls },
      signal: AbortSignal.timeout(DEADLINE_MS),
      bytesMax: 65_536,
    })
    if (status !== 200 || !body.includes('newOrder')) return { unknown: `the response has status ${status}` }
    const date = Date.parse(headers.date ?? '')
    return { value: { clockAheadMs: Number.isNaN(date) ? undefined : date - Date.now() } }
  } catch (error) {
    return { unknown: (error as Error).message }
  }
}

/** Registering a key again returns the account that it has. */
async function observeAccount(
  { keys, openAcme }: Ordering,
  { authority, sealedKey, url, pausedUntil }: AuthorityAccount,
): Promise<NonNullable<AuthorityFact['account']>> {
  const isPaused = pausedUntil !== null && pausedUntil > Date.now()
  const pause = { pausedUntil: isPaused ? new Date(pausedUntil).toISOString() : undefined }
  const keyPem = openKeys(keys).open(sealedKey, sealedFor(authority))
  // Check 12 reports a key that cannot be decrypted; an account without an address is registered by the next order.
  if (keyPem === null || url === null) return { problem: undefined, ...pause }
  const registered = await openAcme(authority, { keyPem, url })?.register()
  if (!registered || registered.ok) return { problem: undefined, ...pause }
  return { problem: `${registered.problem.type}: ${registered.problem.detail}`, ...pause }
}

async function observeCaa({ dns, authorities }: NamesSubject, name: string): Promise<Observed<string | undefined>> {
  const isWildcard = name.startsWith('*.')
  const levels = await Promise.all(
    namesUpward(isWildcard ? name.slice(2) : name).map(async (at): Promise<CaaLevel> => {
      const answer = await answerOf(dns, at, 'CAA')
      if (answer === null) return { name: at, kind: 'unknown' }
      return { name: at, kind: 'seen', sets: [{ at, records: answer.records.filter((one) => one.type === 'CAA') }] }
    }),
  )
  const [decision = { kind: 'free' as const }] = caaDecisions(levels)
  if (decision.kind === 'unknown' || decision.kind === 'failed') return { unknown: `${decision.at} has no answer` }
  const verdicts = authorities.map((authority) => verdictOf(decision, authority, isWildcard))
  const isAllowed = decision.kind === 'free' || verdicts.some(({ kind }) => kind === 'allowed')
  return { value: isAllowed ? undefined : `the set at ${decision.at} excludes ${names(authorities)}` }
}

const verdictOf = (decision: CaaDecision, authority: Authority, isWildcard: boolean): CaaVerdict =>
  decision.kind === 'set'
    ? caaVerdict(decision.records, authority, isWildcard)
    : { kind: 'allowed', methods: authority.methods }

const names = (authorities: readonly Authority[]) => authorities.map(({ domain }) => domain).join(', ')

/** A record next to the one of a real order, so that none is disturbed. */
async function observeUpdate(
  { dns, names: all }: NamesSubject,
  changeTxt: NonNullable<NamesSubject['changeTxt']>,
): Promise<NamesFacts['dnsUpdate']> {
  const wildcard = all.find((name) => name.startsWith('*.')) ?? all[0] ?? ''
  const name = `_acme-challenge.${wildcard.replace(/^\*\./, '')}`
  const value = `doctor-${dns.randomLabel()}`
  const refused = await changeTxt('add', name, value)
  if (refused !== undefined) return { name, problem: refused }
  const answer = await answerOf(dns, name, 'TXT')
  const isSeen = answer?.records.some((record) => record.type === 'TXT' && record.text === value) === true
  const left = await changeTxt('remove', name, value)
  if (left !== undefined) return { name, problem: `it was written and not removed: ${left}` }
  return { name, problem: isSeen ? undefined : 'it was written, and resolvers do not see it' }
}
