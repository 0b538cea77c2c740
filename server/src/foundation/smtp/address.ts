// The addresses that mail is sent to. Quoted local parts, comments, commas and angle brackets are
// rejected: parsers disagree about them, and a relay could read another recipient than we do.

import { domainToASCII } from 'node:url'
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
