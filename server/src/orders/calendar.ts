// The calendar file of a mail about a visit (RFC 5545, 5546). The visit of a request keeps its UID, and SEQUENCE rises with
// each mail, so that a calendar moves the entry that it has, or removes it. Every text is one escaped line. Pure.

import { readAddress } from '../foundation/smtp/address.ts'
import { SECOND } from '../foundation/time.ts'
import { oneLine } from '../mail/mail.ts'

export type CalendarVisit = {
  method: 'PUBLISH' | 'CANCEL'
  uid: string
  at: Date
  place: string
  summary: string
  store: { title: string; email: string }
  requestedAt: Date
  /** When the mail was queued: what it says is never older. */
  mailedAt: Date
}

export const visitCalendar = (visit: CalendarVisit): { name: string; type: string; content: string } => ({
  name: 'visit.ics',
  type: `text/calendar; charset=utf-8; method=${visit.method}`,
  content: linesOf(visit).map(folded).join(''),
})

function linesOf({ method, uid, at, place, summary, store, requestedAt, mailedAt }: CalendarVisit): string[] {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Petstore//Visits//EN',
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `SEQUENCE:${Math.max(0, Math.floor((mailedAt.getTime() - requestedAt.getTime()) / SECOND))}`,
    `DTSTAMP:${utc(mailedAt)}`,
    `DTSTART:${utc(at)}`,
    `SUMMARY:${text(summary)}`,
    ...(place === '' ? [] : [`LOCATION:${text(place)}`]),
    `ORGANIZER;CN="${oneLine(store.title).replaceAll('"', "'")}":${organizer(store.email)}`,
    `STATUS:${method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED'}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
}

const utc = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

const text = (value: string): string => oneLine(value).replaceAll(/[\\;,]/g, String.raw`\$&`)

/** Calendars require one; a store without an address has the one that they use for none. */
function organizer(email: string): string {
  const address = readAddress(email)
  return address === undefined ? 'invalid:nomail' : `mailto:${address.split('@').map(encodeURIComponent).join('@')}`
}

const LINE_OCTETS_MAX = 75

/** A line of at most 75 octets, continued on lines that begin with a space; no character is divided. */
function folded(line: string): string {
  let octetsLeft = LINE_OCTETS_MAX
  let written = ''
  for (const character of line) {
    const octets = Buffer.byteLength(character)
    if (octets > octetsLeft) {
      written += '\r\n '
      octetsLeft = LINE_OCTETS_MAX - 1
    }
    written += character
    octetsLeft -= octets
  }
  return `${written}\r\n`
}
