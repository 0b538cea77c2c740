// The wording of the security history.

import { accountActions, type AccountEvent } from '@petstore-platform/contract/platform/account-audit'
import { expect, test } from 'vitest'
import { whatHappened, whereHappened } from './account-event.ts'

test.each(accountActions)('has a sentence: %s', (action) => {
  expect(whatHappened({ action })).toMatch(/^[A-Z].+ .+\.$/)
})

test('An event of a server that is newer than the page is shown by its code', () => {
  expect(whatHappened({ action: 'moon_reached' as AccountEvent['action'] })).toBe('moon_reached')
})

test.each([
  [{ actor: 'person', device: 'Firefox on Windows', addressGroup: '192.0.2.7' }, 'Firefox on Windows, 192.0.2.7'],
  [{ actor: 'visitor', device: null, addressGroup: '2001:db8::/64' }, 'Unknown device, 2001:db8::/64'],
  [{ actor: 'person', device: 'Chrome on Mac', addressGroup: null }, 'Chrome on Mac'],
  [{ actor: 'operator', device: null, addressGroup: null }, 'An operator of this installation'],
] as const)('%j happened at: %s', (event, where) => {
  expect(whereHappened(event)).toBe(where)
})
