// The name reader turns typed input into a hostname or a refusal.
//
// - There is one output form: A-labels in lower case, without the trailing dot. Reading it
//   again gives the same result.
// - It rejects names that no certificate can contain, names that cannot be owned, and names
//   of the platform.
// - It rejects input that displays as a different name from the one it encodes: spaces
//   inside, invisible characters, marks that look like a dot or a slash.
// - Names that only look like other names are allowed, and flagged.
//
// Node's conversion (UTS 46) is not enough alone: it accepts underscores, hyphens at either
// end and meaningless `xn--` labels, drops invisible characters, maps other dots to `.`,
// decodes `%41`, and turns `127.1` into an address.

import { domainToASCII, domainToUnicode } from 'node:url'
import { HOSTNAME_LENGTH_MAX } from '@petstore-platform/contract/platform/domain-shapes'
import { isHostnameLabel, LABEL_LENGTH_MAX, LABELS_MAX, isWithin } from '../../foundation/dns/hostname.ts'
import { publicnessOf } from './public-suffix.ts'
import { NOTHING_TYPED, refuseCharacter, refuseForm, refuseName, type RefusedName } from './refusals.ts'
import { isMixedScript, hasOneDirection } from './scripts.ts'

export { documentDomains, kindOf, registrableOf, siblingOf } from './public-suffix.ts'

export type NameOptions = {
  platformHost: string
  formerHosts?: readonly string[]
  /** The names of the dashboard and the API. */
  serviceNames?: readonly string[]
  /** Reserved suffixes (`test`) that the test internet uses. Empty in production. */
  reservedAllowed: readonly string[]
}

export type GoodName = {
  ok: true
  /** A-labels, lower case, no trailing dot. */
  hostname: string
  /** The form for display: U-labels. */
  unicode: string
  /** Whether the input had spaces, a scheme, a port or a path around the name. */
  isCleaned: boolean
  isMixedScript: boolean
}

export type ReadName = GoodName | RefusedName

export function readHostname(typed: string, options: NameOptions): ReadName {
  if (typed.length > TYPED_CHARACTERS) return refuseName('name_too_long', typed)
  const { host, trimmed, isCleaned } = nameIn(typed)
  if (host.length > NAME_CHARACTERS) return refuseName('name_too_long', host)
  const refused = wrongAsTyped(host, trimmed)
  if (refused) return refused
  const hostname = domainToASCII(host)
  const unicode = domainToUnicode(hostname)
  return (
    wrongAsConverted(host, hostname, unicode) ??
    notForOwners(hostname, options) ?? { ok: true, hostname, unicode, isCleaned, isMixedScript: isMixedScript(unicode) }
  )
}

/** The form for display: U-labels. Takes hostnames that `readHostname` returned. */
export const unicodeOf = (hostname: string): string => domainToUnicode(hostname)

// Letters, combining marks, digits, the few signs that registries allow inside words, and emoji.
const allowedCharacter =
  /^[\p{L}\p{M}\p{Nd}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}〇·・׳״͵.-]$/u
// Invisible characters, combining marks that strike a letter through as a slash would, and
// symbols that look like arrows, dots, dashes and boxes.
const misleading =
  /[\p{Default_Ignorable_Code_Point}\p{C}\p{Z}\p{Sm}\u{335}-\u{338}\u{2190}-\u{21FF}\u{2500}-\u{25FF}\u{2716}\u{2795}-\u{2797}\u{3030}]/u
/** The variation selector that phones append to many emoji; the conversion drops it. */
const PICTURE_FOLLOWS = '\u{FE0F}'

function wrongAsTyped(host: string, trimmed: string): RefusedName | null {
  const control = /\p{Cc}/u.exec(trimmed)?.[0]
  if (control !== undefined) return refuseCharacter(host, control)
  if (host === '') return NOTHING_TYPED
  if (isAddress(host)) return refuseName('name_not_public', host)
  if (/^\*\.|^\*$/.test(host)) return refuseName('name_wildcard_unsupported', host)
  const bad = Array.from(host).find((char) => char !== PICTURE_FOLLOWS && !isAllowed(char))
  if (bad !== undefined) return refuseCharacter(host, bad)
  if (host.split('.').includes('')) return refuseForm(host, 'has an empty part beside a dot')
  return null
}

/** Checks the NFKC form as well: `½` becomes a digit, a slash and a digit. No other sign may become a dot. */
const isAllowed = (char: string) =>
  char === '.' ||
  (!misleading.test(char) &&
    Array.from(char.normalize('NFKC')).every((part) => part !== '.' && allowedCharacter.test(part)))

/** IPv4 in every notation ends in a number; IPv6 has brackets, or only colons and hexadecimal digits. */
function isAddress(host: string): boolean {
  const isHexadecimal = /^[0-9a-f:.]+(%.*)?$/i.test(host) && host.split(':').length > 2
  return host.startsWith('[') || isHexadecimal || isNumber(host.split('.').at(-1) ?? '')
}

const isNumber = (label: string) => /^(\p{Nd}+|0x[0-9a-f]*)$/iu.test(label.normalize('NFKC'))

function wrongAsConverted(host: string, hostname: string, unicode: string): RefusedName | null {
  if (hostname.length > HOSTNAME_LENGTH_MAX) return refuseName('name_too_long', host)
  const labels = hostname.split('.')
  const seen = unicode.split('.')
  if (labels.some((label) => label.length > LABEL_LENGTH_MAX)) return refuseName('name_too_long', host)
  if (hostname === '' || labels.length !== host.split('.').length)
    return refuseForm(host, 'is not a name that DNS knows')
  const bad = labels.find((label, index) => !isLabel(label, seen[index] ?? ''))
  if (bad !== undefined) return refuseForm(host, `has a part that certificates cannot contain (${bad})`)
  // The right-to-left rules apply to all labels together, so the whole name is converted again.
  if (domainToASCII(unicode) !== hostname) return refuseForm(host, 'is not a name that DNS knows')
  return labels.length > LABELS_MAX ? refuseName('name_too_many_labels', host) : null
}

/** Takes the A-label, as certificates contain it, and the U-label, as people read it. */
function isLabel(label: string, seen: string): boolean {
  if (!isHostnameLabel(label)) return false
  if (!label.startsWith('xn--')) return true
  const isDecoded = seen !== label && /[^\0-\x7f]/.test(seen)
  const isWellFormed = isNormal(seen) && hasGoodEnds(seen) && hasSignsInPlace(seen) && hasOneDirection(seen)
  return isDecoded && isWellFormed && Array.from(seen).every(isAllowed)
}

/** The conversion has tables of its own, which are older than the runtime's: it leaves newer marks in any order. */
const isNormal = (label: string) => label.normalize('NFKC') === label

/** No hyphen at either end or in the position of `xn--`, and no combining mark without a letter before it. */
const hasGoodEnds = (label: string) => !/^[-\p{M}]|-$|^..--/u.test(label)

/** RFC 5892, appendix A: each of these signs belongs in words of one language, and misleads elsewhere. */
const hasSignsInPlace = (label: string) =>
  !/(?<!l)·|·(?!l)|͵(?!\p{Script=Greek})|(?<!\p{Script=Hebrew})[׳״]/u.test(label) &&
  (!label.includes('・') || /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(label.replaceAll('・', '')))

function notForOwners(
  hostname: string,
  { platformHost, formerHosts = [], serviceNames = [], reservedAllowed }: NameOptions,
): RefusedName | null {
  if ([platformHost, ...formerHosts].some((host) => isWithin(hostname, host)) || serviceNames.includes(hostname))
    return refuseName('name_platform_owned', hostname)
  const publicness = publicnessOf(hostname, reservedAllowed)
  if (publicness === 'not_public') return refuseName('name_not_public', hostname)
  return publicness === 'suffix' ? refuseName('name_is_public_suffix', hostname) : null
}

// Input cleaning extracts the hostname from a pasted URL. It removes the scheme, the port,
// the path and surrounding spaces. Anything that could make the result a different name from
// the one that people see (a user name, a backslash, a line break) is not removed; it stays
// in, and is then rejected as a character.

type TypedName = {
  /** The part that must be the name, as it was typed. */
  host: string
  /** The whole input without the spaces around it. */
  trimmed: string
  /** Whether the input had spaces, a scheme, a port or a path around the name. */
  isCleaned: boolean
}

/** Longer input is neither a URL nor a name that a person typed on purpose. */
const TYPED_CHARACTERS = 4096
const NAME_CHARACTERS = 1024

function nameIn(typed: string): TypedName {
  const trimmed = withoutSpaces(typed)
  const withoutScheme = trimmed.replace(/^(https?:)?\/\//i, '')
  const authority = /^[^/?#]*/.exec(withoutScheme)?.[0] ?? ''
  const host = withoutPort(authority)
  return { host: withoutLastDot(host), trimmed, isCleaned: host !== typed }
}

/** Removes fewer characters than `trim` does: the others are invisible, and are therefore rejected. */
function withoutSpaces(typed: string): string {
  const isSpace = (at: number) => ' \t\r\n'.includes(typed.charAt(at))
  let [start, end] = [0, typed.length]
  while (start < end && isSpace(start)) start++
  while (end > start && isSpace(end - 1)) end--
  return typed.slice(start, end)
}

function withoutPort(authority: string): string {
  const [, host, port] = /^([^:]*):(\d{1,5})$/.exec(authority) ?? []
  return host !== undefined && Number(port) <= 65_535 ? host : authority
}

/** Removes the trailing dot of a fully qualified name. Two dots are a mistake, and so is a dot alone. */
const withoutLastDot = (host: string) => (/[^.]\.$/.test(host) ? host.slice(0, -1) : host)
