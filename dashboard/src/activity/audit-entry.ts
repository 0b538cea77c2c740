// Formats one audit event as text: the actor and the action. An action that an older
// dashboard does not know yet is shown by its code.

import type { Received } from '@petstore-platform/contract/platform/client'
import type { About } from '../texts/en/activity.ts'
import * as texts from '../texts/texts.ts'

const { events, operatorNote, actors, times } = texts.activity

export type AuditEntry = Received<'listAudit'>[number]

export const whoOf = ({ actor }: AuditEntry): string => actor.name ?? actors[actor.kind]

/** `people`: what members are called, by their identifiers. `count`: how many such events are shown as one. */
export function whatOf(entry: AuditEntry, people: ReadonlyMap<string, string>, count = 1): string {
  const words = wordsOf(entry, people, count)
  // The text of an action either counts its events, or is the same for one and for many.
  return count > 1 && words === wordsOf(entry, people, 1) ? `${words} ${times(count)}` : words
}

function wordsOf(entry: AuditEntry, people: ReadonlyMap<string, string>, count: number): string {
  const { action, subject, actor, detail } = entry
  const about: About = {
    subject,
    person: people.get(subject),
    isOneself: actor.id === subject,
    count,
    said: (name) => textOf(detail[name]),
  }
  // The compiler knows every action of this version, not those of a newer server.
  const words = events as Partial<typeof events>
  const by = actor.kind === 'operator' ? about.said('by') : undefined
  const note = by === undefined ? '' : operatorNote(by, about.said('reason'))
  return `${words[action]?.(about) ?? `${action} ${subject}`}${note}`
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
    ? String(value)
    : undefined
}

/** Entries by the day on which they were, in the time zone of the device. */
export function byDay(entries: readonly AuditEntry[]): { day: string; at: string; entries: AuditEntry[] }[] {
  const days = new Map<string, AuditEntry[]>()
  for (const entry of entries) {
    const day = new Date(entry.at).toDateString()
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days].map(([day, found]) => ({ day, at: found[0]?.at ?? '', entries: found }))
}

/** Events in succession of one person, of one kind and about the same; the newest comes first. */
export type EventGroup = { newest: AuditEntry; oldest: AuditEntry; count: number }

/** An upload of many photos is one line. Events that read differently stay apart: each says something of its own. */
export function grouped(entries: readonly AuditEntry[], people: ReadonlyMap<string, string>): EventGroup[] {
  const groups: EventGroup[] = []
  for (const entry of entries) {
    const last = groups.at(-1)
    if (last && isAlike(last.newest, entry) && whatOf(last.newest, people) === whatOf(entry, people)) {
      last.oldest = entry
      last.count += 1
    } else groups.push({ newest: entry, oldest: entry, count: 1 })
  }
  return groups
}

const isAlike = (one: AuditEntry, other: AuditEntry): boolean =>
  one.action === other.action &&
  one.subject === other.subject &&
  one.actor.kind === other.actor.kind &&
  one.actor.id === other.actor.id
