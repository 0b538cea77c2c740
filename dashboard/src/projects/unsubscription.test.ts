// The mails that a link turns off.

import { notificationTopics } from '@petstore-platform/contract/platform/notifications'
import { expect, test } from 'vitest'
import { unsubscriptionIn } from './unsubscription.ts'

const account = `acc_${'0a'.repeat(12)}`

test.each(notificationTopics)('of the topic %s are named by its link', (topic) => {
  expect(unsubscriptionIn(`17.${account}.${topic}.c0de`)).toBe(topic)
})

test('that invite a person are named by their link', () => {
  expect(unsubscriptionIn(`invitations.${'0a'.repeat(32)}.c0de`)).toBe('invitations')
})

test.each([
  '',
  'invitations',
  `invitations.${'0a'.repeat(31)}.c0de`,
  `17.${account}.requests`,
  `17.${account}.moon.c0de`,
  `17.acc_1.requests.c0de`,
  `x.${account}.requests.c0de`,
])('are not guessed from a link that lacks a part: %s', (token) => {
  expect(unsubscriptionIn(token)).toBeUndefined()
})
