// Name refusals are the messages for names that are rejected before anything is stored, by
// the codes of the contract. A message quotes the input only after `shown` has made it safe:
// nothing in it is invisible, and it is short.

import type { RefusalCode } from '@petstore-platform/contract/errors'

export const nameRefusals = {
  name_invalid_chars:
    '{host} has a character that certificates cannot contain ({char}). Use letters, digits and hyphens.',
  name_too_long: 'This name is too long for a certificate. Use a shorter subdomain.',
  name_too_many_labels: 'This name has too many parts for a certificate.',
  name_not_public: '{host} is not a public internet domain, so no certificate authority will certify it.',
  name_is_public_suffix: '{host} is shared by many owners. Add the name you registered, such as `yourshop.{host}`.',
  name_platform_owned: 'That address belongs to the platform; every project already has its own.',
  name_wildcard_unsupported: 'Wildcard names are not available. Add each subdomain you need.',
} as const satisfies Partial<Record<RefusalCode, string>>

export type NameRefusal = keyof typeof nameRefusals

export type RefusedName = { ok: false; code: NameRefusal; message: string }

export const refuseName = (code: NameRefusal, host: string): RefusedName => ({
  ok: false,
  code,
  message: nameRefusals[code].replaceAll('{host}', () => shown(host)),
})

export const refuseCharacter = (host: string, char: string): RefusedName => ({
  ok: false,
  code: 'name_invalid_chars',
  message: nameRefusals.name_invalid_chars
    .replace('{host}', () => shown(host))
    .replace('{char}', () => shownCharacter(char)),
})

/** For errors in the arrangement of the characters, not in one character. */
export const refuseForm = (host: string, what: string): RefusedName => ({
  ok: false,
  code: 'name_invalid_chars',
  message: `${shown(host)} ${what}. Use letters, digits and hyphens.`,
})

export const NOTHING_TYPED: RefusedName = {
  ok: false,
  code: 'name_invalid_chars',
  message: 'Type the name of your domain, such as `yourshop.com`.',
}

const SHOWN_CHARACTERS = 80

/** The input, truncated, with every invisible character written as its code point. */
function shown(typed: string): string {
  const start = Array.from(typed.slice(0, 2 * SHOWN_CHARACTERS))
  const visible = start.map((char) => (isVisible(char) ? char : codePoint(char))).join('')
  const isLong = typed.length > start.join('').length || visible.length > SHOWN_CHARACTERS
  return isLong ? `${Array.from(visible).slice(0, SHOWN_CHARACTERS).join('')}…` : visible
}

function shownCharacter(char: string): string {
  if (char === ' ') return 'a space'
  return isVisible(char) && !/\p{M}/u.test(char) ? char : codePoint(char)
}

const isVisible = (char: string) => char === ' ' || !/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(char)

const codePoint = (char: string) => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
