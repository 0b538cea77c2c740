// Ownership judging decides whether the project that added the name has proven that it owns
// it. Two things prove it:
//
// - a CNAME to the project's own host, for a subdomain that no other project holds or guards,
//   and that did not exist before the project;
// - the project's token in a TXT record, for everything else.
//
// A shared address proves nothing, nor does anything that the servers of the zone and the
// validating resolvers do not all confirm (`agreement.ts`). A project that has proven the
// name keeps it while all that we know is "could not query".

import type { DnsRecord } from '../../foundation/dns/answer.ts'
import { isProof, isUnconfirmed, serversOn, type CountedQuestion } from './agreement.ts'
import type { Known } from '../observing/evidence.ts'
import type { Judgement, Ownership, Routing } from './judgement.ts'
import type { Pointing } from './judge-pointing.ts'
import {
  isTokenAccepted,
  tokenNameOf,
  tokenQuestion,
  tokenAgreement,
  tokenTroubles,
  wasQuoted,
} from './ownership-token.ts'
import { isTarget } from './pointing-right.ts'
import type { Scene } from './scene.ts'
import { trouble, type Trouble } from './trouble.ts'

export type Owned = {
  state: Ownership
  proof: Judgement['proof']
  troubles: readonly Trouble[]
  /** Whether the owner must have the TXT record. */
  needsToken: boolean
}

export function ownershipOf(scene: Scene, pointing: Pointing): Owned {
  const needsToken = isTokenNeeded(scene, pointing)
  if (isTokenAccepted(scene)) {
    const quoted = wasQuoted(scene) ? [trouble('own.txt_quoted_or_split')] : []
    return { state: 'proven', proof: 'txt', troubles: quoted, needsToken }
  }
  if (isCnameProof(scene, pointing)) return { state: 'proven', proof: 'cname', troubles: [], needsToken }
  const kept = proofKept(scene, pointing)
  if (kept !== null) return { state: 'proven', proof: kept, troubles: [], needsToken: false }
  return unproven(scene, pointing, needsToken)
}

const hasRival = ({ known }: { known: Known }): boolean => known.isHeldByOther || known.isGuardedByOther

/** A token is required wherever a CNAME cannot be observed, or is not sufficient. */
export function asksForToken(known: Known, { isApex, how }: Pick<Judgement, 'isApex' | 'how'>): boolean {
  const isOlder = known.isCnameOlder && !known.isProven
  return isApex || hasRival({ known }) || isOlder || how === 'proxied'
}

/** A token can only be required if there is one. */
const isTokenNeeded = ({ known, wanted, isApex }: Scene, { how }: Pointing): boolean =>
  wanted.token !== null && asksForToken(known, { isApex, how })

/** A CNAME with a conflicting record is no proof yet, but an earlier proof by CNAME is not lost by the conflict. */
function isCnameProof(scene: Scene, { routing, how }: Pointing): boolean {
  const { known, isApex } = scene
  const isClear = known.isProven || (!known.isCnameOlder && routing === 'pointing' && how === 'cname')
  return isClear && !isApex && !hasRival(scene) && isProof(scene, cnameQuestion(scene))
}

/** Whether the name has our CNAME. */
export const cnameQuestion = (scene: Scene): CountedQuestion => ({
  name: scene.wanted.hostname,
  type: 'CNAME',
  // Exactly one CNAME: a second one would send some visitors, and some authorities, elsewhere.
  isThere: (records: readonly DnsRecord[]) => {
    const here = records.filter(({ name, type }) => name === scene.wanted.hostname && type !== 'RRSIG')
    return here.length === 1 && here.every((record) => record.type === 'CNAME' && isTarget(scene, record.target))
  },
})

/**
 * A project that holds the name keeps it with less than it takes to obtain it: the name points
 * here and identifies the project, or its token was observed once and may since be deleted.
 */
function proofKept({ known }: Scene, { routing, how }: Pointing): Judgement['proof'] {
  if (!known.isProven || (routing !== 'pointing' && routing !== 'propagating')) return null
  return how === 'cname' ? 'cname' : known.wasTokenSeen ? 'txt' : null
}

function unproven(scene: Scene, pointing: Pointing, needsToken: boolean): Owned {
  const owned = { proof: null, needsToken }
  if (isUnanswered(scene, pointing)) return { ...owned, state: 'unknown', troubles: [] }
  if (scene.known.isProven) return lost(scene, pointing, owned)
  const state = scene.known.isHeldByOther ? 'contested' : 'unproven'
  if (isUnconfirmed(scene, needsToken ? tokenQuestion(scene) : cnameQuestion(scene))) {
    return { ...owned, state, troubles: [trouble('platform.internal')] }
  }
  return { ...owned, state, troubles: [...claimTroubles(scene), ...(needsToken ? tokenTroubles(scene) : [])] }
}

/** No server could be queried for the proof. */
function isUnanswered(scene: Scene, { routing }: Pointing): boolean {
  const isSilent = routing === 'unreachable' || routing === 'unknown'
  return isSilent && tokenAgreement(scene) === 'silent'
}

const goneAway: ReadonlySet<Routing> = new Set(['missing', 'wrong', 'conflict'])

/** Lost only if the name points elsewhere according to its own servers. */
function lost(scene: Scene, { routing }: Pointing, owned: Omit<Owned, 'state' | 'troubles'>): Owned {
  if (!goneAway.has(routing)) return { ...owned, state: 'unknown', troubles: [] }
  return { ...owned, state: 'unproven', troubles: [trouble('own.lost', scene.words)] }
}

function claimTroubles(scene: Scene): Trouble[] {
  const { known, words } = scene
  const full = tokenNameOf(scene)
  if (known.isHeldByOther) return [trouble('own.contested', { ...words, full })]
  const isNamed = serversOn(scene, cnameQuestion(scene)) === 'all'
  return known.isCnameOlder && isNamed ? [trouble('own.cname_older_than_project', { ...words, full })] : []
}
