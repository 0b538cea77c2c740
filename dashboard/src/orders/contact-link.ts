// Turns a visitor's contact into a link where it clearly is one: an address for mail
// programs, or a number for telephones. It is untrusted input, so nothing that could mean
// more to those programs than an address or a number is linked.

const email = /^[a-z0-9._+-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i
const phone = /^(?:\+|\(?0)[\d ()./-]+$/

export type Reach = 'email' | 'phone' | 'other'

export function wayOf(contact: string): Reach {
  const link = reachOf(contact)
  if (link === undefined) return 'other'
  return link.startsWith('mailto:') ? 'email' : 'phone'
}

/** Of a number that a visitor gave as such: the server accepts digits and separators only. */
export const telOf = (number: string): string =>
  `tel:${number.startsWith('+') ? '+' : ''}${number.replaceAll(/\D/g, '')}`

export function reachOf(contact: string): string | undefined {
  if (email.test(contact)) return `mailto:${contact}`
  if (!phone.test(contact)) return undefined
  const digits = contact.replaceAll(/\D/g, '')
  if (digits.length < 6 || digits.length > 15) return undefined
  return `tel:${contact.startsWith('+') ? '+' : ''}${digits}`
}
