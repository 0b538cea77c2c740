// The wording of audit events.

import { auditActions } from '@petstore-platform/contract/platform/audit'
import { describe, expect, test } from 'vitest'
import { byDay, grouped, whatOf, whoOf, type AuditEntry } from './audit-entry.ts'

const mia = { kind: 'account', id: 'acc_1', name: 'Mia' } as const
const entry = (rest: Partial<AuditEntry>): AuditEntry => ({
  id: 1n,
  at: '2026-11-14T12:00:00Z',
  actor: mia,
  action: 'site_changed',
  subject: 'site',
  detail: {},
  ...rest,
})
const people = new Map([
  ['acc_1', 'Mia'],
  ['acc_2', 'Jonas'],
])

describe('an audit event', () => {
  test.each(auditActions)('has a text even if it has no details: %s', (action) => {
    const words = whatOf(entry({ action, subject: 'x' }), new Map())
    expect(words).not.toContain(action)
    expect(words).not.toMatch(/undefined|NaN|“”/)
  })

  test('names its subject and its details', () => {
    const changed = { action: 'member_changed', detail: { from: 'viewer', to: 'admin' } } as const
    expect(whatOf(entry({ ...changed, subject: 'acc_2' }), people)).toBe(
      'changed the role of Jonas from viewer to admin',
    )
    expect(whatOf(entry({ ...changed, subject: 'acc_9' }), people)).toContain('a former member')
    expect(whatOf(entry({ action: 'member_removed', subject: 'acc_1' }), people)).toBe('left the store')
    expect(whatOf(entry({ action: 'member_removed', subject: 'acc_2' }), people)).toBe('removed Jonas from the store')
    expect(whatOf(entry({ action: 'animal_statuses_set', detail: { to: 'pending', count: 2 } }), people)).toBe(
      'marked 2 animals as reserved',
    )
    const bulk = (detail: object) =>
      whatOf(entry({ action: 'animals_changed', detail: { count: 2, ...detail } }), people)
    expect(bulk({ isHidden: true })).toBe('hid 2 animals')
    expect(bulk({ isHidden: false, categoryId: '9' })).toBe('showed 2 animals and changed the category of 2 animals')
  })

  test('of a server that is newer than the page is shown by its code', () => {
    const newer = entry({ action: 'moon_reached' as AuditEntry['action'], subject: 'x' })
    expect(whatOf(newer, people)).toBe('moon_reached x')
  })

  test('has an actor, with a name or without', () => {
    expect(whoOf(entry({}))).toBe('Mia')
    expect(whoOf(entry({ actor: { kind: 'account', id: 'acc_9', name: null } }))).toBe('A former member')
    expect(whoOf(entry({ actor: { kind: 'petstore', id: null, name: null } }))).toBe('Petstore')
  })
})

test('Entries of one day are grouped, in their order', () => {
  const days = byDay([
    entry({ id: 3n, at: '2026-11-15T12:00:00Z' }),
    entry({ id: 2n, at: '2026-11-14T12:30:00Z' }),
    entry({ id: 1n }),
  ])
  expect(days.map(({ entries }) => entries.map(({ id }) => id))).toEqual([[3n], [2n, 1n]])
})

describe('events in succession', () => {
  const photo = (id: bigint, rest: Partial<AuditEntry> = {}) =>
    entry({ id, action: 'photo_added', subject: '12', detail: { photo: `p${id}` }, ...rest })
  const linesOf = (entries: readonly AuditEntry[]) =>
    grouped(entries, people).map(({ newest, count }) => `${whoOf(newest)} ${whatOf(newest, people, count)}`)

  test('of one kind, one person and one animal are one line: an upload of 18 photos', () => {
    expect(linesOf(Array.from({ length: 18 }, (_, index) => photo(BigInt(18 - index))))).toEqual([
      'Mia added 18 photos of animal 12',
    ])
    expect(linesOf([photo(1n)])).toEqual(['Mia added a photo of animal 12'])
    const changed = { action: 'profile_changed', subject: '12' } as const
    expect(linesOf([entry({ id: 2n, ...changed }), entry(changed)])).toEqual([
      'Mia changed the profile of animal 12 (2 times)',
    ])
  })

  test('stay apart if another person, animal or kind is between them, or if they read differently', () => {
    const jonas = { kind: 'account', id: 'acc_2', name: 'Jonas' } as const
    const deleted = { action: 'photo_deleted' } as const
    expect(linesOf([photo(4n), photo(3n, { actor: jonas }), photo(2n, { subject: '13' }), photo(1n, deleted)])).toEqual(
      [
        'Mia added a photo of animal 12',
        'Jonas added a photo of animal 12',
        'Mia added a photo of animal 13',
        'Mia deleted a photo of animal 12',
      ],
    )
    const status = (from: string, to: string) =>
      entry({ action: 'animal_status_set', subject: '12', detail: { from, to } })
    expect(linesOf([status('pending', 'sold'), status('available', 'pending')])).toHaveLength(2)
  })
})
