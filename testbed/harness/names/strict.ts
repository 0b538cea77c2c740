// A second check of an accepted hostname, which shares no code with the parser: the rules of the
// RFCs and the CA/Browser Forum for names in certificates, and that the name occurs in the
// input. Returns the fault, or null.

import { parse } from 'tldts'
import type { GoodName, NameOptions } from '../../../server/src/domains/naming/names.ts'
import { decodePunycode, encodePunycode } from './punycode.ts'

const setAside = /(^|\.)(localhost|local|internal|test|example|invalid|onion|arpa|alt|example\.(com|net|org))$/
const plainLabel = /^(?!-)(?!..--)[a-z0-9-]{1,63}(?<!-)$/
const aLabel = /^xn--[a-z0-9-]{1,59}(?<!-)$/
/** None of these occurs in a word of any language. */
const unseen = /[\p{C}\p{Z}\p{P}\p{Sm}\p{Sc}\p{Sk}\p{Default_Ignorable_Code_Point}]/u
/** The Greek numeral sign is one of them before a Greek letter (RFC 5892, A.4). */
const wordSigns = /[-·・׳״]|\u0375(?=\p{Script=Greek})/gu

export function objection(typed: string, name: GoodName, { platformHost }: NameOptions): string | null {
  const { hostname, unicode } = name
  const labels = hostname.split('.')
  const seen = unicode.split('.')
  if (hostname.length > 253 || labels.length < 2 || labels.length > 10) return 'too long, or too many labels'
  if (labels.length !== seen.length) return 'as many labels in one form as in the other'
  if (!/^([a-z]+|xn--.+)$/.test(labels.at(-1) ?? '')) return 'a suffix that is not alphabetic'
  if (setAside.test(hostname)) return 'a suffix that was set aside'
  if (hostname === platformHost || hostname.endsWith(`.${platformHost}`)) return 'the platform owns it'
  return (
    notOwnable(hostname) ??
    labels.map((label, index) => wrongLabel(label, seen[index] ?? '')).find((wrong) => wrong !== null) ??
    notTyped(typed, labels, seen)
  )
}

function notOwnable(hostname: string): string | null {
  const { isIcann, isPrivate, domain } = parse(hostname, { allowPrivateDomains: true })
  if (!isIcann && !isPrivate) return 'not in the list of suffixes'
  return domain === null ? 'a public suffix' : null
}

function wrongLabel(label: string, seen: string): string | null {
  if (plainLabel.test(label)) return seen === label ? null : 'a plain label that is shown otherwise'
  if (!aLabel.test(label)) return `not a label: ${label}`
  const decoded = decodePunycode(label.slice(4))
  if (decoded === null || decoded !== seen) return `does not decode to what is shown: ${label}`
  if (!/[^\0-\x7f]/.test(decoded) || encodePunycode(decoded) !== label.slice(4)) return `does not encode back: ${label}`
  if (decoded.normalize('NFKC') !== decoded) return `not normal: ${label}`
  if (hasCapitals(decoded)) return `not lower case: ${label}`
  if (/^\p{M}|^-|-$|^..--/u.test(decoded)) return `begins or ends in a wrong way: ${label}`
  return unseen.test(decoded.replaceAll(wordSigns, '')) ? `has a sign in it: ${label}` : null
}

/** Cherokee is the one script whose letters are folded to capitals. */
const hasCapitals = (text: string) => /[\p{Lu}\p{Lt}]/u.test(text.replaceAll(/\p{Script=Cherokee}/gu, ''))

/**
 * Every label occurs in the input, in one of its forms: parsing cleans a hostname and never
 * turns it into another.
 */
function notTyped(typed: string, labels: readonly string[], seen: readonly string[]): string | null {
  const text = alike(typed)
  const isThere = labels.every((label, index) => text.includes(label) || text.includes(alike(seen[index] ?? '')))
  return isThere ? null : 'not what was typed'
}

const alike = (text: string) =>
  text
    .replaceAll('\u{FE0F}', '')
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll('ς', 'σ')
