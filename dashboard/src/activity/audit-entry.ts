// Formats one audit event as text: the actor and the action. An action that an older
// dashboard does not know yet is shown by its code.

import type { Received } from '@petstore-platform/contract/platform/client'
import type { About } from '../texts/en/activity.ts'
import * as texts from '../texts/texts.ts'

const { events, actors } = texts.activity

export type AuditEntry = Received<'listAudit'>[number]

export const whoOf = ({ actor }: AuditEntry): string => actor.name ?? actors[actor.kind]

/** `people`: what members are called, by their identifiers. */
export function whatOf(entry: AuditEntry, people: ReadonlyMap<string, string>): string {
  const { action, subject, actor, detail } = entry
  const about: About = {
    subject,
    person: people.get(subject),
    isOneself: actor.id === subject,
    said: (name) => textOf(detail[name]),
  }
  // The compiler knows every action of this version, not those of a newer server.
  const words = events as Partial<typeof events>
  return words[action]?.(about) ?? `${action} ${subject}`
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
