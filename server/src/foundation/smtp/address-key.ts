// The key of an email address: wherever an address identifies a person, this is what is compared. Every spelling of an
// address has one key, and an address that people cannot tell apart from another one is not accepted: characters that
// are not shown, and blanks. Normalisation alone does not remove them.

import { EMAIL_LENGTH_MAX } from '@petstore-platform/contract/platform/accounts'
import { domainToASCII } from 'node:url'

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
