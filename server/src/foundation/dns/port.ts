// The DNS client as its callers see it. `client.io.ts` is the one that sends queries.

import type { LookupOutcome, QuestionType } from './answer.ts'
import type { SharedCache } from './shared-cache.ts'

/** `port` only for resolvers, which come from configuration; nameservers come from strangers and have none. */
export type Server = { name: string; address: string; port?: number }

export type QueryOptions = {
  deadlineMs: number
  isRecursive?: boolean
  isUnchecked?: boolean
  wantsSignatures?: boolean
  triesTcp?: boolean
  /** The part of a question that it counts for, where a server is made for crowds. */
  cost?: number
}

export type QueryLog = { outcome: LookupOutcome; ms: number }

export type Dns = {
  resolvers: readonly Required<Server>[]
  /** Zones by what they were looked for, and addresses of nameservers. */
  zones: SharedCache<Cut>
  addresses: SharedCache<readonly Server[]>
  ask(server: Server, name: string, type: QuestionType, options: QueryOptions): Promise<QueryLog>
  /** A label that nobody has. */
  randomLabel(): string
  /** In an order that nobody can foresee. */
  shuffled<Item>(items: readonly Item[]): Item[]
}

/** A zone and who runs it, as the zone above it says. */
export type Cut = {
  apex: string
  parent: string
  parentServers: readonly Server[]
  delegated: readonly string[]
  servers: readonly Server[]
  withoutAddress: readonly string[]
}
