// Suspicions explain a record that is not where it must be, or not what it seems: a wildcard
// record that answers for everything, a zone without delegation, a change that was never
// published. Each needs its own evidence; without it nothing is suspected.

import { isRight } from './pointing-right.ts'
import { undelegatedViewsOf, heldByAny, isEmpty, viewsOf, type HeldAddress, type View } from './pointing-views.ts'
import { providerOf } from '../providers/providers.ts'
import type { Scene } from './scene.ts'
import { trouble, type Trouble } from './trouble.ts'

/** Prefix of the name that is queried only because no record can have been created for it. */
const SIBLING = 'petstore-wildcard-'

/** Whether a name for which no record can have been created gets the same answer. */
export function isThroughWildcard(scene: Scene, held: HeldAddress): boolean {
  const looks = scene.evidence.looks.filter(({ name }) => name.startsWith(SIBLING))
  if (scene.isApex || isEmpty(held)) return false
  // Types for which the sibling was not queried show nothing either way.
  const types = new Set<string>(looks.map(({ type }) => type))
  const inCommon = ({ cnames, a, aaaa }: HeldAddress) =>
    [types.has('CNAME') ? cnames : [], types.has('A') ? a : [], types.has('AAAA') ? aaaa : []].flat()
  const siblings = [...new Set(looks.map(({ name }) => name))].map((name) => inCommon(heldByAny(viewsOf(scene, name))))
  return siblings.some((sibling) => sibling.length > 0 && isSame(sibling, inCommon(held)))
}

const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.toSorted().join() === right.toSorted().join()

/** The right record, at servers that the parent zone does not delegate to. */
export function wrongZone(scene: Scene): Trouble[] {
  const { zone, wanted, words } = scene
  const edited = undelegatedViewsOf(scene, wanted.hostname).filter((view) => isRight(scene, view))
  const [first] = edited
  if (zone === null || first === undefined) return []
  const names = [...new Set(edited.map(({ server }) => server))]
  const other = providerOf(names)?.name ?? names.join(' and ')
  const whose = scene.provider === null ? '' : ` (${scene.provider.name})`
  return [trouble('dns.wrong_zone_edited', { ...words, other, ns: zone.delegated.join(' and '), whose })]
}

const SETTLED_MS = 2 * 60_000

/** The owner has requested another check, and still no server has seen a change of the zone since the first check. */
export function isUnpublished({ known, now }: Scene, views: readonly View[]): boolean {
  const { firstCheck, askedAgainAt = null } = known
  if (firstCheck === null || askedAgainAt === null || askedAgainAt <= firstCheck.at) return false
  const isUnchanged = views.every(({ server, serial }) => serial !== null && firstCheck.serials[server] === serial)
  return isUnchanged && views.length > 0 && now - firstCheck.at >= SETTLED_MS
}
