// What the contacts of a site must fulfil beyond their schema. Pure.

import { contactFaults, type SiteSettings } from '@petstore-platform/contract/platform/site'
import { readAddress } from '../../foundation/smtp/address.ts'

type Contact = SiteSettings['contact']

/** Of what differs from what is stored: a store from before contacts were checked can change everything else. */
export function faultOfContact({ email, phone }: Contact, held: Contact): string | undefined {
  if (email !== '' && email !== held.email && readAddress(email) === undefined) return contactFaults.email
  if (phone !== '' && phone !== held.phone && !isPhone(phone)) return contactFaults.phone
  return undefined
}

/** As the site links it. */
const isPhone = (text: string): boolean =>
  /^\+?[\d\s()./\u2010-\u2015-]+$/.test(text) && /^\d{3,20}$/.test(text.replace(/\D/g, ''))
