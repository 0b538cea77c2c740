// The port for DNS queries. `client.io.ts` is the implementation that sends them.

import type { LookupOutcome, QuestionType } from './answer.ts'
import type { RecordCache } from './record-cache.ts'

/**
 * `port` is for resolvers only, which come from configuration; nameservers are chosen by strangers
 * and have none.
 */
export type Server = { name: string; address: string; port?: number }

export type QueryOptions = {
  deadlineMs: number
  isRecursive?: boolean
  isUnchecked?: boolean
  wantsSignatures?: boolean
  triesTcp?: boolean
  /** The fraction of a query that it counts for, at servers built for heavy load. */
  cost?: number
}

export type QueryLog = { outcome: LookupOutcome; ms: number }

export type Dns = {
  resolvers: readonly Required<Server>[]
  /** Caches: zones by the name that was looked up, and addresses of nameservers. */
  zones: RecordCache<Cut>
  addresses: RecordCache<readonly Server[]>
  ask(server: Server, name: string, type: QuestionType, options: QueryOptions): Promise<QueryLog>
  /** A label that does not exist in any zone. */
  randomLabel(): string
  /** In an unpredictable order. */
  shuffled<Item>(items: readonly Item[]): Item[]
}

/** A zone and its nameservers, according to the parent zone. */
export type Cut = {
  apex: string
  parent: string
  parentServers: readonly Server[]
  delegated: readonly string[]
  servers: readonly Server[]
  withoutAddress: readonly string[]
}
