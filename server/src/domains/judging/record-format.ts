// Record formatting words the record that the owner must create. A subdomain gets a CNAME; an
// apex gets whatever record its provider has that follows a name, or our addresses if there
// is none. Never a CNAME for an apex that cannot have one.

import { typedName } from '../providers/provider.ts'
import type { Scene } from './scene.ts'

export const TTL = 3600

/** The value of a record that names us, in the form that this provider expects. */
export const typedValue = ({ wanted, provider }: Scene): string =>
  provider?.needsDot ? `${wanted.target}.` : wanted.target

/** The same in a sentence: a dot that belongs to the value must not be mistaken for its end. */
export const valueWords = (scene: Scene): string =>
  scene.provider?.needsDot ? `\`${typedValue(scene)}\`` : typedValue(scene)

/** The provider's term for the record that names us. */
export function recordWord({ isApex, provider }: Scene): string {
  if (!isApex) return 'CNAME'
  return provider?.apexAlias ?? 'ALIAS or ANAME'
}

/** Whether the name can only be pointed here by address. */
export const needsAddresses = ({ isApex, provider }: Scene): boolean => isApex && provider?.apexAlias === null

/** 'A `192.0.2.10` and AAAA `2001:db8::10`'. */
export const addressWords = ({ wanted }: Scene): string =>
  wanted.addresses.map((address) => `${address.includes(':') ? 'AAAA' : 'A'} \`${address}\``).join(' and ')

/** Several addresses where a text has one in backticks: only the first few, so that the text stays readable. */
export function addressList(addresses: readonly string[]): string {
  const shown = addresses.slice(0, ADDRESSES_SHOWN)
  const rest = addresses.length - shown.length
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join('` and `')
}

const ADDRESSES_SHOWN = 6

/** 'Type CNAME, Name www, Value happy-paws.example, TTL 3600'. */
export const fieldWords = (scene: Scene): string =>
  needsAddresses(scene)
    ? `${addressWords(scene)}, Name ${scene.words.name}, TTL ${TTL}`
    : `Type ${recordWord(scene)}, Name ${scene.words.name}, Value ${valueWords(scene)}, TTL ${TTL}`

/** 'add the CNAME to happy-paws.example', for the middle of a sentence. */
export const addWords = (scene: Scene): string =>
  needsAddresses(scene) ? `add ${addressWords(scene)}` : `add the ${recordWord(scene)} record to ${valueWords(scene)}`

/** The instruction for A records that point elsewhere. */
export function replaceWords(scene: Scene, count = 1): string {
  const it = count > 1 ? 'them all' : 'it'
  if (!scene.isApex)
    return `${count > 1 ? 'They block' : 'It blocks'} the CNAME: delete ${it}, then ${addWords(scene)}.`
  if (!needsAddresses(scene)) return `Delete ${it}, then ${addWords(scene)}.`
  return count > 1 ? `Replace ${it} with ${addressWords(scene)}.` : `Change it to ${addressWords(scene)}.`
}

/** Only the label in front of the zone's name, whatever the provider's form. */
export const shortName = (fullName: string, apex: string): string => typedName(null, fullName, apex)
