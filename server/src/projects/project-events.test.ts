// The event stream of a project, without any project.

import { expect, test } from 'vitest'
import { openSubscriptions, watching } from '../foundation/http/event-stream.io.ts'
import { auditPoll } from './project-events.io.ts'
import type { AuditEventRow } from './project-queries.ts'

const auditEvent = (id: number, action = `deed_${id}`): AuditEventRow => ({ id: BigInt(id), action, isRecent: false })
/** The newest audit events as they are at one poll after the other. */
const pollOver = (...polls: readonly AuditEventRow[][]) => {
  const left = [...polls]
  return auditPoll(async () => left.shift() ?? [])
}
const emitted = async (poll: ReturnType<typeof auditPoll>) => {
  const { fields } = await poll()
  return fields === undefined ? undefined : (JSON.parse(`{${fields}}`) as { actions: string[] }).actions
}

test('events before the subscription are not sent; those after it are, each kind once', async () => {
  const poll = pollOver(
    [auditEvent(1)],
    [auditEvent(1)],
    [auditEvent(4, 'order_placed'), auditEvent(3, 'key_created'), auditEvent(2, 'order_placed'), auditEvent(1)],
  )
  expect(await emitted(poll)).toBeUndefined()
  expect(await emitted(poll)).toBeUndefined()
  expect(await emitted(poll)).toEqual(['key_created', 'order_placed'])
})

test('recent events are sent first: they may be later than what the client loaded', async () => {
  const poll = pollOver(
    [{ ...auditEvent(2), isRecent: true }, auditEvent(1)],
    [{ ...auditEvent(2), isRecent: true }, auditEvent(1)],
  )
  expect([await emitted(poll), await emitted(poll)]).toEqual([['deed_2'], undefined])
})

test('an event that becomes visible after one with a higher id is sent too', async () => {
  const poll = pollOver([], [auditEvent(3)], [auditEvent(3), auditEvent(2)], [auditEvent(3), auditEvent(2)])
  await poll()
  expect([await emitted(poll), await emitted(poll), await emitted(poll)]).toEqual([['deed_3'], ['deed_2'], undefined])
})

test('a lost notification delays an event and never loses it', async () => {
  const ended = new AbortController()
  const deaf = openSubscriptions({ listen: async () => async () => {} }, 'audit_events')
  const pieces: string[] = []
  for await (const piece of watching({
    topics: [
      {
        topic: 'project:willow',
        subscribe: () => deaf.subscribeTo('1'),
        poll: pollOver([auditEvent(1)], [auditEvent(2, 'order_placed'), auditEvent(1)]),
      },
    ],
    stay: { ended: ended.signal, again: async () => {} },
    pollMs: 1,
  })) {
    pieces.push(piece)
    if (piece.startsWith('event')) ended.abort()
  }
  expect(pieces.at(-2)).toBe('event: changed\ndata: {"topic":"project:willow","actions":["order_placed"]}\n\n')
})

test('events before the notification channel is open are sent as soon as it is', async () => {
  const ended = new AbortController()
  const { promise, resolve } = Promise.withResolvers<() => Promise<void>>()
  const subscriptions = openSubscriptions({ listen: () => promise }, 'audit_events')
  let polls = 0
  const recorded = [auditEvent(1)]
  for await (const piece of watching({
    topics: [
      {
        topic: 'project:willow',
        subscribe: () => subscriptions.subscribeTo('1'),
        poll: auditPoll(async () => {
          polls += 1
          return recorded.slice(0, polls)
        }),
      },
    ],
    stay: { ended: ended.signal, again: async () => {} },
    pollMs: 60_000,
  })) {
    if (piece.startsWith(':')) {
      recorded.push(auditEvent(2))
      resolve(async () => {})
    }
    if (piece.startsWith('event')) ended.abort()
  }
  expect(polls).toBe(2)
})
