// The address to which reports about a mail return: it names the mail and carries a code of ours,
// so that a report can be believed and its mail be found, whatever the report itself says.

import { readAddress } from '../foundation/smtp/address.ts'

/** RFC 5321, section 4.5.3.1.1. */
const LOCAL_LENGTH_MAX = 64
const MAIL_ID_LENGTH = 'mail_'.length + 24
const CODE_LENGTH = 20
/** What is left for the part before the plus sign. */
export const BOUNCE_LOCAL_MAX = LOCAL_LENGTH_MAX - '+.'.length - MAIL_ID_LENGTH - CODE_LENGTH

/** The setting: undefined if no address of a mail could be made of it. */
export function readBounceSetting(text: string): string | undefined {
  const address = readAddress(text)
  if (address === undefined || address.includes('+')) return undefined
  return address.indexOf('@') <= BOUNCE_LOCAL_MAX && readAddress(bounceAddress(address, longestId, longestCode))
    ? address
    : undefined
}

const longestId = `mail_${'0'.repeat(24)}`
const longestCode = '0'.repeat(CODE_LENGTH)

/** `bounce+<mail id>.<code>@mail.example`. */
export function bounceAddress(setting: string, mail: string, code: string): string {
  const at = setting.lastIndexOf('@')
  return `${setting.slice(0, at)}+${mail}.${code}${setting.slice(at)}`
}

export type BounceClaim = { mail: string; code: string }

const claims = new RegExp(`\\+(mail_[0-9a-f]{24})\\.([0-9a-f]{${CODE_LENGTH}})@`, 'g')
const CLAIMS_MAX = 10

/**
 * What the addresses in a text claim; only the code proves it. Some servers change the case of addresses, so it does
 * not matter. Neither does the domain: the setting may have changed since the mail was sent.
 */
export const claimsIn = (text: string): BounceClaim[] =>
  [...text.toLowerCase().matchAll(claims)].slice(0, CLAIMS_MAX).map(([, mail = '', code = '']) => ({ mail, code }))
