// A project as a subject of event streams, without any project.

import { expect, test } from 'vitest'
import type { AuditEventRow } from './project-queries.ts'
import { projectSubject, type ProjectState } from './project-subject.io.ts'
import type { ProjectId } from './scope.io.ts'

const NOW = Date.UTC(2026, 10, 18)

const auditEvent = (id: number, action = `deed_${id}`, ageSeconds = 3600): AuditEventRow => ({
  id: BigInt(id),
  action,
  at: new Date(NOW - ageSeconds * 1000),
})

/** A project whose newest audit events are these at one poll after the other. */
function projectWith(...polls: readonly AuditEventRow[][]) {
  const left = [...polls]
  const calls: string[] = []
  const subject = projectSubject(7n as ProjectId, {
    subscriptions: { subscribe: () => () => {}, close: async () => {} },
    newestEvents: async (count) => {
      calls.push(`newest ${count}`)
      const found = count > 1 && left.length > 1 ? left.shift() : left[0]
      return (found ?? []).slice(0, count)
    },
    recheckRights: async () => void calls.push('rights'),
    now: () => NOW,
  })
  let state: ProjectState | undefined
  /** What is passed on after one more poll. */
  const poll = async (isSignalled = true) => {
    const before = state
    state = await subject.read(before, isSignalled)
    if (!state || state === before) return undefined
    const fields = before ? subject.change(before, state) : subject.first(state)
    return fields === undefined ? undefined : (JSON.parse(`{${fields}}`) as { actions: string[] }).actions
  }
  return { poll, calls }
}

test('events before the subscription are not sent; those after it are, each kind once', async () => {
  const { poll } = projectWith(
    [auditEvent(1)],
    [auditEvent(1)],
    [auditEvent(4, 'order_placed'), auditEvent(3, 'key_created'), auditEvent(2, 'order_placed'), auditEvent(1)],
  )
  expect([await poll(), await poll(), await poll()]).toEqual([undefined, undefined, ['key_created', 'order_placed']])
})

test('recent events are sent first: they may be later than what the client loaded', async () => {
  const { poll } = projectWith([auditEvent(2, 'deed_2', 9), auditEvent(1, 'deed_1', 11)])
  expect([await poll(), await poll()]).toEqual([['deed_2'], undefined])
})

test('an event that becomes visible after one with a higher id is sent too', async () => {
  const { poll } = projectWith([], [auditEvent(3)], [auditEvent(3), auditEvent(2)])
  expect([await poll(), await poll(), await poll(), await poll()]).toEqual([
    undefined,
    ['deed_3'],
    ['deed_2'],
    undefined,
  ])
})

test('a quiet poll reads the newest id alone, once a whole one has found nothing more', async () => {
  const { poll, calls } = projectWith([auditEvent(1)])
  for (let n = 0; n < 4; n++) await poll(n === 0)
  expect(calls).toEqual(['newest 100', 'newest 100', 'newest 1', 'newest 1'])
})

test('a lost notification delays an event and never loses it', async () => {
  const { poll } = projectWith([auditEvent(1)], [auditEvent(1)], [auditEvent(2), auditEvent(1)])
  expect([await poll(), await poll(false), await poll(false)]).toEqual([undefined, undefined, ['deed_2']])
})

test('rights are rechecked before the event that may have ended them is passed on, and only then', async () => {
  const { poll, calls } = projectWith(
    [],
    [auditEvent(1, 'order_placed')],
    [auditEvent(2, 'member_removed'), auditEvent(1, 'order_placed')],
  )
  await poll()
  await poll()
  expect(calls).not.toContain('rights')
  await poll()
  expect(calls.at(-1)).toBe('rights')
})
