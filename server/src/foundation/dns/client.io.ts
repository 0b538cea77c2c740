// `openDns` sends DNS queries within limits: never to a private or reserved address, never to a
// port that is not DNS, never with more sockets than configured, never above the rate limit of a
// server, and never beyond the deadline. A query that could not be sent is reported as such; it is
// never "no record". Names are sent in mixed case (0x20 encoding), so that a guessed answer does
// not match.

import { mayContact } from './addresses.ts'
import type { LookupOutcome, QuestionType, Silence } from './answer.ts'
import { exchange } from './exchange.io.ts'
import { isAskable } from './message.ts'
import type { QueryOptions, Dns, Server } from './port.ts'
import { queryRateLimit, QUERIES_AT_ONCE } from './query-rate-limit.ts'
import { recordCache } from './record-cache.ts'
import { Slots } from '../load/slots.io.ts'

export type DnsOptions = {
  resolvers: readonly Required<Server>[]
  /** The port of nameservers: 53, and another one only in tests. */
  authoritativePort: number
  /** Reserved networks that may be queried anyway: the loopback network of a test. */
  allowedNetworks: readonly string[]
  randomBytes: (count: number) => Uint8Array
  perSecond?: number
  burst?: number
  socketsMax?: number
}

/** Of each: addresses whose queries are counted, zones, and names of nameservers. */
const CACHED_MAX = 20_000

export function openDns(options: DnsOptions): Dns {
  const {
    authoritativePort,
    allowedNetworks,
    randomBytes,
    perSecond = 50,
    burst = 300,
    socketsMax = QUERIES_AT_ONCE,
  } = options
  const now = () => performance.now()
  const rateLimit = queryRateLimit({ perSecond, burst, countMax: CACHED_MAX, now })
  const slots = new Slots(socketsMax)

  const ask = async (
    server: Server,
    name: string,
    type: QuestionType,
    queryOptions: QueryOptions,
  ): Promise<LookupOutcome> => {
    // Resolvers are the operator's choice, whatever their address.
    const isOurs = options.resolvers.some(({ address, port }) => address === server.address && port === server.port)
    if (!isOurs && (server.port !== undefined || !mayContact(server.address, allowedNetworks)))
      return silence('not_allowed')
    const until = now() + queryOptions.deadlineMs
    const wait =
      isAskable(name) && until > now()
        ? rateLimit.wait(server.address, queryOptions.deadlineMs, queryOptions.cost)
        : null
    if (wait === null) return silence('skipped')
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    const leave = await slots.take(undefined, until - now())
    if (!leave) return silence('skipped')
    try {
      const question = {
        id: randomNumber(randomBytes),
        name: mixedCase(name, randomBytes),
        type,
        isRecursive: queryOptions.isRecursive ?? false,
        isUnchecked: queryOptions.isUnchecked ?? false,
        wantsSignatures: queryOptions.wantsSignatures ?? false,
      }
      const endpoint = { address: server.address, port: server.port ?? authoritativePort }
      const outcome = await exchange(endpoint, question, Math.max(1, until - now()), queryOptions.triesTcp)
      // A resolver's silence is that of the name's servers: a project with silent ones must not
      // block the resolver for all.
      if (!isOurs || outcome.kind === 'answer') rateLimit.heard(server.address, outcome)
      return outcome
    } finally {
      leave()
    }
  }

  return {
    resolvers: options.resolvers,
    zones: recordCache({ countMax: CACHED_MAX, now }),
    addresses: recordCache({ countMax: CACHED_MAX, now }),
    async ask(server, name, type, queryOptions) {
      const startedAt = now()
      const outcome = await ask(server, name, type, queryOptions)
      return { outcome, ms: Math.round((now() - startedAt) * 10) / 10 }
    },
    randomLabel: () => Buffer.from(randomBytes(8)).toString('hex'),
    shuffled: (items) =>
      items
        .map((item) => ({ item, order: randomNumber(randomBytes) }))
        .toSorted((one, other) => one.order - other.order)
        .map(({ item }) => item),
  }
}

const silence = (why: Silence['why']): Silence => ({ kind: 'silence', why })

function randomNumber(randomBytes: DnsOptions['randomBytes']): number {
  const [high = 0, low = 0] = randomBytes(2)
  return high * 256 + low
}

function mixedCase(name: string, randomBytes: DnsOptions['randomBytes']): string {
  const coins = randomBytes(name.length)
  return Array.from(name, (letter, index) => ((coins[index] ?? 0) % 2 === 0 ? letter.toUpperCase() : letter)).join('')
}
