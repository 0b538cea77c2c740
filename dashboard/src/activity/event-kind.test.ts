import { auditActions } from '@petstore-platform/contract/platform/audit'
import { expect, test } from 'vitest'
import { eventKindOf } from './event-kind.ts'

const general = eventKindOf('moon_reached')

test.each(auditActions)('%s has an icon of its own kind', (action) => {
  expect(eventKindOf(action).icon).not.toBe(general.icon)
})

test('an action of a newer server, and one with the name of a property, have the general icon', () => {
  expect(eventKindOf('constructor')).toEqual(general)
  expect(eventKindOf('')).toEqual(general)
})

test('a failure is seen', () => {
  expect(eventKindOf('deployment_failed').tone).toBe('bad')
})
