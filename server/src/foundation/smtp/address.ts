// The addresses that mail is sent to. Quoted local parts, comments, commas and angle brackets are
// rejected: parsers disagree about them, and a relay could read another recipient than we do.

import { domainToASCII } from 'node:url'
import { EMAIL_LENGTH_MAX } from '@petstore-platform/contract/platform/accounts'
import { isHostname } from '../dns/hostname.ts'

const LOCAL_LENGTH_MAX = 64
const LENGTH_MAX = 254

/** A dot-atom of RFC 5322. */
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const localForm = new RegExp(`^${atom}(\\.${atom})*$`)

/** With the domain in A-labels; undefined if no mail can be sent there. */
export function readAddress(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  const typed = text.slice(at + 1)
  // `domainToASCII` drops tabs and line breaks, and decodes percent signs.
  const domain = /^[\p{L}\p{M}\p{N}.-]+$/u.test(typed) ? domainToASCII(typed) : ''
  if (!localForm.test(local) || local.length > LOCAL_LENGTH_MAX || !isHostname(domain)) return undefined
  const address = `${local}@${domain}`
  return address.length <= LENGTH_MAX ? address : undefined
}

// The key of an email address: wherever an address identifies a person, this is what is compared. Every spelling of an
// address has one key, and an address that people cannot tell apart from another one is not accepted: characters that
// are not shown, and blanks. Normalisation alone does not remove them.

/** Of any text, so that one that is no address can be counted as well. */
export function addressKey(text: string): string {
  const plain = folded(text)
  const at = plain.lastIndexOf('@')
  const typed = plain.slice(at + 1).replace(/[.。]$/u, '')
  // `domainToASCII` drops tabs and line breaks, and decodes percent signs.
  const domain = at >= 0 && /^[\p{L}\p{M}\p{N}.。-]+$/u.test(typed) ? domainToASCII(typed) : ''
  return domain === '' ? plain : `${plain.slice(0, at)}@${domain}`
}

/** Whether a person can have this address: by its characters, also once they are normalised, and by its length. */
export const isAddress = (text: string): boolean =>
  [text, folded(text)].every((form) => addressForm.test(form)) && addressKey(text).length <= EMAIL_LENGTH_MAX

/** Without control, format, private-use, unassigned, separator and default-ignorable characters. */
const part = String.raw`[^@\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]+`
const addressForm = new RegExp(`^${part}@${part}$`, 'u')

/** Lower case can undo normalisation. */
const folded = (text: string): string => text.normalize('NFKC').toLowerCase().normalize('NFKC')
