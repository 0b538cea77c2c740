// CNAME judging explains an existing CNAME that is wrong: its value, the records next to it,
// or its target. Exactly one trouble is reported about the value, the most precise one.

import { editDistance } from '../../foundation/edit-distance.ts'
import { heldByAny, type PointingFinding, type View } from './pointing-views.ts'
import { addressList, addWords, valueWords } from './record-format.ts'
import type { Scene } from './scene.ts'
import { trouble, type Trouble } from './trouble.ts'

const MOST_HOPS = 8

export function judgeCname(scene: Scene, views: readonly View[], chain: readonly string[]): PointingFinding {
  const { words, isApex, wanted } = scene
  const held = heldByAny(views)
  const target = valueWords(scene)
  if (isApex) {
    return { routing: 'wrong', troubles: [trouble('dns.apex_cname_illegal', { ...words, add: addWords(scene) })] }
  }
  // Two values at one server are two records; at two servers they may be one record that was
  // changed.
  const crowded = views.find(({ cnames }) => cnames.length > 1)
  if (crowded) {
    const list = crowded.cnames.map((value) => `\`${value}\``).join(' and ')
    return { routing: 'conflict', troubles: [trouble('dns.multiple_cname', { ...words, target, list })] }
  }
  const wrong = held.cnames.find((value) => value !== wanted.target)
  const beside = besideCname(scene, held)
  if (wrong === undefined) return { routing: 'conflict', troubles: beside }
  const value = valueTrouble(scene, wrong, chain)
  return { routing: beside.length > 0 ? 'conflict' : 'wrong', troubles: [...beside, value] }
}

/** DNS allows no other record next to a CNAME, yet some servers let owners save one. */
function besideCname({ words }: Scene, { a, aaaa, others }: ReturnType<typeof heldByAny>): Trouble[] {
  const types = others.join(' and ')
  const fix = 'It blocks the CNAME: delete it.'
  return [
    ...(a.length > 0 ? [trouble('dns.conflict_a', { ...words, ip: addressList(a), owner_hint: '', fix })] : []),
    ...(aaaa.length > 0 ? [trouble('dns.conflict_aaaa', { ...words, ip: addressList(aaaa), afterwards: '' })] : []),
    ...(types === '' ? [] : [trouble('dns.cname_with_others', { ...words, types })]),
  ]
}

function valueTrouble(scene: Scene, value: string, chain: readonly string[]): Trouble {
  const words = { ...scene.words, target: valueWords(scene), found: value }
  return (
    chainTrouble(scene, chain) ??
    appended(scene, value) ??
    platformTrouble(scene, value) ??
    misspelt(scene, value) ??
    indirect(scene, chain) ??
    trouble('dns.cname_wrong', words)
  )
}

function chainTrouble(scene: Scene, chain: readonly string[]): Trouble | null {
  const words = { ...scene.words, target: valueWords(scene), chain: chain.join(' → ') }
  if (new Set(chain).size < chain.length) return trouble('dns.cname_loop', words)
  return chain.length - 1 > MOST_HOPS ? trouble('dns.chain_too_long', words) : null
}

/** The zone's name after our value: the provider took the value for a name inside the zone. */
function appended({ wanted, words }: Scene, value: string): Trouble | null {
  if (!value.startsWith(`${wanted.target}.`)) return null
  const tail = value.slice(wanted.target.length + 1)
  const isOwnZone = tail === words.apex || wanted.hostname.endsWith(`.${tail}`)
  return isOwnZone ? trouble('dns.cname_zone_appended', { ...words, tail }) : null
}

function platformTrouble(scene: Scene, value: string): Trouble | null {
  const { wanted, known } = scene
  const words = { ...scene.words, target: valueWords(scene), found: value }
  if (value === wanted.platformHost) return trouble('dns.cname_bare_platform_host', words)
  if (known.otherProjects.includes(value)) return trouble('dns.cname_other_project', words)
  if (!value.endsWith(`.${wanted.platformHost}`) || isMisspelt(value, wanted.target)) return null
  return trouble('dns.cname_unknown_project', words)
}

function misspelt(scene: Scene, value: string): Trouble | null {
  const { wanted, apex } = scene
  const target = valueWords(scene)
  const typed = plain(value.endsWith(`.${apex}`) ? value.slice(0, -apex.length - 1) : value)
  const [slug] = wanted.target.split('.')
  const isSlip = typed === slug || [plain(value), typed].some((text) => isMisspelt(text, wanted.target))
  if (!isSlip) return null
  // If the provider appended the zone's name, the typed value is what differs.
  const found = isMisspelt(typed, wanted.target) || typed === slug ? typed : plain(value)
  return trouble('dns.cname_typo', {
    ...scene.words,
    target,
    found: plain(value),
    difference: differenceOf(found, wanted.target),
  })
}

/** Characters that were escaped although harmless, as people typed them: a colon or a slash. */
const plain = (value: string): string =>
  value.replace(/\\(\d{3})/g, (escaped, code: string) => {
    const character = String.fromCharCode(Number(code))
    return /[:/?#@=&%+,;]/.test(character) ? character : escaped
  })

function indirect(scene: Scene, chain: readonly string[]): Trouble | null {
  if (chain.at(-1) !== scene.wanted.target || chain.length < 3) return null
  const via = chain
    .slice(1, -1)
    .map((name) => `\`${name}\``)
    .join(' and ')
  return trouble('dns.cname_indirect', { ...scene.words, target: valueWords(scene), via })
}

// Misspelling detection decides whether a value is the wanted one with a typo, and describes
// the difference. People read `hapy-paws` three times before they notice it.

const NEAR = 2

/** Whether `found` is `wanted` with a typo: up to two characters, a missing part, or an addition around it. */
export function isMisspelt(found: string, wanted: string): boolean {
  if (found === wanted) return false
  return found.includes(wanted) || lacksLabel(found, wanted) || editDistance(found, wanted, NEAR) <= NEAR
}

/** The parts of two names that differ: '`hapy-paws` must be `happy-paws`'. */
export function differenceOf(found: string, wanted: string): string {
  const [have, want] = [found.split('.'), wanted.split('.')]
  const start = firstDifference(have, want)
  const end = firstDifference(have.slice(start).toReversed(), want.slice(start).toReversed())
  const extra = have.slice(start, have.length - end).join('.')
  const lacking = want.slice(start, want.length - end).join('.')
  if (lacking === '') return `\`${extra}\` must be removed`
  if (extra === '') return `\`${lacking}\` is missing`
  return `\`${extra}\` must be \`${lacking}\``
}

/** A name of one label is too short to conclude that it was meant to be ours. */
function lacksLabel(found: string, wanted: string): boolean {
  const labels = wanted.split('.')
  return found.includes('.') && labels.some((_, index) => labels.toSpliced(index, 1).join('.') === found)
}

function firstDifference(left: readonly string[], right: readonly string[]): number {
  const index = left.findIndex((label, at) => label !== right[at])
  return index === -1 ? left.length : index
}
