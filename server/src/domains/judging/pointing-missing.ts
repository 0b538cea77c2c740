// Missing records: what to add, and where it may have been added instead. A record at a
// doubled name is reported as such, because its owner believes that it is right.

import { whereOf } from './pointing-right.ts'
import { heldByAny, viewsOf, type PointingFinding } from './pointing-views.ts'
import { addressWords, fieldWords, needsAddresses, shortName } from './record-format.ts'
import type { Scene } from './scene.ts'
import { trouble, type Trouble } from './trouble.ts'

/** `wildcard`: a wildcard record answers for the name, which has no record of its own. */
export function nothingThere(scene: Scene, why: 'nothing' | 'wildcard'): PointingFinding {
  const { words } = scene
  if (why === 'nothing' && isDoubled(scene)) {
    const short = shortName(scene.wanted.hostname, scene.apex)
    return { routing: 'missing', troubles: [trouble('dns.name_doubled', { ...words, short })] }
  }
  return { routing: 'missing', troubles: [missing(scene, why)] }
}

function missing(scene: Scene, why: 'nothing' | 'wildcard'): Trouble {
  const { words } = scene
  if (needsAddresses(scene)) return trouble('dns.apex_no_alias', { ...words, addresses: addressWords(scene) })
  const instead = why === 'wildcard' ? '; a `*` record answers in its place' : ''
  return trouble('dns.no_record', { ...words, instead, fields: fieldWords(scene), otherwise: otherwise(scene) })
}

/** Not every provider has a record that follows a name; for an unknown provider we cannot know. */
function otherwise(scene: Scene): string {
  if (!scene.isApex || scene.provider?.apexAlias) return ''
  return ` If ${scene.words.provider} has neither, use ${addressWords(scene)}.`
}

function isDoubled(scene: Scene): boolean {
  const { wanted, apex } = scene
  const held = heldByAny(viewsOf(scene, `${wanted.hostname}.${apex}`))
  const isByName = held.cnames.some((value) => value === wanted.target || value === `${wanted.target}.${apex}`)
  return isByName || whereOf(scene, [...held.a, ...held.aaaa]).ours.length > 0
}
