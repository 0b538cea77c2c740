// Finds names that a mail program would show as a link. Names of people and stores are free text, and a stranger reads
// them in a mail under our sender: "petstore-login.com has blocked your store" would be a phishing mail of ours. Pure.
//
// What counts is what programs make a link of: a scheme, an @, `www.`, an IP address, and two words with a dot and no space
// between them if the second one is a top-level domain. So "St. Mary's Cats", "Mr.Whiskers" and "Tails & Co." are names.

import { parse } from 'tldts'
import { inSubject } from './mail.ts'

/** Full stops of other scripts, which NFKC keeps and browsers read as dots. */
const otherDots = /[\u3002\u06D4\u0701\u0702\u2024\uFE52]/g
/** What is not seen, and would hide a dot between two words. */
const unseen = /[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu
const www = /(?<![\p{L}\p{N}])www\./u
const scheme = /:\/\/|\b(?:https?|ftp|mailto):/
const ipAddress = /(?<!\d)\d{1,3}(?:\.\d{1,3}){3}(?!\d)/
const dotted = /(?<![\p{L}\p{M}\p{N}_-])[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)+/gu

export function looksLikeAddress(name: string): boolean {
  const text = name.replace(unseen, '').normalize('NFKC').replace(unseen, '').replace(otherDots, '.').toLowerCase()
  if (text.includes('@') || www.test(text) || scheme.test(text) || ipAddress.test(text)) return true
  return (text.match(dotted) ?? []).some((words) => words.split('.').slice(1).some(isTopLevelDomain))
}

/**
 * The name of a store as the sender of a mail, next to our address; undefined if nothing of it can be shown, or it would
 * pass for an address. What is shown is judged as well: a long name is cut, and the rest of it could be an address.
 */
export function senderName(name: string): string | undefined {
  const shown = inSubject(name)
  return shown.replace(unseen, '').trim() === '' || [name, shown].some(looksLikeAddress) ? undefined : shown
}

const ownCharacter = /[^\p{L}\p{M}\p{N}\s]/gu

/** A text of a stranger that mail programs make no link of: marks in what looks like an address stand alone. */
export const unlinked = (text: string): string =>
  looksLikeAddress(text) ? text.replace(unseen, ' ').replace(ownCharacter, ' $& ').replace(/\s+/g, ' ') : text

const isTopLevelDomain = (label: string): boolean => parse(`a.${label}`).isIcann === true
