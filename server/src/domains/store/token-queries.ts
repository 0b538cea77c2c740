// The stored token of a domain: created once, kept while it proves something, and replaced
// after another project has proven the hostname.

import type { Db } from '../../foundation/postgres/postgres.io.ts'
import type { ProjectId } from '../../projects/scope.io.ts'
import * as directory from './directory.io.ts'
import * as queries from './domain-queries.ts'
import type { DomainRow, KeptToken } from './domain-queries.ts'
import { isFresh, newToken, type Holding } from '../lifecycle/ownership-decision.ts'

type Random = { randomBytes: (count: number) => Uint8Array }

const STALE_TOKENS_MAX = 5

/** A hostname that is added again keeps its token unless another project was verified in between. */
export const tokenFor = async (
  db: Db,
  project: ProjectId,
  { randomBytes }: Random,
  hostname: string,
): Promise<KeptToken> => {
  const holding = await directory.findHolding(db, hostname)
  const kept = await queries.lastToken(db, project, hostname)
  if (kept && isFresh(kept.tokenGeneration, project, holding)) return kept
  return replaced(kept, newToken(randomBytes), holding)
}

const replaced = (old: KeptToken | undefined, token: string, { generation }: Holding): KeptToken => ({
  token,
  tokenGeneration: generation,
  staleTokens: old ? [old.token, ...old.staleTokens].slice(0, STALE_TOKENS_MAX) : [],
})

/** The row with a token that still proves something: one older than another project's proof is replaced. */
export const withFreshToken = async (
  db: Db,
  project: ProjectId,
  { randomBytes }: Random,
  row: DomainRow,
  holding: Holding,
): Promise<DomainRow> => {
  if (isFresh(row.tokenGeneration, project, holding)) return row
  const locked = await queries.lockDomain(db, project, row.id)
  if (!locked || isFresh(locked.tokenGeneration, project, holding)) return locked ?? row
  const token = replaced(locked, newToken(randomBytes), holding)
  await queries.saveToken(db, project, row.id, token)
  return { ...locked, ...token, wasTokenSeen: false }
}
