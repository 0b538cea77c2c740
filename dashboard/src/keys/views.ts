// The views of a key: its scopes in words, and its status.

import type { Scope } from '@petstore-platform/contract/operations'
import type { Received } from '@petstore-platform/contract/platform/client'
import * as texts from '../texts/texts.ts'
import type { Tone } from '../ui/badge.tsx'

const words = texts.keys

export type Key = Received<'listKeys'>[number]
export type FreshKey = Received<'createKey'> & { old?: Key }

type ScopeView = { label: string; help: string }
/** A scope that the contract adds does not compile here until it has words. */
export const scopeViews: Record<Scope, ScopeView> = words.scopeViews
export const scopeList = Object.keys(scopeViews) as Scope[]

export type KeyStatus = 'accepted' | 'expired' | 'revoked'
type StatusView = { label: string; tone: Tone }
export const keyStatusViews: Record<KeyStatus, StatusView> = {
  accepted: { label: words.standings.accepted, tone: 'good' },
  expired: { label: words.standings.expired, tone: 'plain' },
  revoked: { label: words.standings.revoked, tone: 'bad' },
}

export function keyStatusOf({ revokedAt, expiresAt }: Pick<Key, 'revokedAt' | 'expiresAt'>, now: number): KeyStatus {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'accepted'
}

/** False until the members are known, and for keys of the operator. */
export const isOfFormerMember = ({ createdBy }: Pick<Key, 'createdBy'>, members?: readonly { id: string }[]): boolean =>
  createdBy !== null && members !== undefined && !members.some(({ id }) => id === createdBy)

export const displayOf = ({ displayPrefix, lastFour }: Key): string => words.display(displayPrefix, lastFour)
